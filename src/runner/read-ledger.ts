import { ConfigError } from '../errors/harness-error';
import { LEDGER_FORMAT, type LedgerEntry } from './ledger';
import { ledgerFault } from './ledger-fault';
import { areSentMembers } from './sent-members';

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
 * Each line has the members that its kind has, of the right types. Whether they fit the description is looked at by
 * {@link checkLedger}. Further members are those of a later version.
 *
 * @throws ConfigError `CONFIG_INVALID` when it is no ledger of this version, or a line cannot be used
 */
export function readLedger(text: string, file: string): LedgerContent {
  const lines = text.split('\n').filter((line) => line !== '');
  const read = lines.map((line, index) => readLine(line, file, index + 1, lines.length));
  const [first, ...others] = read;
  if (first?.['kind'] !== 'run' || first['format'] !== LEDGER_FORMAT) {
    throw new ConfigError('CONFIG_INVALID', `${file} is no ledger of this version`, {
      hint: `Its first line has "format":"${LEDGER_FORMAT}".`,
    });
  }
  requireMembers(first, START_MEMBERS, `${file}:1`);
  others.forEach((line, index) => {
    if (line !== undefined) requireEntry(line, `${file}:${index + 2}`);
  });
  const places = new Map(read.map((line, index) => [line, `${file}:${index + 1}`]));
  // Each line has every member of its kind by now.
  const known = read.filter((line) => line !== undefined) as unknown as readonly LedgerEntry[];
  return {
    start: first as unknown as Start,
    entries: known,
    placeOf: (entry) => places.get(entry) ?? file,
  };
}

/** What a member must be. */
interface Member {
  /** Goes on after "Expected". */
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
  readonly isOptional?: boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const text: Member = { expected: 'a text', fits: isText };
const optionalText: Member = { ...text, isOptional: true };
const optionalFlag: Member = {
  expected: 'true or false',
  fits: (value) => typeof value === 'boolean',
  isOptional: true,
};
const entry: Member = {
  expected: 'the number of an entry, 1 or more',
  fits: (value) => Number.isSafeInteger(value) && Number(value) > 0,
};

const sent: Member = {
  expected: 'a list of members, each with its pointer and its digest',
  fits: areSentMembers,
  isOptional: true,
};

const START_MEMBERS: Readonly<Record<string, Member>> = {
  // An id that is shorter stands in what others made by chance.
  runId: {
    expected: 'the id of a run, 8 hexadecimal digits',
    fits: (value) => typeof value === 'string' && /^[\da-f]{8,40}$/.test(value),
  },
  baseUrl: {
    expected: 'an http or https URL',
    fits: (value) => typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value),
  },
  description: text,
  startedAt: text,
  remote: optionalFlag,
};

const ENTRY_MEMBERS = new Map<unknown, Readonly<Record<string, Member>>>([
  [
    'pending',
    {
      entry,
      operation: text,
      path: text,
      marked: optionalFlag,
      leaves: optionalText,
      auth: optionalText,
      // A run that has nothing to tell its things by writes none.
      sent: { ...sent, fits: (value) => areSentMembers(value) && (value as unknown[]).length > 0 },
    },
  ],
  ['created', { entry, item: optionalText, mayBeOthers: optionalFlag, sent }],
  ['refused', { entry }],
  ['removed', { entry }],
]);

function requireEntry(line: Line, place: string): void {
  const members = ENTRY_MEMBERS.get(line['kind']);
  if (members === undefined) {
    throw ledgerFault(place, 'kind', line['kind'], `${[...ENTRY_MEMBERS.keys()].join(', ')} behind the first line`);
  }
  requireMembers(line, members, place);
}

function requireMembers(line: Line, members: Readonly<Record<string, Member>>, place: string): void {
  for (const [name, { expected, fits, isOptional = false }] of Object.entries(members)) {
    const value = Object.hasOwn(line, name) ? line[name] : undefined;
    if (!(value === undefined ? isOptional : fits(value))) throw ledgerFault(place, name, value, expected);
  }
}

function readLine(line: string, file: string, number: number, count: number): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && 'kind' in value) return value;
  } catch (error) {
    if (number === count && number > 1) return undefined;
    throw noLine(file, number, error);
  }
  throw noLine(file, number);
}

function noLine(file: string, number: number, cause?: unknown): ConfigError {
  return new ConfigError('CONFIG_INVALID', `${file}:${number} is no line of a ledger`, {
    hint: 'standin verify writes ledgers, one line of JSON for each entry: standin-ledger-RUN.ndjson.',
    cause,
  });
}
