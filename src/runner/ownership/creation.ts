import { ConfigError } from '../../core/errors/standin-error';
import type { JsonValue } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { type LocatedKeys, otherPaths } from './item-location';
import { itemRouteOf, routeOf } from './item-routes';
import type { LedgerEntry } from './ledger';
import { containsRunId, type SentParameters, type SentProperty } from './sent-content';

/** What is known of a creation before it is sent. */
export interface CreationFacts {
  /** Why it stays, as the contract says; `undefined` when it can be removed. */
  readonly leaves?: string | undefined;
  /** Does the body hold the id of the run? Only then can what it makes be told by that. */
  readonly marked?: boolean | undefined;
  /** Whose key makes it, and is to remove it: `valid`, or the name of an identity. */
  readonly auth?: string | undefined;
  /** The session of the run that makes it, whose key is known only as long as the run goes on. Not in the ledger. */
  readonly session?: string | undefined;
  /** What the body has, by which what it makes is reported from what is somebody else's. */
  readonly sent?: readonly SentProperty[] | undefined;
  /** Does its contract say that it makes something? Then a success is believed. Not in the ledger. */
  readonly creates?: boolean | undefined;
  /** The step that made it, by which another one says that it removes it. Not in the ledger. */
  readonly step?: string | undefined;
  /** What its request had beside its path, which looks at it and its removal may need. Not in the ledger. */
  readonly basedOn?: SentParameters | undefined;
}

/** Something that a run made, or may have made. */
export interface Creation extends CreationFacts {
  readonly entry: number;
  readonly operation: Operation;
  /** Where the creation was sent, below the base URL. */
  readonly path: string;
  /** Path of what was made, below the base URL; `undefined` when that is not known. */
  item: string | undefined;
  /** `pending` until a response told; where none does, for ever. */
  state: 'pending' | 'there' | 'refused' | 'removed';
  /** Where what a response may be about stands, of which nobody knows whether the run made it. */
  possibleItem?: string | undefined;
  /** May that be somebody else's, whatever it holds by now? Then it is reported, and never removed. */
  mayBeOthers?: boolean | undefined;
  /** Where it may stand, of which the response named several places. */
  candidates?: readonly string[] | undefined;
  /** Which of them Location names. Not in the ledger. */
  located?: LocatedKeys | undefined;
  /** What was answered that does not tell whether anything was made. */
  responseStatus?: number | undefined;
  /** Was nothing there when it was sent? Of a PUT and a PATCH. */
  wasAbsent?: boolean | undefined;
  /** What the run put there since. */
  changed?: readonly SentProperty[] | undefined;
  /** What a step took out of the response to it, as it stands in a path. Not in the ledger. */
  capturedValues?: readonly string[] | undefined;
  /** Did a response show what was sent where it stands? */
  isVerified?: boolean | undefined;
  /** Did a response show it where it stands? */
  wasSeen?: boolean | undefined;
  /** Was a removal of it, or of what it stands below, answered with a success? */
  isRemovalConfirmed?: boolean | undefined;
}

/**
 * What a response says of a creation: it made something, it made nothing, that is open, or something was done of which
 * nobody can tell whether it made something or changed what somebody else made.
 */
type CreationVerdict = 'made' | 'refused' | 'open' | 'may-be-others';

/**
 * Only a 201 says that something was made. Where the description has a 201, a POST that is answered 200 found something
 * there, and wrote the id of the run into it; a PUT or a PATCH that is answered so, where a look found nothing, changed
 * what the look could not see. What has the id of the run in its own name is nobody else's.
 *
 * @param status - 200 or more
 */
