import type { SourceFinding } from '../core/errors/standin-error';
import type { SourceDocument } from '../openapi/read/source-document';
import { decode, FormatDiagnostics } from './decode';

/** Version of the format, written in the file. */
const BASELINE_FORMAT = 'baseline/1';

/** A known finding that somebody is responsible for until a date. */
export interface BaselineEntry {
  /** Of the cause, as reports have it. */
  readonly fingerprint: string;
  /** Id of the one operation that it is accepted for; `undefined` for all with the fingerprint. */
  readonly operation: string | undefined;
  /** Id of the check. */
  readonly check: string;
  /** The message of the check when the entry was written: for readers only. */
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

/** The properties of an entry in a file, in the order in which they are written. */
const ENTRY_KEYS = ['fingerprint', 'operation', 'check', 'message', 'reason', 'owner', 'expires'] as const;

type WrittenEntry = Omit<BaselineEntry, 'place' | 'operation' | 'message'> &
  Partial<Pick<BaselineEntry, 'operation' | 'message'>>;

/**
 * Reads a baseline file.
 *
 * @param findings - gets what does not fit the format; with any of them the baseline is not to be used
 */
export function readBaseline(document: SourceDocument, findings: SourceFinding[]): Baseline {
  const errors = decode(document, 'baseline');
  findings.push(...errors);
  if (errors.length > 0) return { entries: [] };
  const { accepted } = document.root as unknown as { readonly accepted: readonly WrittenEntry[] };
  const diagnostics = new FormatDiagnostics(document, 'baseline-format');
  const places = new Map<string, string>();
  const entries = accepted.map((entry, index): BaselineEntry => {
    const { operation, message } = entry;
    const pointer = `/accepted/${index}`;
    const line = document.locationOf(pointer)?.line;
    const place = line === undefined ? document.file : `${document.file}:${line}`;
    const key = `${entry.fingerprint} ${operation ?? ''}`;
    const earlier = places.get(key);
    if (earlier === undefined) places.set(key, place);
    else diagnostics.add(pointer, 'The finding is accepted twice', `one entry; the other is ${earlier}`);
    return { ...entry, operation, message, place };
  });
  findings.push(...diagnostics.findings);
  return { entries };
}

/** A baseline as YAML, to be read, edited and committed. */
export function formatBaseline({ entries }: Baseline): string {
  const lines = entries.flatMap((entry) => {
    const properties = ENTRY_KEYS.flatMap((name) => {
      const value = entry[name];
      // A string of JSON is one of YAML. Quoted, a fingerprint of digits alone stays a string.
      return value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`];
    });
    return properties.map((property, index) => `${index === 0 ? '  - ' : '    '}${property}`);
  });
  const list = lines.length === 0 ? ['accepted: []'] : ['accepted:', ...lines];
  const head = '# Known findings: standin verify --baseline takes them as warnings until they expire.';
  return [head, `standin: ${BASELINE_FORMAT}`, ...list, ''].join('\n');
}
