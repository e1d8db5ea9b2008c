import type { SourceFinding } from '../core/errors/standin-error';
import { getAtPointer } from '../core/json/json-pointer';
import type { JsonValue } from '../core/json/json-value';
import type { SourceDocument } from '../openapi/read/source-document';
import { decode } from './decode';

/** Version of the format, written in the file. */
export const PACK_FORMAT = 'pack/1';

/** Name of the file that makes a folder a pack. */
export const PACK_FILE = 'pack.yaml';

/** On every finding about a pack. */
export const PACK_RULE = 'pack-format';

/** What the file of a pack says of it. */
export interface PackManifest {
  readonly name: string;
  /** What it is for, in a line. */
  readonly about: string;
  /** Titles of the descriptions that it suits. */
  readonly titles: readonly string[];
}

/**
 * Reads the `pack.yaml` of a pack.
 *
 * @param findings - gets what does not fit the format; with any of them the pack is not to be used
 */
export function readPack(document: SourceDocument, findings: SourceFinding[]): PackManifest {
  const errors = decode(document, 'pack');
  findings.push(...errors);
  const written = errors.length > 0 ? {} : (document.root as Partial<PackManifest>);
  return { name: '', about: '', titles: [], ...written };
}

/** The title that a description has, as it is compared with those of packs; `undefined` where it has none. */
export function titleOf(root: JsonValue): string | undefined {
  const title = getAtPointer(root, '/info/title');
  return typeof title === 'string' ? title.trim() : undefined;
}