export function creationVerdict(
  api: ApiModel,
  creation: Creation,
  status: number,
  body: JsonValue | undefined,
  runId: string,
): CreationVerdict {
  if (status === 201) return 'made';
  if (status >= 400 && status < 500) return 'refused';
  if (status >= 300) return 'open';
  // Who wrote the contract knows what its step makes, where nothing can be looked at. Elsewhere a look tells.
  if (creation.creates === true && itemRouteOf(api, creation.operation) === undefined) return 'made';
  return creation.operation.method === 'POST'
    ? postVerdict(api, creation, status, body, runId)
    : replacementVerdict(api, creation, runId);
}

function postVerdict(
  api: ApiModel,
  { operation }: Creation,
  status: number,
  body: JsonValue | undefined,
  runId: string,
): CreationVerdict {
  // What is to be done later, where nothing can be looked at then, stays as what a 201 made does.
  if (itemRouteOf(api, operation) === undefined) return status === 202 ? 'made' : verdictByRunId(body, runId);
  if (operation.responses.has('201') && status !== 202) return 'may-be-others';
  return verdictByRunId(body, runId) === 'made' ? 'made' : 'open';
}

/** Beside a 201 only the id of the run in the response says that something was made. */
function verdictByRunId(body: JsonValue | undefined, runId: string): 'made' | 'refused' {
  return body !== undefined && containsRunId(stringifyJson(body), runId) ? 'made' : 'refused';
}

function replacementVerdict(api: ApiModel, { path, wasAbsent }: Creation, runId: string): CreationVerdict {
  if (wasAbsent !== true) return 'refused';
  const name = Object.values(routeOf(api, path)?.pathParameters ?? {}).at(-1) ?? '';
  return containsRunId(name, runId) ? 'made' : 'may-be-others';
}

interface Known {
  readonly item: string;
  readonly paths: readonly string[];
}

/** Found once: each response is compared with the paths of all creations. */
const KNOWN = new WeakMap<Creation, Known>();

/** Every path of what a creation made, below the base URL: the description may have several for one thing. */
export function pathsOf(api: ApiModel, creation: Creation): readonly string[] {
  const { operation, path, item } = creation;
  if (item === undefined) return [];
  let known = KNOWN.get(creation);
  if (known?.item !== item) {
    known = { item, paths: [item, ...otherPaths(api, operation, path, item)] };
    KNOWN.set(creation, known);
  }
  return known.paths;
}

/**
 * What a ledger says of each creation, in its order.
 *
 * @throws ConfigError where it names an operation that the description does not have
 */
export function restoredCreations(api: ApiModel, entries: readonly LedgerEntry[]): Creation[] {
  const all: Creation[] = [];
  for (const entry of entries) {
    if (entry.kind === 'run' || entry.kind === 'before') continue;
    if (entry.kind === 'pending') all.push(restorePending(api, entry));
    else restoreEnd(all, entry);
  }
  return all;
}

function restorePending(api: ApiModel, pending: Extract<LedgerEntry, { kind: 'pending' }>): Creation {
  const { entry, operation: id, path, leaves, marked, auth, sent } = pending;
  const operation = api.operationById(id);
  if (operation === undefined) {
    throw new ConfigError('CONFIG_INVALID', `The description has no operation ${id}, which the ledger names`, {
      hint: 'Name the description of that run with --spec.',
    });
  }
  return { entry, operation, path, item: undefined, state: 'pending', leaves, marked, auth, sent };
}

function restoreEnd(
  all: readonly Creation[],
  ended: Exclude<LedgerEntry, { kind: 'run' | 'pending' | 'before' }>,
): void {
  const creation = all.find(({ entry }) => entry === ended.entry);
  if (creation === undefined) return;
  if (ended.kind === 'created' && ended.mayBeOthers === true) {
    creation.mayBeOthers = true;
    creation.possibleItem = ended.item;
  } else if (ended.kind === 'created') {
    creation.state = 'there';
    creation.item = ended.item;
    // What has not come to be by now will not.
    creation.wasSeen = true;
    creation.changed = [...(creation.changed ?? []), ...(ended.sent ?? [])];
  } else {
    creation.state = ended.kind;
  }
}
