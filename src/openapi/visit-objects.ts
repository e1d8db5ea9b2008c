import { isSchemaObject, type Direction } from '../json-schema/schema';
import { MEMBERS, PATTERNED_MEMBERS, type MemberShape, type ObjectKind } from './object-grammar';
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
  const enter = (kind: ObjectKind, at: Located, around: readonly Direction[]): void => {
    const directions = DIRECTIONS[kind] ?? around;
    visit({ kind, at, directions });
    // OAS 3.0.3 §4.7.23: what stands beside a `$ref` is ignored.
    if (referenceOf(at.value) !== undefined) return;
    const patterned = PATTERNED_MEMBERS[kind];
    for (const { name, ...child } of members(at)) {
      const shape = Object.hasOwn(MEMBERS[kind], name) ? MEMBERS[kind][name] : undefined;
      if (shape !== undefined) enterShape(shape, child, directions);
      else if (patterned !== undefined && !name.startsWith('x-')) enter(patterned, child, directions);
    }
  };
  const enterShape = (shape: MemberShape, at: Located, directions: readonly Direction[]): void => {
    if (typeof shape === 'string') {
      // `additionalProperties` may be a boolean; other values in the place of an object are another rule's concern.
      if (isSchemaObject(at.value)) enter(shape, at, directions);
    } else if ('each' in shape) {
      for (const child of members(at)) enter(shape.each, child, directions);
    } else {
      for (const child of items(at)) enter(shape[0], child, directions);
    }
  };
  enter('openapi', rootOf(document), ['request', 'response']);
}

/** The example that stands in a schema itself. */
export function ownExample({ at, kind }: VisitedObject): Located | undefined {
  return kind === 'schema' && referenceOf(at.value) === undefined ? member(at, 'example') : undefined;
}
