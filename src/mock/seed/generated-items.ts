import { isJsonObject, type JsonValue, ownProperty, pickProperties } from '../../core/json/json-value';
import { foldedName, wordsOf } from '../../core/text/inflection';
import { type Key, successor } from '../../lists/sort-values';
import type { ApiModel } from '../../openapi/model/api-model';
import { samplerOf } from '../../payload/sampler/sampler';
import type { Binding } from '../../resources/model/binding';
import type { PropertyReference } from '../../resources/model/resource';
import { parentCollectionOf, parentObjectValues } from '../fitting/item-address';
import { createKeyGenerator, isRequestable } from '../fitting/key-generator';
import type { SampleSchema } from '../fitting/schema-fitting';
import { Draft } from '../state/draft';
import type { Item, ItemDraft } from '../state/item';
import { arrange, violationsOf } from '../state/item-representation';
import { keyOfProperty, type Resource } from '../state/prepared-resource';
import { emptyState, LiveState } from '../state/state';

/** More samples of one item are not tried. */
const MOST_TRIES = 6;

/**
 * Items of a schema, as many as it has samples of. Of the kinds of thing that one item can be, a list may know only some:
 * then they are of those.
 */
export function sampleItems(
  api: ApiModel,
  { schema }: Resource,
  bindings: readonly Binding[],
  { seed, count }: { readonly seed: string; readonly count: number },
): ItemDraft[] {
  const sampler = samplerOf(api);
  const isOfKinds = sampler.nodeOf(schema, 'response').flat.unions.length > 0;
  const listed = bindings.flatMap(({ behaviour, response }) =>
    isOfKinds && behaviour === 'list' ? (response?.item ?? []) : [],
  );
  const sample = (ordinal: number): ItemDraft | undefined => {
    const made = sampler.sample(schema, { seed, direction: 'response', ordinal });
    return made.kind === 'failed' || typeof made.value !== 'object' ? undefined : (made.value as ItemDraft);
  };
  const isListed = (item: ItemDraft): boolean => listed.every((each) => each.accepts(item as Item, 'response'));
  const drafts: ItemDraft[] = [];
  for (let ordinal = 0; ordinal < count; ordinal += 1) {
    const first = sample(ordinal);
    // What its schema allows no example of is not generated: the collection stays empty.
    if (first === undefined) break;
    let shown = first;
    for (let tries = 1; tries < MOST_TRIES && !isListed(shown); tries += 1)
      shown = sample(ordinal + tries * count) ?? first;
    drafts.push(isListed(shown) ? shown : first);
  }
  return drafts;
}

/**
 * Gives the items that were generated their keys: 1, 2, 3 and so on, as the mock itself would give them out. Each fits the
 * paths that name items, so that an item which is listed can be read.
 *
 * @param borrowed - keys of another collection, where the key of an item is that of an item there
 * @param before - keys that are taken
 * @returns the items that could be given a key of their own
 */
export function giveKeys(
  api: ApiModel,
  sample: SampleSchema,
  resource: Resource,
  items: readonly ItemDraft[],
  borrowed: readonly Key[] | undefined,
  before: readonly Key[],
): ItemDraft[] {
  const { keyMember: keyProperty } = resource;
  const maker = createKeyGenerator(api, resource, sample);
  const draft = new Draft(new LiveState(emptyState([])));
  const taken = new Set<Key>(before);
  // The maker looks for keys that are free.
  for (const key of before) draft.put(resource.path, key, {});
  const highest = draft.collection(resource.path).highestKey();
  if (typeof highest === 'number' || typeof highest === 'bigint') draft.setNextKey(resource.path, successor(highest));
  const given: ItemDraft[] = [];
  for (const [index, item] of items.entries()) {
    const key =
      borrowed === undefined
        ? (exampleKey(resource, taken) ?? ownKey(resource, item, taken) ?? maker.take(resource.path, draft, 1))
        : borrowed[index];
    if (key === undefined || taken.has(key)) continue;
    taken.add(key);
    given.push({ ...item, [keyProperty]: key });
    draft.put(resource.path, key, {});
  }
  return given;
}

