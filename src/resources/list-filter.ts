import type { Parameter, Property } from '../openapi/model';
import { foldedName, singular, wordsOf } from './inflection';
import type { ListFilter } from './resource-model';
import { typesOf, type SchemaReader } from './schema-reader';

type Operator = ListFilter['operator'];

/** Words before or after a member's name that make a range of it. */
const RANGES: Readonly<Record<string, Operator>> = {
  min: 'at-least',
  minimum: 'at-least',
  gte: 'at-least',
  ge: 'at-least',
  from: 'at-least',
  since: 'at-least',
  max: 'at-most',
  maximum: 'at-most',
  lte: 'at-most',
  le: 'at-most',
  to: 'at-most',
  until: 'at-most',
  gt: 'more-than',
  after: 'more-than',
  lt: 'less-than',
  before: 'less-than',
  startswith: 'prefix',
  prefix: 'prefix',
  eq: 'equal',
  in: 'equal',
};
/** Words around a member's name that change nothing. */
const PLAIN = new Set(['filter', 'filters', 'by', 'where']);
/** Members that times are often called by: `created_after` means `createdAt`. */
const TIME_ENDINGS = ['', 'at', 'on', 'date', 'time', 'datetime', 'timestamp'];
/** Members by which an embedded object is chosen. */
const NESTED_KEYS = ['id', 'uuid', 'key', 'code', 'slug', 'login', 'username', 'name'];

/** What a parameter asks of the items, or why it asks nothing. */
export function filterOf(
  parameter: Parameter,
  members: ReadonlyMap<string, Property>,
  reader: SchemaReader,
  thing: string,
): ListFilter | { readonly reason: string } {
  if (typesOf(parameter.schema?.value ?? {}).includes('object'))
    return { reason: 'its value is an object, which is compared with nothing' };
  const exact = members.get(parameter.name);
  if (exact !== undefined) return filterBy(parameter, exact, reader, 'equal');
  const words = wordsOf(parameter.name).filter((word) => !PLAIN.has(word));
  const name = words.map((word, index) => (index === words.length - 1 ? singular(word) : word)).join('');
  const same = memberNamed(members, [name]);
  if (same !== undefined) return filterBy(parameter, same, reader, 'equal');
  const ranged = rangeOf(words, members);
  if (ranged !== undefined) return filterBy(parameter, ranged.property, reader, ranged.operator);
  // `ownerId` where the owner is embedded.
  const base = words.at(-1) === 'id' || words.at(-1) === 'ids' ? words.slice(0, -1).join('') : undefined;
  const owner = base === undefined ? undefined : memberNamed(members, [base]);
  if (owner !== undefined) return filterBy(parameter, owner, reader, 'equal');
  return { reason: `${thing} has no member of this name, and none that it is a range of` };
}

function memberNamed(members: ReadonlyMap<string, Property>, names: readonly string[]): Property | undefined {
  return [...members.values()].find((property) => names.includes(foldedName(property.name)));
}

function rangeOf(
  words: readonly string[],
  members: ReadonlyMap<string, Property>,
): { readonly property: Property; readonly operator: Operator } | undefined {
  const [first = '', last = ''] = [words[0], words.at(-1)];
  for (const [mark, rest] of [
    [first, words.slice(1)],
    [last, words.slice(0, -1)],
  ] as const) {
    const operator = Object.hasOwn(RANGES, mark) ? RANGES[mark] : undefined;
    if (operator === undefined) continue;
    const base = rest.length === 0 ? ['updated', 'created', 'date', 'timestamp', 'time'] : [rest.join('')];
    const names = base.flatMap((stem) => TIME_ENDINGS.map((ending) => `${stem}${ending}`));
    for (const name of names) {
      const property = memberNamed(members, [name]);
      if (property !== undefined && (operator === 'prefix' || operator === 'equal' || isOrdered(property)))
        return { property, operator };
    }
  }
  return undefined;
}

function isOrdered({ schema }: Property): boolean {
  const types = typesOf(schema);
  if (types.includes('integer') || types.includes('number')) return true;
  return (
    types.includes('string') &&
    ['date', 'date-time', 'time'].includes(typeof schema['format'] === 'string' ? schema['format'] : '')
  );
}

function filterBy(
  parameter: Parameter,
  property: Property,
  reader: SchemaReader,
  operator: Operator,
): ListFilter | { readonly reason: string } {
  const { name: member } = property;
  const schema = reader.member(property);
  const items = schema === undefined ? undefined : reader.items(schema);
  const compared = items ?? schema;
  const isList = items !== undefined;
  if (compared !== undefined && reader.members(compared).size > 0) {
    const inner = NESTED_KEYS.map((name) => reader.members(compared).get(name)).find(
      (candidate) => candidate !== undefined && canEqual(parameter, candidate.schema),
    );
    if (inner === undefined)
      return { reason: `the member "${member}" is an object in which nothing can be compared with it` };
    return { parameter, member, within: [inner.name], operator: isList ? 'contains' : operator };
  }
  if (compared !== undefined && !canEqual(parameter, compared.value))
    return { reason: `it has another type than the member "${member}"` };
  return { parameter, member, within: [], operator: isList && operator === 'equal' ? 'contains' : operator };
}

/** Can a value of the parameter ever equal one of the schema? */
function canEqual({ schema, items }: Parameter, other: Property['schema']): boolean {
  const sent = typesOf(items ?? schema?.value ?? {});
  const kept = typesOf(other);
  if (sent.length === 0 || kept.length === 0) return true;
  const numeric = (types: readonly string[]): boolean => types.includes('integer') || types.includes('number');
  return sent.some((type) => kept.includes(type)) || (numeric(sent) && numeric(kept));
}
