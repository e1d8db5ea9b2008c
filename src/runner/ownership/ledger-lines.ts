import { escapePattern } from '../../core/text/escape-pattern';
import { ConfigError } from '../../core/errors/standin-error';
import { decodePathSegment, splitPath } from '../../core/http/request-target';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { decode, described } from '../../formats/decode';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { itemRoutesOf, routeOfItem } from './item-routes';
import { LEDGER_FORMAT, type LedgerEntry } from './ledger';

export interface LedgerContent {
  readonly start: Extract<LedgerEntry, { kind: 'run' }>;
  readonly entries: readonly LedgerEntry[];
  /** Where an entry stands, such as `run.ndjson:3`. */
  readonly placeOf: (entry: LedgerEntry) => string;
}

/**
 * Reads the lines of a ledger. The last line may be cut: a crash in the middle of writing it says that what it
 * announces was never sent.
 *
 * Each line is as docs/ledger.schema.json has it. Whether it fits the description is looked at by {@link checkLedger}.
 *
 * @throws ConfigError `CONFIG_INVALID` when it is no ledger of this version, or a line cannot be used
 */
export function readLedger(text: string, file: string): LedgerContent {
  const lines = text.split('\n').filter((line) => line !== '');
  const read = lines
    .map((line, index) => readLine(line, file, index + 1, lines.length))
    .filter((line) => line !== null);
  const [first] = read;
  if (first?.['kind'] !== 'run' || first['format'] !== LEDGER_FORMAT) {
    throw new ConfigError('CONFIG_INVALID', `${file} is no ledger of this version`, {
      hint: `Its first line has "format":"${LEDGER_FORMAT}".`,
    });
  }
  const entries = read.map((line, index) => requireEntry(line, `${file}:${index + 1}`));
  const places = new Map(entries.map((entry, index) => [entry, `${file}:${index + 1}`]));
  return {
    start: entries[0] as LedgerContent['start'],
    entries,
    placeOf: (entry) => places.get(entry) ?? file,
  };
}

function requireEntry(line: JsonObject, place: string): LedgerEntry {
  if (line['kind'] === 'run' && !place.endsWith(':1')) {
    throw invalidLedger(place, 'kind', line['kind'], 'an entry behind the first line');
  }
  const [finding] = decode({ file: place, root: line, isPlain: true, locationOf: () => undefined }, 'ledger');
  if (finding !== undefined) throw unusableLine(place, finding.message);
  const entry = line as unknown as LedgerEntry;
  if (entry.kind === 'run' && !URL.canParse(entry.baseUrl)) {
    throw unusableLine(place, `"baseUrl" must be an http or https URL, got ${described(entry.baseUrl)}`);
  }
  return entry;
}

/** @returns `null` for the last line where it is cut */
function readLine(line: string, file: string, number: number, count: number): JsonObject | null {
  try {
    const value = JSON.parse(line) as JsonValue;
    if (isJsonObject(value) && 'kind' in value) return value;
  } catch (error) {
    if (number === count && number > 1) return null;
    throw invalidLine(file, number, error);
  }
  throw invalidLine(file, number);
}

function invalidLine(file: string, number: number, cause?: unknown): ConfigError {
  return new ConfigError('CONFIG_INVALID', `${file}:${number} is not a line of a ledger`, {
    hint: 'standin verify writes ledgers, one line of JSON for each entry: standin-ledger-RUN.ndjson.',
    cause,
  });
}

type Pending = Extract<LedgerEntry, { kind: 'pending' }>;

/**
 * Holds a ledger to the description: what it names is removed, so that each line has to name what a run could have
 * made. Every entry is announced once and before anything else is said of it, by an operation that there is, at a path
 * of it; an item is one of that operation's.
 *
 * @throws ConfigError `CONFIG_INVALID` with the place of the first line that does not
 */
export function checkLedger({ entries, placeOf }: LedgerContent, api: ApiModel): void {
  const announced = new Map<number, Pending>();
  for (const entry of entries) {
    if (entry.kind === 'run' || entry.kind === 'before') continue;
    const place = placeOf(entry);
    const pending = announced.get(entry.entry);
    if (entry.kind === 'pending') {
      if (pending !== undefined)
        throw invalidLedger(place, 'entry', entry.entry, 'one that no line before it announced');
      ledgerOperation(api, entry, place);
      announced.set(entry.entry, entry);
    } else if (pending === undefined) {
      throw invalidLedger(place, 'entry', entry.entry, 'one that a pending line before it announced');
    } else if (entry.kind === 'created' && entry.item !== undefined) {
      requireItem(api, pending, entry.item, place);
    }
  }
}

/** @throws ConfigError when the description has no such operation, or its path is another one */
function ledgerOperation(api: ApiModel, { operation: id, path }: Pending, place: string): Operation {
  const operation = api.operationById(id);
  if (operation === undefined) {
    const expected = `an operation of ${api.document.file}; --spec names the description of that run`;
    throw invalidLedger(place, 'operation', id, expected);
  }
  if (!isPath(path) || !fitsTemplate(operation.path, path)) {
    throw invalidLedger(place, 'path', path, `a path of ${id}, such as ${operation.path}`);
  }
  return operation;
}

/** An item stands below the collection that made it, or beside the path of its PUT: a service may go by a key in the body. */
function requireItem(api: ApiModel, pending: Pending, item: string, place: string): void {
  const operation = ledgerOperation(api, pending, place);
  const isPost = operation.method === 'POST';
  const templates = isPost ? itemRoutesOf(api, operation).map(({ route }) => route.path) : [operation.path];
  const isItem = isPath(item) && isNormalized(item) && templates.some((template) => fitsTemplate(template, item));
  // A literal of another path, such as /books/all, is not an item; nor is one below another parent.
  const isThere = isPost || isBeside(item, pending.path);
  if (isItem && isThere && routeOfItem(api, operation, pending.path, item) !== undefined) return;
  const expected =
    templates.length === 0 ? `none: ${operation.id} makes nothing with a path` : `a path of ${templates.join(' or ')}`;
  throw invalidLedger(place, 'item', item, expected);
}

/** Do two paths differ in their last segment at most? */
function isBeside(one: string, other: string): boolean {
  const [parent, otherParent] = [one, other].map((path) => path.replace(/[^/]*\/?$/, ''));
  return parent === otherParent;
}

function fitsTemplate(template: string, path: string): boolean {
  const parts = template.split(/\{[^{}]*\}/).map(escapePattern);
  return new RegExp(`^${parts.join('[^/]*')}$`).test(path);
}

/** Without a query, and as it may stand in a request. */
function isPath(text: string): boolean {
  return /^\/[!"$->@-~]*$/.test(text);
}

/** Do all segments name something, and none a way up? */
function isNormalized(path: string): boolean {
  return splitPath(path.replace(/\/$/, '')).every((segment) => {
    const name = decodePathSegment(segment);
    return name !== undefined && !['', '.', '..'].includes(name);
  });
}

/**
 * Why a ledger is not acted on: what it names is removed, and a line that nobody wrote so could name anything.
 *
 * @param place - `run.ndjson:3`
 * @param expected - goes on after "Expected"
 */
function invalidLedger(place: string, name: string, value: JsonValue, expected: string): ConfigError {
  return unusableLine(place, `${name} is ${JSON.stringify(value)}`, `Expected ${expected}. `);
}

function unusableLine(place: string, message: string, expected = ''): ConfigError {
  return new ConfigError('CONFIG_INVALID', `${place} cannot be used: ${message}`, {
    hint: `${expected}Nothing was sent. What standin verify wrote is taken as it is: do not edit a ledger.`,
  });
}