/** Readers of the description ask for what it gives as an example; below other items there is no telling of which. */
function exampleKey(resource: Resource, taken: ReadonlySet<Key>): Key | undefined {
  const shown = resource.scope.length === 0 && isText(resource) ? resource.keyExamples() : [];
  return shown.find((key) => !taken.has(key) && isHeld(resource, key) && isRequestable(resource, key));
}

function isText({ key, keySchema }: Resource): boolean {
  return !key.isHidden && keySchema['type'] === 'string';
}

function isHeld({ properties, keyMember: keyProperty, schema }: Resource, key: Key): boolean {
  return (
    properties.has(keyProperty) &&
    !schema
      .validate('response')({ [keyProperty]: key })
      .some(({ pointer }) => pointer === `/${keyProperty}`)
  );
}

/** What was generated for the key, where that stays. */
function ownKey(resource: Resource, item: ItemDraft, taken: ReadonlySet<Key>): Key | undefined {
  const own = speaksForItself(resource) ? resource.toKey(ownProperty(item, resource.keyMember)) : undefined;
  return own !== undefined && !taken.has(own) && isRequestable(resource, own) ? own : undefined;
}

/** Is the key something that people read, such as a name? Then what was generated for it stays. */
function speaksForItself({ keyMember: keyProperty, keySchema, key }: Resource): boolean {
  return !key.isHidden && keySchema['type'] === 'string' && !/(?:id|uuid|guid)$/i.test(keyProperty);
}

/** Words for what comes first, and for what does not come before it: in time, or in size. */
const PAIRS: readonly (readonly [first: string, second: readonly string[]])[] = [
  ['created', ['updated', 'modified', 'changed', 'closed', 'completed', 'deleted', 'archived', 'published']],
  ['start', ['end', 'finish']],
  ['starts', ['ends']],
  ['started', ['ended', 'finished', 'completed', 'stopped']],
  ['begin', ['end']],
  ['opened', ['closed']],
  ['issued', ['expires', 'due']],
  ['from', ['to', 'until']],
  ['since', ['until']],
  ['min', ['max']],
  ['minimum', ['maximum']],
];

const TIME = /^\d{4}-\d{2}-\d{2}|^\d{2}:\d{2}/;

/** Two properties of which the first is never the larger one: `createdAt` and `updatedAt`, `min_price` and `max_price`. */
type OrderedProperties = readonly [first: string, second: string];

/** The pairs among the properties of an item, by their names. */
export function orderedProperties(names: Iterable<string>): OrderedProperties[] {
  const byWords = new Map([...names].map((name) => [wordsOf(name).join(' '), name]));
  return [...byWords].flatMap(([text, name]) => {
    const words = text.split(' ');
    return PAIRS.flatMap(([first, seconds]) => {
      const at = words.indexOf(first);
      if (at === -1) return [];
      return seconds.flatMap((second): OrderedProperties[] => {
        const other = byWords.get(words.with(at, second).join(' '));
        return other === undefined ? [] : [[name, other]];
      });
    });
  });
}

/** An item that was generated, with values in the order that their names promise, as far as it stays valid. */
export function inOrder(
  item: ItemDraft,
  pairs: readonly OrderedProperties[],
  isValid: (item: Item) => boolean,
): ItemDraft {
  let ordered = item;
  for (const [first, second] of pairs) {
    const [early, late] = [ordered[first], ordered[second]];
    if (early === undefined || late === undefined || !isLarger(early, late)) continue;
    const swapped: ItemDraft = { ...ordered, [first]: late, [second]: early };
    if (isValid(swapped as Item)) ordered = swapped;
  }
  return ordered;
}

/** Times of one form and numbers can be compared; other texts have no order that means anything. */
function isLarger(left: JsonValue, right: JsonValue): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left > right;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  return TIME.test(left) && TIME.test(right) && left > right;
}

interface Connections {
  /** Those of the item's resource. */
  readonly bindings: readonly Binding[];
  /** Values of the variables of the collection's path. */
  readonly scope: readonly Key[];
  /** Number of the item, from 0: items in turn refer to the items of a collection in turn. */
  readonly index: number;
  /** Rows of another resource, as seen from this one. */
  readonly rowsOf: (path: string) => readonly { readonly key: Key; readonly item: Item }[];
}

