import type { SourceFinding } from '../errors/source-finding';
import { getAtPointer } from '../json/json-pointer';
import type { JsonValue } from '../json/json-value';

/** A place in a text file, both 1-based. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A part of a file. */
export interface Origin {
  readonly file: string;
  readonly pointer: string;
}

/**
 * What was read: its value with exact numbers, and where each part of it stands. Mostly one file; several that were put
 * together, and one that was converted, know the files that their parts are from.
 */
export interface SourceDocument {
  /** Path as the user gave it. */
  readonly file: string;
  readonly root: JsonValue;
  /** Is it known that every number in it is a `number`? */
  readonly isPlain?: boolean | undefined;
  /** What was forgiven while the text was read. */
  readonly findings?: readonly SourceFinding[] | undefined;
  /** Where the value at a JSON pointer stands; the nearest parent's place when it does not exist. */
  placeOf(pointer: string): Place | undefined;
  /** The file that a part was written in, and where; this file and the same pointer when absent. */
  originOf?(pointer: string): Origin;
}

/** File, line and column of what stands at a pointer, as far as they are known. */
export function placeAt(document: SourceDocument, pointer: string): { readonly file: string } & Partial<Place> {
  return { file: originAt(document, pointer).file, ...document.placeOf(pointer) };
}

/** The file that a part was written in, and where. */
export function originAt(document: SourceDocument, pointer: string): Origin {
  return document.originOf?.(pointer) ?? { file: document.file, pointer };
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
  return { severity: 'error', ...finding, ...originAt(document, pointer), ...document.placeOf(pointer) };
}
