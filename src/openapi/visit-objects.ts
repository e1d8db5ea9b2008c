import { joinPointer } from '../json/json-pointer';
import { isSchemaObject, type Direction } from '../json-schema/schema';
import { grammarOf, grammarVersionOf, type MemberShape, type ObjectKind } from './object-grammar';
import { referenceOf, type Located } from './references';
import type { SourceDocument } from './source-document';
import { items, member, members, rootOf } from './walk';

/** A place of the document where an object of a kind stands, or a reference to one. */
export interface VisitedObject {
  readonly kind: ObjectKind;
  readonly at: Located;
  /** The ways that values described here can travel. */
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
  const enter = (kind: ObjectKind, at: Located, around: readonly Direction[]): void => {
    const directions = DIRECTIONS[kind] ?? around;
    visit({ kind, at, directions });
    if (referenceOf(at.value) !== undefined && !(keepsSiblings && kind === 'schema')) return;
    if (!isSchemaObject(at.value)) return;
    for (const [name, value] of Object.entries(at.value)) {
      // Most members are words of the object itself: no place is made for what is not entered.
      const shape = typeof value === 'object' ? shapeOf(kind, name) : undefined;
      if (shape !== undefined) enterShape(shape, { value, pointer: joinPointer(at.pointer, name) }, directions);
    }
  };
  const shapeOf = (kind: ObjectKind, name: string): MemberShape | undefined => {
    if (Object.hasOwn(grammar[kind], name)) return grammar[kind][name];
    return name.startsWith('x-') ? undefined : maps[kind];
  };
  const enterShape = (shape: MemberShape, at: Located, directions: readonly Direction[]): void => {
    if (typeof shape === 'string') {
      // A schema may be a boolean; other values in the place of an object are another rule's concern.
      if (isSchemaObject(at.value)) enter(shape, at, directions);
    } else if ('each' in shape) {
      for (const child of members(at)) enter(shape.each, child, directions);
    } else {
      for (const child of items(at)) enter(shape[0], child, directions);
    }
  };
  enter('openapi', rootOf(document), ['request', 'response']);
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
