import type { SourceFinding } from '../errors/source-finding';
import { getAtPointer } from '../json/json-pointer';
import type { JsonValue } from '../json/json-value';

/** A place in a text file, both 1-based. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** One file that was read: its value with exact numbers, and where each part of it stands. */
export interface SourceDocument {
  /** Path as the user gave it. */
  readonly file: string;
  readonly root: JsonValue;
  /** Where the value at a JSON pointer stands; the nearest parent's place when it does not exist. */
  placeOf(pointer: string): Place | undefined;
}

export function valueAt(document: SourceDocument, pointer: string): JsonValue | undefined {
  return getAtPointer(document.root, pointer);
}

/** A finding about a pointer of a document, with its place looked up. */
export function findingAt(
  document: SourceDocument,
  pointer: string,
  finding: Pick<SourceFinding, 'rule' | 'message' | 'expected' | 'hint'> & { severity?: SourceFinding['severity'] },
): SourceFinding {
  return { severity: 'error', ...finding, file: document.file, pointer, ...document.placeOf(pointer) };
}
