import type { JsonValue } from '../../json/json-value';
import { isSchemaObject } from '../../json-schema/schema';
import type { Mend } from './mend';

/** Keywords that say nothing of what a value is. */
const NOTES: ReadonlySet<string> = new Set([
  ...['title', 'description', 'example', 'nullable', 'readOnly', 'writeOnly', 'deprecated', 'externalDocs', 'xml'],
]);

/**
 * `items` with several schemas, and nothing else, not even a type: Swagger 2.0 has no `anyOf`, and descriptions that were
 * made in it, or moved from it, say a choice so. As it is written it would allow anything that is no list.
 */
export const choiceOfItems: Mend = ({ kind, value, version, tell, rename, set }) => {
  if (kind !== 'schema' || (version !== '2.0' && version !== '3.0')) return;
  const branches = branchesOf(value['items']);
  const isAlone = Object.keys(value).every((name) => name === 'items' || NOTES.has(name) || name.startsWith('x-'));
  if (branches === undefined || !isAlone) return;
  tell('items', {
    message: 'A schema of nothing but several schemas of "items" is read as the choice between them',
    hint: 'Write anyOf in the place of items, or type: array beside it.',
  });
  rename('items', 'anyOf');
  set('anyOf', branches);
};

function branchesOf(items: JsonValue | undefined): JsonValue[] | undefined {
  if (Array.isArray(items)) return items.length > 1 ? items : undefined;
  const [entry, ...more] = isSchemaObject(items) ? Object.entries(items) : [];
  if (entry === undefined || more.length > 0 || !['anyOf', 'oneOf'].includes(entry[0])) return undefined;
  return branchesOf(Array.isArray(entry[1]) ? entry[1] : undefined);
}
