import type { SourceFinding } from '../errors/source-finding';
import type { SourceDocument } from '../openapi/source-document';
import { isRfc3339Date } from '../time/date-time';
import { FormatJudge, MemberReader, type PlacedValue } from './member-reader';

/** Version of the format, written in the file. */
export const BASELINE_FORMAT = 'baseline/1';

/** A known finding that somebody answers for until a day. */
export interface BaselineEntry {
  /** Of the cause, as reports have it. */
  readonly fingerprint: string;
  /** Id of the one operation that it is accepted for; `undefined` for all that the fingerprint is met at. */
  readonly operation: string | undefined;
  /** Id of the check. */
  readonly check: string;
  /** What the check said when the entry was made: for readers alone. */
  readonly message: string | undefined;
  readonly reason: string;
  readonly owner: string;
  /** The last day that it is accepted on, `YYYY-MM-DD`. */
  readonly expires: string;
  /** `file:line` of the entry; `undefined` for one that was not read from a file. */
  readonly place: string | undefined;
}

export interface Baseline {
  readonly entries: readonly BaselineEntry[];
}

const MEMBERS = ['standin', 'accepted'];
const ENTRY_MEMBERS = ['fingerprint', 'operation', 'check', 'message', 'reason', 'owner', 'expires'];
const FINGERPRINT = /^[0-9a-f]{12}$/;

/**
 * Reads a baseline file.
 *
 * @param findings - gets what does not fit the format; with any of them the baseline is not to be used
 */
export function readBaseline(document: SourceDocument, findings: SourceFinding[]): Baseline {
  const judge = new FormatJudge(document, 'baseline-format');
  const entries = readEntries(document, judge);
  findings.push(...judge.findings);
  return { entries };
}

function readEntries(document: SourceDocument, judge: FormatJudge): BaselineEntry[] {
  const members = MemberReader.open({ value: document.root, pointer: '' }, 'baseline', MEMBERS, judge);
  if (members === undefined) return [];
  if (members.value('standin') !== BASELINE_FORMAT) {
    members.refuse('standin', `standin: ${BASELINE_FORMAT}`);
    return [];
  }
  if (!members.has('accepted')) members.refuse('accepted', 'a list of findings, or []');
  const entries = members.list('accepted').map((item) => ({ item, entry: readEntry(item, document, judge) }));
  const seen = new Map<string, string>();
  for (const { item, entry } of entries) {
    if (entry === undefined) continue;
    const key = `${entry.fingerprint} ${entry.operation ?? ''}`;
    const earlier = seen.get(key);
    if (earlier !== undefined)
      judge.refuse(item.pointer, 'The finding is accepted twice', `one entry; the other is ${earlier}`);
    else seen.set(key, entry.place ?? 'above');
  }
  return entries.flatMap(({ entry }) => entry ?? []);
}

const REQUIRED = {
  fingerprint: 'the fingerprint of the finding, which every report has',
  check: 'the id of the check',
  reason: 'why it is accepted',
  owner: 'who answers for it',
  expires: 'the last day it is accepted on, such as 2030-12-31',
} as const;

function readEntry(item: PlacedValue, document: SourceDocument, judge: FormatJudge): BaselineEntry | undefined {
  const members = MemberReader.open(item, 'accepted finding', ENTRY_MEMBERS, judge);
  if (members === undefined) return undefined;
  const texts = Object.entries(REQUIRED).flatMap(([name, expected]) => {
    if (!members.has(name)) members.refuse(name, expected);
    const text = members.text(name);
    return text === undefined ? [] : [[name, text] as const];
  });
  const required = Object.fromEntries(texts) as Partial<Record<keyof typeof REQUIRED, string>>;
  const { fingerprint, check, reason, owner, expires } = required;
  refuseUnusable(members, fingerprint, expires);
  const [operation, message] = [members.text('operation'), members.text('message')];
  if (fingerprint === undefined || check === undefined || reason === undefined) return undefined;
  if (owner === undefined || expires === undefined) return undefined;
  const line = document.placeOf(item.pointer)?.line;
  const place = line === undefined ? document.file : `${document.file}:${line}`;
  return { fingerprint, operation, check, message, reason, owner, expires, place };
}

function refuseUnusable(members: MemberReader, fingerprint: string | undefined, expires: string | undefined): void {
  if (fingerprint !== undefined && !FINGERPRINT.test(fingerprint))
    members.refuse('fingerprint', 'twelve digits and letters from a to f', 'Copy it from a report, and quote it.');
  if (expires !== undefined && !isRfc3339Date(expires))
    members.refuse('expires', 'a date such as 2030-12-31', 'Nothing is accepted for ever: choose a day to look again.');
}

/** A baseline as YAML, to be read, edited and committed. */
export function formatBaseline({ entries }: Baseline): string {
  const lines = entries.flatMap((entry) => {
    const members = ENTRY_MEMBERS.flatMap((name) => {
      const value = entry[name as keyof BaselineEntry];
      // A string of JSON is one of YAML. Quoted, a fingerprint of digits alone stays a string.
      return value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`];
    });
    return members.map((member, index) => `${index === 0 ? '  - ' : '    '}${member}`);
  });
  const list = lines.length === 0 ? ['accepted: []'] : ['accepted:', ...lines];
  const head = '# Known findings: standin verify --baseline takes them as warnings until they expire.';
  return [head, `standin: ${BASELINE_FORMAT}`, ...list, ''].join('\n');
}
