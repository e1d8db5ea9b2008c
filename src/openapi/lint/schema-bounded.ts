import type { JsonValue } from '../../core/json/json-value';
import { isSchemaObject } from '../../schema/schema-object';
import { fieldOf, fieldsOf, itemsOf, localPointer, type Located, referenceOf } from '../read/references';
import { valueAt, type SourceDocument } from '../read/source-document';
import type { Lint } from './lint';

/** Schemas that one value may be checked against. The largest unions of published descriptions have some thousands. */
const MAX_SCHEMAS = 20_000;

/**
 * No value has to be checked against very many schemas: an `allOf` of two references, each of them to such an `allOf`
 * again, doubles their number with each level.
 */
export const schemaBounded: Lint = {
  id: 'schema-bounded',
  source: 'OAS 3.1.1 §4.8.24 Schema Object; JSON Schema 2020-12 Core §10.2',
  severity: 'error',
  run({ document, objects }) {
    const counts = new Map<string, number>();
    const schemas = objects.filter(({ kind }) => kind === 'schema').map(({ at }) => at);
    return schemas.flatMap((at) => {
      const parts = partsOf(document, at).map((part) => countSchemas(document, part, counts));
      // Reported where it begins, and not again where it is referred to.
      if (sumOf(parts) < MAX_SCHEMAS || parts.some((count) => count >= MAX_SCHEMAS)) return [];
      const message = `Each value would be checked against more than ${MAX_SCHEMAS} schemas`;
      return [{ pointer: at.pointer, message, hint: 'Refer to each schema once in allOf, anyOf and oneOf.' }];
    });
  },
};

function countSchemas(document: SourceDocument, schema: Located, counts: Map<string, number>): number {
  const known = counts.get(schema.pointer);
  if (known !== undefined) return known;
  // A circle is reported by other rules, and ends here.
  counts.set(schema.pointer, 1);
  const parts = partsOf(document, schema).map((part) => countSchemas(document, part, counts));
  const count = Math.min(MAX_SCHEMAS, 1 + sumOf(parts));
  counts.set(schema.pointer, count);
  return count;
}

const LISTS = ['allOf', 'anyOf', 'oneOf'] as const;
const SINGLE = ['not', 'if', 'then', 'else'] as const;

/** Takes the parts of a schema away, in place: what follows every one of them would not end in any useful time. */
export function cutSchema(schema: JsonValue): void {
  if (!isSchemaObject(schema)) return;
  for (const name of [...LISTS, ...SINGLE, 'dependentSchemas', '$ref']) Reflect.deleteProperty(schema, name);
}

/** The schemas that the same value is checked against. */
function partsOf(document: SourceDocument, schema: Located): Located[] {
  const lists = LISTS.flatMap((name) => itemsOf(fieldOf(schema, name)));
  const single = SINGLE.flatMap((name) => fieldOf(schema, name) ?? []);
  const dependent = fieldsOf(fieldOf(schema, 'dependentSchemas'));
  const pointer = localPointer(referenceOf(schema.value) ?? '');
  const value = pointer === undefined ? undefined : valueAt(document, pointer);
  const target = pointer === undefined || value === undefined ? [] : [{ pointer, value }];
  return [...lists, ...single, ...dependent, ...target].filter((part) => isSchemaObject(part.value));
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
