import { joinPointer } from '../json/json-pointer';
import type { JsonValue } from '../json/json-value';
import { isSchemaObject, type Direction } from '../json-schema/schema';
import { grammarOf, grammarVersionOf, type MemberShape, type ObjectKind } from './object-grammar';
import { referenceOf, type Located } from './references';
import type { SourceDocument } from './source-document';
import { items, member } from './walk';

/** A place of the document where an object of a kind stands, or a reference to one. */
export interface VisitedObject {
  readonly kind: ObjectKind;
  readonly at: Located;
  /** The ways that values described here can travel. */
  readonly directions: readonly Direction[];
  /** The kind of the object that holds it, directly or in a map or list; `undefined` for the document. */
  readonly within: ObjectKind | undefined;
}

/** What an object is entered from. */
interface Around {
  readonly kind: ObjectKind | undefined;
  readonly directions: readonly Direction[];
}

/** Which way the values travel that an object describes; what is in none of these can travel both ways. */
const DIRECTIONS: Readonly<Partial<Record<ObjectKind, readonly Direction[]>>> = {
  parameter: ['request'],
  requestBody: ['request'],
  response: ['response'],
};

/**
 * Visits every object of a document where it stands, parents first, in the document's order. References are visited
 * and not followed, so that everything is visited once; data and extensions are not visited at all.
 */
export function visitObjects(document: SourceDocument, visit: (visited: VisitedObject) => void): void {
  const { members: grammar, patterned: maps, keepsSiblings } = grammarOf(grammarVersionOf(document));
  const enter = (kind: ObjectKind, value: JsonValue, pointer: string, around: Around): void => {
    const directions = DIRECTIONS[kind] ?? around.directions;
    const visited = { kind, at: { value, pointer }, directions, within: around.kind };
    visit(visited);
    if (!isSchemaObject(value) || (referenceOf(value) !== undefined && !(keepsSiblings && kind === 'schema'))) return;
    const named = grammar[kind];
    const others = maps[kind];
    for (const name of Object.keys(value)) {
      const child = value[name];
      // Most members are words of the object itself: no place is made for what is not entered.
      if (typeof child !== 'object') continue;
      const shape = Object.hasOwn(named, name) ? named[name] : name.startsWith('x-') ? undefined : others;
      if (shape !== undefined) enterShape(shape, child, joinPointer(pointer, name), visited);
    }
  };
  const enterShape = (shape: MemberShape, value: JsonValue, pointer: string, around: Around): void => {
    if (typeof shape === 'string') {
      // A schema may be a boolean; other values in the place of an object are another rule's concern.
      if (isSchemaObject(value)) enter(shape, value, pointer, around);
    } else if ('each' in shape) {
      if (!isSchemaObject(value)) return;
      for (const name of Object.keys(value)) enter(shape.each, value[name] ?? null, joinPointer(pointer, name), around);
    } else if (Array.isArray(value)) {
      for (const [index, child] of value.entries()) enter(shape[0], child, joinPointer(pointer, index), around);
    } else if (isSchemaObject(value) && referenceOf(value) !== undefined) {
      // A reference in the place of a list, as one in the place of a map: visited as a member that is a text.
      enter(shape[0], value['$ref'] ?? null, joinPointer(pointer, '$ref'), around);
    }
  };
  enter('openapi', document.root, '', { kind: undefined, directions: ['request', 'response'] });
}

/** Every object of a document, for those who look at all of them more than once. */
export function visitedObjects(document: SourceDocument): VisitedObject[] {
  const objects: VisitedObject[] = [];
  visitObjects(document, (visited) => {
    objects.push(visited);
  });
  return objects;
}

/** The examples that stand in a schema itself: `example`, and from 3.1 on the list `examples`. */
export function ownExamples({ at, kind }: VisitedObject, keepsSiblings: boolean): Located[] {
  if (kind !== 'schema' || (referenceOf(at.value) !== undefined && !keepsSiblings)) return [];
  const single = member(at, 'example');
  const list = keepsSiblings ? items(member(at, 'examples')) : [];
  return single === undefined ? list : [single, ...list];
}
