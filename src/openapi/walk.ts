import { joinPointer } from '../json/json-pointer';
import type { JsonValue } from '../json/json-value';
import { isSchemaObject } from '../json-schema/schema';
import { oasVersionOf } from './oas-version';
import { resolveObject, type Located, type LocatedObject } from './references';
import type { SourceDocument } from './source-document';

/** The methods of a Path Item Object (OAS 3.0.3 §4.7.9), in the order people read them. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** An Operation Object before anything was made of it. */
export interface RawOperation {
  /** Path template as written. */
  readonly path: string;
  /** Upper case. */
  readonly method: string;
  readonly operation: LocatedObject;
  /** Does it stand under `additionalOperations` (OAS 3.2.0 §4.9)? */
  readonly isAdditional: boolean;
  readonly pathItem: LocatedObject;
}

/** The member of an object, with its pointer. Own members only. */
export function member(parent: Located, name: string): Located | undefined {
  if (!isSchemaObject(parent.value) || !Object.hasOwn(parent.value, name)) return undefined;
  const value = parent.value[name];
  return value === undefined ? undefined : { value, pointer: joinPointer(parent.pointer, name) };
}

/** The member behind any references, when it is an object. */
export function objectMember(document: SourceDocument, parent: Located, name: string): LocatedObject | undefined {
  const found = member(parent, name);
  return found === undefined ? undefined : resolveObject(document, found);
}

/** Every member of a map, with its name and pointer. */
export function members(parent: Located | undefined): (Located & { readonly name: string })[] {
  if (parent === undefined || !isSchemaObject(parent.value)) return [];
  return Object.entries(parent.value).map(([name, value]) => ({
    name,
    value,
    pointer: joinPointer(parent.pointer, name),
  }));
}

/** Every item of a list, with its pointer. */
export function items(parent: Located | undefined): Located[] {
  if (parent === undefined || !Array.isArray(parent.value)) return [];
  return parent.value.map((value, index) => ({
    value,
    pointer: joinPointer(parent.pointer, String(index)),
  }));
}

export function rootOf(document: SourceDocument): Located {
  return { value: document.root, pointer: '' };
}

/** Every operation, in document order of the paths. */
export function rawOperations(document: SourceDocument): RawOperation[] {
  const hasQuery = oasVersionOf(document) === '3.2';
  return members(member(rootOf(document), 'paths')).flatMap(({ name: path, ...located }) => {
    const pathItem = path.startsWith('/') ? resolveObject(document, located) : undefined;
    if (pathItem === undefined) return [];
    const named = (hasQuery ? [...METHODS, 'query'] : METHODS).map(
      (method) => [method.toUpperCase(), objectMember(document, pathItem, method), false] as const,
    );
    // OAS 3.2.0 §4.9: other methods stand there as they are sent.
    const others = hasQuery ? members(member(pathItem, 'additionalOperations')) : [];
    const added = others.map(({ name, ...at }) => [name, resolveObject(document, at), true] as const);
    return [...named, ...added].flatMap(([method, operation, isAdditional]) =>
      operation === undefined ? [] : [{ path, method, operation, pathItem, isAdditional }],
    );
  });
}

/** Parameters of an operation with those of its path item, the operation's own winning (OAS 3.0.3 §4.7.9). */
export function rawParameters(document: SourceDocument, { operation, pathItem }: RawOperation): LocatedObject[] {
  const byIdentity = new Map<string, LocatedObject>();
  for (const owner of [pathItem, operation]) {
    for (const item of items(member(owner, 'parameters'))) {
      const parameter = resolveObject(document, item);
      if (parameter === undefined) continue;
      const { name, in: location } = parameter.value;
      byIdentity.set(JSON.stringify([textOr(location, ''), textOr(name, '')]), parameter);
    }
  }
  return [...byIdentity.values()];
}

/** The text of a member, for messages and look-ups; `fallback` for anything that is no text. */
export function textOr(value: JsonValue | undefined, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}
