import { ConfigError } from '../../core/errors/standin-error';
import { decodePathSegment, splitPath } from '../../core/http/request-target';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { itemRoutesOf, routeOfItem } from './item-routes';
import { LEDGER_FORMAT, type LedgerEntry } from './ledger';
import { areSentProperties } from './sent-content';

type Start = Extract<LedgerEntry, { kind: 'run' }>;
type Line = Readonly<Record<string, unknown>>;

/** A ledger file, read. */
export interface LedgerContent {
  readonly start: Start;
  readonly entries: readonly LedgerEntry[];
  /** Where an entry stands, such as `run.ndjson:3`. */
  readonly placeOf: (entry: LedgerEntry) => string;
}

/**
 * Reads the lines of a ledger. The last line may be cut: a crash in the middle of writing it says that what it
 * announces was never sent.
 *
 * Each line has the properties that its kind has, of the right types. Whether they fit the description is looked at by
 * {@link checkLedger}. Further properties are those of a later version.
 *
 * @throws ConfigError `CONFIG_INVALID` when it is not a ledger of this version, or a line cannot be used
 */
export function readLedger(text: string, file: string): LedgerContent {
  const lines = text.split('\n').filter((line) => line !== '');
  const read = lines.map((line, index) => readLine(line, file, index + 1, lines.length));
  const [first, ...others] = read;
  if (first?.['kind'] !== 'run' || first['format'] !== LEDGER_FORMAT) {
    throw new ConfigError('CONFIG_INVALID', `${file} is not a ledger of this version`, {
      hint: `Its first line has "format":"${LEDGER_FORMAT}".`,
    });
  }
  requireProperties(first, START_PROPERTIES, `${file}:1`);
  others.forEach((line, index) => {
    if (line !== undefined) requireEntry(line, `${file}:${index + 2}`);
  });
  const places = new Map(read.map((line, index) => [line, `${file}:${index + 1}`]));
  // Each line has every property of its kind by now.
  const known = read.filter((line) => line !== undefined) as unknown as readonly LedgerEntry[];
  return {
    start: first as unknown as Start,
    entries: known,
    placeOf: (entry) => places.get(entry) ?? file,
  };
}

/** What a property must be. */
interface PropertyRule {
  /** Goes on after "Expected". */
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
  readonly isOptional?: boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const textRule: PropertyRule = { expected: 'a text', fits: isText };
const optionalTextRule: PropertyRule = { ...textRule, isOptional: true };
const optionalFlagRule: PropertyRule = {
  expected: 'true or false',
  fits: (value) => typeof value === 'boolean',
  isOptional: true,
};
const entryRule: PropertyRule = {
  expected: 'the number of an entry, 1 or more',
  fits: (value) => Number.isSafeInteger(value) && Number(value) > 0,
};

const sentRule: PropertyRule = {
  expected: 'a list of properties, each with its pointer and its digest',
  fits: areSentProperties,
  isOptional: true,
};

const START_PROPERTIES: Readonly<Record<string, PropertyRule>> = {
  // An id that is shorter stands in what others made by chance.
  runId: {
    expected: 'the id of a run, 8 hexadecimal digits',
    fits: (value) => typeof value === 'string' && /^[\da-f]{8,40}$/.test(value),
  },
  baseUrl: {
    expected: 'an http or https URL',
    fits: (value) => typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value),
  },
  description: textRule,
  startedAt: textRule,
  remote: optionalFlagRule,
};

const ENTRY_PROPERTIES = new Map<unknown, Readonly<Record<string, PropertyRule>>>([
  [
    'pending',
    {
      entry: entryRule,
      operation: textRule,
      path: textRule,
      marked: optionalFlagRule,
      leaves: optionalTextRule,
      auth: optionalTextRule,
      // A run that has nothing to tell its things by writes none.
      sent: { ...sentRule, fits: (value) => areSentProperties(value) && (value as unknown[]).length > 0 },
    },
  ],
  ['created', { entry: entryRule, item: optionalTextRule, mayBeOthers: optionalFlagRule, sent: sentRule }],
  ['refused', { entry: entryRule }],
  ['removed', { entry: entryRule }],
]);

function requireEntry(line: Line, place: string): void {
  const properties = ENTRY_PROPERTIES.get(line['kind']);
  if (properties === undefined) {
    throw invalidLedger(
      place,
      'kind',
      line['kind'],
      `${[...ENTRY_PROPERTIES.keys()].join(', ')} behind the first line`,
    );
  }
  requireProperties(line, properties, place);
}

function requireProperties(line: Line, properties: Readonly<Record<string, PropertyRule>>, place: string): void {
  for (const [name, { expected, fits, isOptional = false }] of Object.entries(properties)) {
    const value = Object.hasOwn(line, name) ? line[name] : undefined;
    if (!(value === undefined ? isOptional : fits(value))) throw invalidLedger(place, name, value, expected);
  }
}

function readLine(line: string, file: string, number: number, count: number): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && 'kind' in value) return value;
  } catch (error) {
    if (number === count && number > 1) return undefined;
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
    if (entry.kind === 'run') continue;
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

/** An item stands below the collection that made it; what is put stands where it was put. */
function requireItem(api: ApiModel, pending: Pending, item: string, place: string): void {
  const operation = ledgerOperation(api, pending, place);
  const isPost = operation.method === 'POST';
  const templates = isPost ? itemRoutesOf(api, operation).map(({ route }) => route.path) : [operation.path];
  const isItem = isPath(item) && isNormalized(item) && templates.some((template) => fitsTemplate(template, item));
  // A literal of another path, such as /books/all, is not an item; nor is one below another parent.
  const isThere = isPost || item === pending.path;
  if (isItem && isThere && routeOfItem(api, operation, pending.path, item) !== undefined) return;
  const expected =
    templates.length === 0 ? `none: ${operation.id} makes nothing with a path` : `a path of ${templates.join(' or ')}`;
  throw invalidLedger(place, 'item', item, expected);
}

function fitsTemplate(template: string, path: string): boolean {
  const parts = template.split(/\{[^{}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]*')}$`).test(path);
}

/** Without a query, and as it may stand in a request. */
function isPath(text: string): boolean {
  return /^\/[!"$->@-~]*$/.test(text);
}

/** Do all segments name something, and none a way up? */
function isNormalized(path: string): boolean {
  return splitPath(path).every((segment) => {
    const name = decodePathSegment(segment);
    return name !== undefined && !['', '.', '..'].includes(name);
  });
}

/**
 * Why a ledger is not acted on: what it names is removed, and a line that nobody wrote so could name anything.
 *
 * @param place - `run.ndjson:3`
 * @param value - `undefined` when the property is missing
 * @param expected - goes on after "Expected"
 */
function invalidLedger(place: string, name: string, value: unknown, expected: string): ConfigError {
  const found = value === undefined ? 'missing' : JSON.stringify(value);
  return new ConfigError('CONFIG_INVALID', `${place} cannot be used: ${name} is ${found}`, {
    hint: `Expected ${expected}. Nothing was sent. What standin verify wrote is taken as it is: do not edit a ledger.`,
  });
}
