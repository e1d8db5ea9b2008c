import { foldedName, singularWords, wordsOf } from '../../core/text/inflection';
import type { Property, Schema } from '../../openapi/model/operation';
import type { Segment } from '../../openapi/view/path-template';
import { type SchemaView, typesOf } from '../../openapi/view/schema-view';
import type { ResourceDraft } from '../drafts/draft';
import type { ResourceDescription, ScopeObject, ScopeVariable } from '../model/resource';
import { chooseKey } from './choose-key';

/** Names of variables that only say that something is identified, not what. */
const GENERIC = new Set(['id', 'uuid', 'guid', 'key', 'slug', 'name', 'code', 'number', 'identifier']);

/**
 * What a variable before the collection stands for, in words: `shelf id` for `{id}` in `/shelves/{id}/books`, and for
 * `{shelfId}` as well.
 */
function meaningOf(segments: readonly Segment[], index: number): readonly string[] {
  const variable = segments[index];
  const words = variable?.kind === 'variable' ? wordsOf(variable.name) : [];
  const before = segments[index - 1];
  const isGeneric = words.length === 1 && GENERIC.has(words[0] ?? '');
  return isGeneric && before?.kind === 'literal' ? [...singularWords(before.text), ...words] : words;
}

/** The property of an item that shows the value of a variable of its path, other than its own key. */
export function propertyForVariable(
  segments: readonly Segment[],
  index: number,
  properties: ReadonlyMap<string, Property>,
  key: string,
): string | undefined {
  const meaning = meaningOf(segments, index);
  const full = meaning.join('');
  const noun = singularNoun(segments, index);
  const wanted = [
    full,
    ...(GENERIC.has(meaning.at(-1) ?? '') ? [] : [`${full}id`]),
    ...(noun === '' ? [] : [`${noun}id`]),
    // `own_wallet_id` of `/wallets/{own_id}/transactions`.
    ...(noun === '' || meaning.length < 2 ? [] : [[...meaning.slice(0, -1), noun, meaning.at(-1)].join('')]),
  ];
  for (const name of wanted) {
    const found = [...properties.values()].find(
      (property) => property.name !== key && foldedName(property.name) === name && isPlain(property),
    );
    if (found !== undefined) return found.name;
  }
  return undefined;
}

/**
 * What a variable before the collection names, as properties could be called: `shelf` for `{shelfId}`, and for `{id}` in
 * `/shelves/{id}/books`.
 *
 * @param isItem - does it name an item of the collection before it?
 */
function objectNamesFor(segments: readonly Segment[], index: number, isItem: boolean): readonly string[] {
  const meaning = meaningOf(segments, index);
  const isNamed = meaning.length > 1 && GENERIC.has(meaning.at(-1) ?? '');
  const noun = singularNoun(segments, index);
  return [(isNamed ? meaning.slice(0, -1) : meaning).join(''), ...(isItem && noun !== '' ? [noun] : [])];
}

function singularNoun(segments: readonly Segment[], index: number): string {
  const before = segments[index - 1];
  return before?.kind === 'literal' ? singularWords(before.text).join('') : '';
}

function isPlain({ schema }: Property): boolean {
  const { type } = schema;
  // An `allOf` around one value only says more of it.
  if (typesOf(schema).some((each) => each === 'string' || each === 'integer')) return true;
  const isNamed = type !== 'object' && type !== 'array';
  return isNamed && ['properties', 'items', 'allOf'].every((keyword) => schema[keyword] === undefined);
}

/** The name under which the value is stored beside the item where no property shows it: `$ownerId`. */
export function hiddenPropertyName(segments: readonly Segment[], index: number): string {
  const [first = '', ...rest] = meaningOf(segments, index);
  return `$${first}${rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`;
}

