import fc from 'fast-check';
import type { Item } from '../../src/mock/state/item';
import { ABSENT, type Key, type SortValue } from '../../src/lists/sort-values';
import { toResources, type Resource } from '../../src/mock/state/prepared-resource';
import type { ApiModel } from '../../src/openapi/model/api-model';
import { inferResourceModel } from '../../src/resources/infer-resource-model';
import { loadText } from '../openapi/load-text';

function crud(key: string, name: string): string {
  const schema = `{ $ref: '#/components/schemas/${name}' }`;
  const content = `{ application/json: { schema: ${schema} } }`;
  return `
    get:
      operationId: list${name}s
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { type: array, items: ${schema} } } }
    post:
      operationId: create${name}
      requestBody: { required: true, content: ${content} }
      responses: { '201': { description: ok, content: ${content} } }
  /${name.toLowerCase()}s/{${key}}:
    parameters: [{ name: ${key}, in: path, required: true, schema: {} }]
    get: { operationId: read${name}, responses: { '200': { description: ok, content: ${content} } } }
    delete: { operationId: delete${name}, responses: { '204': { description: ok } } }`;
}

/** A description with two collections: `/books` with numbers as keys, `/authors` with texts. */
export const LIBRARY: ApiModel = loadText(`openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths:
  /books:${crud('id', 'Book')}
  /authors:${crud('name', 'Author')}
components:
  schemas:
    Book:
      type: object
      required: [id, title]
      properties:
        id: { type: integer, format: int64, minimum: 1 }
        title: { type: string, maxLength: 20 }
        authorName: { type: string, nullable: true }
        year: { type: integer }
        price: { type: number }
        isLent: { type: boolean }
        lentAt: { type: string, format: date-time }
    Author:
      type: object
      required: [name]
      properties: { name: { type: string }, mentorName: { type: string } }
`).api;

export const RESOURCES: readonly Resource[] = toResources(LIBRARY, inferResourceModel(LIBRARY));
export const BOOKS: Resource = RESOURCES.find(({ path }) => path === '/books')!;
export const AUTHORS: Resource = RESOURCES.find(({ path }) => path === '/authors')!;

/** Keys of all kinds, few enough to meet again. */
export const anyKey: fc.Arbitrary<Key> = fc.oneof(
  fc.integer({ min: 1, max: 12 }),
  fc.constantFrom(9007199254740992n, 9007199254740993n, 9223372036854775807n),
  fc.constantFrom('', 'a', 'b', 'A', '10', '9', '\uff5e', '😀', '__proto__'),
);

/** What stands in a member; `undefined` where the item lacks it. */
export type Member = Exclude<SortValue, typeof ABSENT> | undefined;

/** Values of a member, or none; few enough to be shared by several items. */
export const anyMember: fc.Arbitrary<Member> = fc.constantFrom(
  undefined,
  null,
  false,
  true,
  0,
  1,
  -1.5,
  9007199254740993n,
  '',
  'a',
  'b',
  '\uff5e',
  '😀',
);

/** The same values as an index has them. */
export const anySortValue: fc.Arbitrary<SortValue> = anyMember.map((value) => (value === undefined ? ABSENT : value));

/** The order of sort values, said as plainly as possible: kind first, then size or code points. */
export function naiveOrder(left: SortValue, right: SortValue): number {
  const byKind = kindOf(left) - kindOf(right);
  if (byKind !== 0 || left === null || left === ABSENT || right === null || right === ABSENT) return byKind;
  if (typeof left === 'string' && typeof right === 'string') return naiveTextOrder(left, right);
  return left < right ? -1 : left > right ? 1 : 0;
}

function kindOf(value: SortValue): number {
  return [['number', 'bigint'], ['string'], ['boolean'], ['object'], ['symbol']].findIndex((names) => {
    return names.includes(typeof value);
  });
}

function naiveTextOrder(left: string, right: string): number {
  const codePoints = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0)!);
  const [a, b] = [codePoints(left), codePoints(right)];
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? -1) - (b[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Members that are there: the store holds no `undefined`. */
export function itemOf(members: Readonly<Record<string, Member>>): Item {
  return Object.freeze(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))) as Item;
}
