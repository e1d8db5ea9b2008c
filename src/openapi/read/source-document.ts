import type { SourceFinding } from '../../core/errors/standin-error';
import { getAtPointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import { isSchemaObject } from '../../schema/schema-object';

/** A place in a text file, both 1-based. */
export interface SourceLocation {
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
  locationOf(pointer: string): SourceLocation | undefined;
  /** The file that a part was written in, and where; this file and the same pointer when absent. */
  originOf?(pointer: string): Origin;
}

/** File, line and column of what stands at a pointer, as far as they are known. */
export function locationAt(
  document: SourceDocument,
  pointer: string,
): { readonly file: string } & Partial<SourceLocation> {
  return { file: originAt(document, pointer).file, ...document.locationOf(pointer) };
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
  return { severity: 'error', ...finding, ...originAt(document, pointer), ...document.locationOf(pointer) };
}

/** A feature set of OpenAPI: the patch digit makes no difference (OAS 3.0.3 "Versions"). */
export type OasVersion = '3.0' | '3.1' | '3.2';

/** Every version that is read, the oldest first. */
export const OAS_VERSIONS: readonly OasVersion[] = ['3.0', '3.1', '3.2'];

/** The version that a document was written for; 3.0 for one that does not say, such as the schemas of a test. */
export function oasVersionOf({ root }: Pick<SourceDocument, 'root'>): OasVersion {
  const declared = isSchemaObject(root) ? root['openapi'] : undefined;
  const minor = typeof declared === 'string' ? /^\d+\.\d+/.exec(declared)?.[0] : undefined;
  return OAS_VERSIONS.find((version) => version === minor) ?? '3.0';
}