/** The path of the collection whose items a variable names, by its index among the segments of a path. */
export type ParentAt = (segments: readonly Segment[], index: number) => string | undefined;
export function scopeOf(
  segments: readonly Segment[],
  properties: ReadonlyMap<string, Property>,
  key: string,
  parentAt: ParentAt,
): ScopeVariable[] {
  return segments.flatMap((segment, index): ScopeVariable[] => {
    if (segment.kind !== 'variable') return [];
    const parent = parentAt(segments, index);
    return [
      {
        name: segment.name,
        parent,
        property: propertyForVariable(segments, index, properties, key),
        object: undefined,
      },
    ];
  });
}

/** Of a resource, what is known before it is seen beside the others. */
type Known = Pick<ResourceDescription, 'path' | 'scope' | 'key' | 'properties'>;

/**
 * The variables of a resource's path, together with the properties that show what they name. All resources are known by
 * now: where one of them keeps what a variable names, its key is looked for.
 */
export function withScopeObjects(
  { scope, properties, key: ownKey }: Known,
  { template, uses }: ResourceDraft,
  resources: ReadonlyMap<string, Known>,
  view: SchemaView,
): ScopeVariable[] {
  const places = template.segments.flatMap(({ kind }, index) => (kind === 'variable' ? [index] : []));
  return scope.map((variable, position) => {
    const place = places[position] ?? 0;
    const found = embeddedObject(template.segments, place, properties, view, variable.parent);
    if (found === undefined) {
      const object = scopeBesideKey(template.segments, place, properties, view, ownKey);
      return variable.property === undefined && object !== undefined ? { ...variable, object } : variable;
    }
    const parent = variable.parent === undefined ? undefined : resources.get(variable.parent);
    const key =
      parent === undefined
        ? keyByName(found, variable, uses, view)
        : view.properties(found.schema).has(parent.key.name)
          ? parent.key.name
          : undefined;
    const object: ScopeObject | undefined =
      key === undefined ? undefined : { property: found.property.name, key, isParent: true };
    return { ...variable, object };
  });
}

/** Where items show their key in a property of a property, they show there as well where they lie: `metadata: { namespace, name }`. */
function scopeBesideKey(
  segments: readonly Segment[],
  index: number,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
  { propertyPath }: Known['key'],
): ScopeObject | undefined {
  const [member, name] = propertyPath;
  const property = member === undefined ? undefined : properties.get(member);
  const schema = property === undefined ? undefined : view.schemaOf(property);
  if (member === undefined || name === undefined || propertyPath.length !== 2 || schema === undefined) return undefined;
  const key = propertyForVariable(segments, index, view.properties(schema), name);
  return key === undefined ? undefined : { property: member, key, isParent: false };
}

/** A property of an item that is an object, and its schema. */
interface EmbeddedObject {
  readonly property: Property;
  readonly schema: Schema;
}

/**
 * The property that shows what a variable names, by its own name: `owner` for `{owner}` and for `{ownerId}`.
 *
 * @param parent - path of the collection whose items the variable names, where there is one
 */
export function embeddedObject(
  segments: readonly Segment[],
  index: number,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
  parent: string | undefined,
): EmbeddedObject | undefined {
  for (const name of objectNamesFor(segments, index, parent !== undefined)) {
    for (const property of properties.values()) {
      if (foldedName(property.name) !== name) continue;
      const schema = view.schemaOf(property);
      if (schema !== undefined && view.items(schema) === undefined && view.properties(schema).size > 0)
        return { property, schema };
    }
  }
  return undefined;
}

/** As the key of items is chosen, but never a number for a text: `{owner}` is no `owner.id`. */
function keyByName(
  { property, schema }: EmbeddedObject,
  { name }: ScopeVariable,
  uses: ResourceDraft['uses'],
  view: SchemaView,
): string | undefined {
  const parameters = uses.flatMap(({ operation }) => operation.parameters);
  const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
  const properties = view.properties(schema);
  const { name: member, confidence } = chooseKey(properties, [name], parameter, property.name, view);
  const chosen = properties.get(member);
  if (chosen === undefined || confidence === 'high') return chosen?.name;
  const [wanted, own] = [typesOf(parameter?.schema?.value ?? {}), typesOf(chosen.schema)];
  return wanted.some((type) => own.includes(type)) ? member : undefined;
}
