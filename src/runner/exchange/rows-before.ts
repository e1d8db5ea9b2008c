import { type HttpRequest, isSafe } from '../../core/http/message';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import type { Operation } from '../../openapi/model/operation';
import { chosenPaths } from '../ownership/item-location';
import { lastVariable, routeOf } from '../ownership/item-routes';
import { digestOfPath } from '../ownership/known-rows';
import { isNamedByRun, isSamePath } from '../ownership/path-names';
import { listBeside, type ListPlace, pathOfRow } from '../ownership/list-rows';
import { jsonBodyOf, ownershipEvidence, sentParameters } from '../ownership/sent-content';
import type { ChangedRow, Residue, Verdict } from '../result/run-result';
import type { Interaction } from './interaction';
import { type ListContent, readList } from './list-pages';
import { callOperation, type CallOptions, isAnswerForNothing, undefinedOnError } from './operation-call';
import { isKnownEmpty, modeFor, modeViolation, pathOf, pathTraversalFinding } from './request-guard';
import type { Run } from './run-state';

/** A longer list is not read to its end: then nothing of it is proven to be new. */
const MOST_PAGES = 20;

/** A list beside which the run writes, and how it is asked for. */
interface AskedList extends ListPlace {
  readonly manner: CallOptions;
}

/** What a list showed before the first write of the run. */
interface ListBefore extends AskedList {
  /** By the paths of the rows, or their places in the list where they have none. */
  readonly rows: ReadonlyMap<string, JsonValue>;
}

/**
 * The lists of each run, by their paths; `undefined` for one that could not be read. A contract that is sent again has a
 * run of its own with the same creations: read then, a list would show what this run made.
 */
const LISTS = new WeakMap<Run['creations'], Map<string, Promise<ListBefore | undefined>>>();

function listsOf({ creations }: Run): Map<string, Promise<ListBefore | undefined>> {
  const lists = LISTS.get(creations) ?? new Map<string, Promise<ListBefore | undefined>>();
  LISTS.set(creations, lists);
  return lists;
}

/**
 * To be called before a request that may make or change something: reads what the list beside it shows, once for each
 * list, and writes it down. It belongs to somebody else, whatever the run writes there later.
 */
export async function noteRowsBefore(run: Run, interaction: Interaction): Promise<void> {
  const place = placeBeside(run, interaction);
  if (place === undefined) return;
  const lists = listsOf(run);
  const reading = lists.get(place.path) ?? undefinedOnError(() => readBefore(run, place));
  lists.set(place.path, reading);
  await reading;
}

/**
 * Why a request is not sent whose body asks for a key that something of others has: a service may take it for a change of
 * that. What a person wrote is sent in mode `full`, and what was there before is not the run's own afterwards.
 *
 * @returns `undefined` when it may be sent
 */
export async function takenKeyIn(run: Run, interaction: Interaction): Promise<Verdict | undefined> {
  const { operation, request } = interaction;
  if (operation === undefined || isSafe(request.method) || !maySend(run, interaction)) return undefined;
  const path = pathOf(run, request);
  const isFull = modeFor(run, interaction) === 'full';
  // What a person wrote is sent to whatever it names.
  if (isFull && request.method === 'DELETE') return undefined;
  for (const chosen of await existingPaths(run, operation, path, request)) {
    if (run.creations.owns(chosen)) continue;
    run.creations.known.add(chosen);
    if (isFull) continue;
    const reason =
      chosen === path
        ? `something stands at ${chosen} that this run did not make`
        : `its body has the key of ${chosen}, which was there before, so that it might change that`;
    return { kind: 'skipped', reason, cause: 'mode' };
  }
  return undefined;
}

