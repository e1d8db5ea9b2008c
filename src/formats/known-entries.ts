import { joinPointer } from '../json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import type { ApiModel } from '../openapi/model';
import type { SourceDocument } from '../openapi/source-document';
import { knownPaths, operationNamed } from './overrides';

/** An entry of overrides about what a description does not have. */
export interface UnknownEntry {
  readonly pointer: string;
  /** For people: `path /things`. */
  readonly name: string;
}

/** Overrides without what they say of paths and operations that a description does not have. */
export function entriesKnown(
  document: SourceDocument,
  api: ApiModel,
): { readonly document: SourceDocument; readonly unknown: readonly UnknownEntry[] } {
  const { root } = document;
  if (!isJsonObject(root)) return { document, unknown: [] };
  const paths = new Set(knownPaths(api));
  const unknown: UnknownEntry[] = [];
  const keep = (section: string, kind: string, isKnown: (name: string) => boolean): JsonObject => {
    const map: JsonValue | undefined = root[section];
    if (!isJsonObject(map)) return {};
    const entries = Object.entries(map).filter(([name]) => {
      if (isKnown(name)) return true;
      unknown.push({ pointer: joinPointer(`/${section}`, name), name: `${kind} ${name}` });
      return false;
    });
    return { [section]: Object.fromEntries(entries) };
  };
  const known = {
    ...root,
    ...keep('resources', 'path', (name) => paths.has(name)),
    ...keep('operations', 'operation', (name) => operationNamed(api, name) !== undefined),
  };
  return { document: { ...document, root: known, placeOf: (pointer) => document.placeOf(pointer) }, unknown };
}