/** An item whose properties name items that exist: foreign keys, embedded items, what its path says. */
export function connectItem(resource: Resource, row: Item, connections: Connections): Item {
  let item = row;
  // What the path says comes last: it is the one truth about where the item lies.
  for (const [property, value] of [
    ...fromReferences(resource, row, connections),
    ...keysOfEmbedded(resource, row, connections),
    ...fromScope(resource, row, connections),
  ]) {
    const next =
      value === undefined ? pickProperties(item, (name) => name !== property) : { ...item, [property]: value };
    const arranged = arrange(resource, next);
    // A property that the schema wants otherwise stays as it was generated.
    if (violationsOf(resource, arranged).length === 0) item = arranged;
  }
  return item;
}

type Change = readonly [member: string, value: JsonValue | undefined];

function fromScope(resource: Resource, item: Item, connections: Connections): Change[] {
  const { scope, bindings, index, rowsOf: itemsOf } = connections;
  const own = resource.scope.flatMap(({ property }, at): Change[] => {
    const value = scope[at];
    return property === undefined || value === undefined ? [] : [[property, keyOfProperty(resource, property, value)]];
  });
  const restricted = new Map(
    bindings
      .flatMap((binding) => binding.restrictions)
      .flatMap(({ property, parent }): Change[] => {
        const items = parent === undefined ? [] : itemsOf(parent);
        const key = items[index % Math.max(1, items.length)]?.key;
        return key === undefined ? [] : [[property, keyOfProperty(resource, property, key)]];
      }),
  );
  return [...own, ...heldIn(resource, item, connections), ...restricted];
}

/** What shows where the item lies, where it was generated or given: what is there with another key is corrected. */
function heldIn(resource: Resource, item: Item, { scope, rowsOf: itemsOf }: Connections): Change[] {
  return resource.scope.flatMap((variable, at): Change[] => {
    const { object } = variable;
    const value = scope[at];
    const held = object === undefined ? undefined : ownProperty(item, object.property);
    if (object === undefined || value === undefined || !isJsonObject(held)) return [];
    const keeper = parentCollectionOf(resource, variable);
    const stored = keeper === undefined ? undefined : itemsOf(keeper).find(({ key }) => String(key) === String(value));
    return parentObjectValues(object, held, value, stored?.item).map((shown) => [object.property, shown]);
  });
}

function fromReferences(resource: Resource, item: Item, connections: Connections): Change[] {
  return resource.references.flatMap((reference): Change[] => {
    if (reference.property === resource.keyMember || ownProperty(item, reference.property) === undefined) return [];
    return [[reference.property, referredTo(resource, reference, connections)]];
  });
}

/** `assigneeId` beside an `assignee` names the item that stands there. */
function keysOfEmbedded(resource: Resource, item: Item, { index, rowsOf: itemsOf }: Connections): Change[] {
  return resource.references.flatMap(({ property, to, form }): Change[] => {
    const items = form === 'embedded' ? itemsOf(to) : [];
    const chosen = items[index % Math.max(1, items.length)];
    const beside = Object.keys(item).find((name) => foldedName(name) === foldedName(`${property}_id`));
    return chosen === undefined || beside === undefined ? [] : [[beside, keyOfProperty(resource, beside, chosen.key)]];
  });
}

/** @returns `undefined` where nothing is there to refer to: the property is left out, if it may be */
function referredTo(
  resource: Resource,
  { property, to, form }: PropertyReference,
  { index, rowsOf: itemsOf }: Connections,
): JsonValue | undefined {
  const items = itemsOf(to);
  const chosen = items[index % Math.max(1, items.length)];
  switch (form) {
    case 'key':
      return chosen === undefined ? undefined : keyOfProperty(resource, property, chosen.key);
    case 'keys':
      return items.slice(0, 2).map(({ key }) => key);
    case 'embedded':
      return chosen?.item;
    case 'embedded-list':
      return items.slice(0, 2).map(({ item }) => item);
  }
}
