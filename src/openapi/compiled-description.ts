import { isJsonObject, type JsonValue } from '../json/json-value';
import { parseJson } from '../json/parse-json';
import { stringifyJson } from '../json/stringify-json';
import type { Place, SourceDocument } from './source-document';

const FORMAT = 'compiled-description/1';
const MAX_DEPTH = 500;

/**
 * A description that was found valid, as JSON: reading it takes a fraction of the time that YAML, the official schema
 * and the lints take. It is kept under the hash of its source, so that an edited source never meets it.
 */
export function writeCompiledDescription(document: SourceDocument): string {
  return stringifyJson({ standin: FORMAT, root: document.root });
}

/**
 * @param placeOf - asked only when a place is to be shown; it may read the source then
 * @returns `undefined` when the text is in another version of the format
 */
export function readCompiledDescription(
  text: string,
  file: string,
  placeOf: (pointer: string) => Place | undefined,
): SourceDocument | undefined {
  const compiled: JsonValue = parseJson(text, { maxDepth: MAX_DEPTH });
  if (!isJsonObject(compiled) || compiled['standin'] !== FORMAT) return undefined;
  return { file, root: compiled['root'] ?? null, placeOf };
}