/** Where a request would put something, and something stands that the run did not make. */
async function existingPaths(run: Run, operation: Operation, path: string, request: HttpRequest): Promise<string[]> {
  const { api, creations } = run;
  const isToPath = request.method !== 'POST';
  const asked = isToPath ? [path] : chosenPaths(api, { operation, path }, jsonBodyOf(request));
  const found: string[] = [];
  for (const place of asked) {
    // A service may cut a key, or read it without its case: what nobody should have is looked for all the same.
    const isEmpty = isToPath ? creations.absentPaths.has(place) : isKnownEmpty(run, place);
    const isOurs = creations.owns(place) || isEmpty || (!isToPath && isNamedByRun(place, run.runId));
    if (creations.known.has(place) || (!isOurs && (await isThereNow(run, place, request)))) found.push(place);
  }
  return found;
}

/** Paths of each run at which a look found nothing that no write of it has changed since. */
const FOUND_EMPTY = new WeakMap<Run['creations'], Set<string>>();

/** As {@link isThere}, once for a path that is only named by requests that make nothing. */
async function isThereNow(run: Run, place: string, like: HttpRequest): Promise<boolean> {
  const empty = FOUND_EMPTY.get(run.creations) ?? new Set<string>();
  FOUND_EMPTY.set(run.creations, empty);
  if (empty.has(place)) return false;
  const found = await isThere(run, place, like);
  if (!found && like.method !== 'PUT' && like.method !== 'POST') empty.add(place);
  return found;
}

/** Does an item stand at a path, as far as a GET shows? */
async function isThere(run: Run, path: string, like: HttpRequest): Promise<boolean> {
  const match = routeOf(run.api, path);
  const read = match?.route.operations.get('GET');
  if (match === undefined || read === undefined || lastVariable(match.route) === undefined) return false;
  const manner = { basedOn: sentParameters(like) };
  const look = await undefinedOnError(() => callOperation(run, read, path, manner));
  if (look === undefined || look.status < 200 || look.status >= 300) return false;
  // What would be changed is there also where the service reads every key as that one.
  if (like.method !== 'POST' && isJsonObject(look.body) && Object.keys(look.body).length > 0) return true;
  return !(await isAnswerForNothing(run, read, path, look.body, manner));
}

/** @returns `undefined` where there is no list, the request is not sent, or it stands below what the run made */
function placeBeside(run: Run, interaction: Interaction): AskedList | undefined {
  const { operation, request, auth } = interaction;
  if (operation === undefined || !mayMake(run, interaction) || !maySend(run, interaction)) return undefined;
  const from = pathOf(run, request);
  const found = listBeside(run.api, operation, from);
  if (found === undefined || run.creations.owns(found.path)) return undefined;
  const caller = run.identities?.has(auth) === true ? auth : 'valid';
  const manner = { caller, basedOn: sentParameters(request) };
  return { list: found.operation, path: found.path, operation, from, manner };
}

/** May a request make something, or change many rows? What changes or removes one item has to be allowed to. */
function mayMake(run: Run, { operation, request, touches, creates, phase }: Interaction): boolean {
  if (operation === undefined || isSafe(request.method) || phase === 'cleanup') return false;
  if (touches === 'nothing' && creates !== true) return false;
  const isOfItem = operation.method !== 'POST' && lastVariable(operation) !== undefined;
  return !isOfItem || (operation.method !== 'DELETE' && !run.creations.owns(pathOf(run, request)));
}

function maySend(run: Run, interaction: Interaction): boolean {
  return modeViolation(run, interaction) === undefined && pathTraversalFinding(run, interaction) === undefined;
}

async function readBefore(run: Run, place: AskedList): Promise<ListBefore | undefined> {
  const read = await readList(run, place.list, place.path, MOST_PAGES, place.manner);
  if (read === undefined) return undefined;
  const { rows, isWhole } = rowsOf(run, place, read);
  run.creations.noteBefore(place.path, [...rows.keys()].map(digestOfPath), read.isComplete && isWhole);
  return { ...place, rows };
}

/** The rows of a list by their paths. */
function rowsOf(
  run: Run,
  place: ListPlace,
  { items, keys }: Pick<ListContent, 'items' | 'keys'>,
): { readonly rows: ReadonlyMap<string, JsonValue>; /** Has each row a path? */ readonly isWhole: boolean } {
  const rows = new Map<string, JsonValue>();
  let isWhole = true;
  for (const [index, item] of items.entries()) {
    const path = pathOfRow(run.api, place, item, keys[index]);
    // A key that two rows have is none.
    isWhole &&= path !== undefined && !rows.has(path);
    rows.set(path ?? `#${index}`, item);
  }
  return { rows, isWhole };
}

/** What lists say at the end of a run. */
interface Comparison {
  /** The rows of others that are missing or changed, whoever did that. */
  readonly changed: readonly ChangedRow[];
  /** Rows with the id of the run, or new ones with all that was sent, in a creation that was refused: they may be the run's. */
  readonly doubtful: readonly Residue[];
}

export async function compareRows(run: Run): Promise<Comparison> {
  const changed: ChangedRow[] = [];
  const doubtful: Residue[] = [];
  for (const reading of listsOf(run).values()) {
    const before = await reading;
    if (before === undefined || run.targetError !== undefined) continue;
    const manner = { ...before.manner, phase: 'cleanup' } as const;
    const read = await undefinedOnError(() => readList(run, before.list, before.path, MOST_PAGES, manner));
    if (read === undefined) continue;
    const { rows } = rowsOf(run, before, read);
    changed.push(...(await changesSince(run, before, rows, read.isCut)));
    doubtful.push(...doubtfulRows(run, before, rows));
  }
  return { changed, doubtful };
}

async function changesSince(
  run: Run,
  before: ListBefore,
  rows: ReadonlyMap<string, JsonValue>,
  isCut: boolean,
): Promise<ChangedRow[]> {
  const changed: ChangedRow[] = [];
  for (const [path, row] of before.rows) {
    const now = rows.get(path);
    const url = `${run.baseUrl}${path}`;
    // What has no path, and what may stand behind the end of what was read, cannot be compared.
    if (path.startsWith('#') || (now === undefined && isCut)) continue;
    const properties = now === undefined ? undefined : differingProperties(row, now);
    if (properties === undefined && !(await isListedElsewhere(run, before, path))) changed.push({ url });
    else if (properties !== undefined && properties.length > 0) changed.push({ url, properties });
  }
  return changed;
}

/** A list may show the latest rows alone. */
async function isListedElsewhere(run: Run, { manner }: ListBefore, path: string): Promise<boolean> {
  const read = routeOf(run.api, path)?.route.operations.get('GET');
  const look = read && (await undefinedOnError(() => callOperation(run, read, path, { ...manner, phase: 'cleanup' })));
  return look !== undefined && look.status >= 200 && look.status < 300;
}

function doubtfulRows(run: Run, place: ListBefore, rows: ReadonlyMap<string, JsonValue>): Residue[] {
  const { creations, baseUrl, runId } = run;
  const refused = creations.refusedPosts(place.from);
  if (refused.length === 0) return [];
  const taken = creations.itemPaths();
  return [...rows].flatMap(([path, item]) => {
    if (taken.some((other) => isSamePath(other, path))) return [];
    const isNew = creations.known.isNew(path, place.path);
    const maker = refused.find(({ sent = [], marked }) => {
      const evidence = ownershipEvidence(item, sent, runId);
      return evidence === 'marked' || (isNew && marked !== true && evidence === 'same');
    });
    if (maker === undefined) return [];
    const reason = 'it has what a creation had that was refused: it may be the run’s, and was left alone';
    return [{ url: `${baseUrl}${path}`, operation: maker.operation.id, reason, isAccepted: false }];
  });
}

function differingProperties(before: JsonValue, after: JsonValue): string[] {
  if (!isJsonObject(before) || !isJsonObject(after))
    return stringifyJson(before) === stringifyJson(after) ? [] : ['value'];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => stringifyJson(before[name] ?? null) !== stringifyJson(after[name] ?? null));
}
