import { foldedName, singular, singularWords, wordsOf } from '../../core/text/inflection';
import type { Property, Schema } from '../../openapi/model/operation';
import { lastLiteral, type PathTemplate, type Segment, variablesOf } from '../../openapi/view/path-template';
import { type SchemaView, typesOf } from '../../openapi/view/schema-view';
import { putsByPath } from '../drafts/write-semantics';
import type { Inference, OperationUse, ResourceDraft } from '../drafts/draft';
import type { PropertyReference, ResourceDescription } from '../model/resource';
import type { ResourceStatement } from '../overrides/statements';

/** Endings that say that a property holds the key of something else. */
export const KEY_ENDINGS = new Set(['id', 'uuid', 'guid', 'key', 'code', 'slug', 'number', 'ref']);

/** Names of keys that other things have as well, where they name nothing. */
const COMMON_NAMES =
  /^(?:id|uuid|guid|key|code|slug|ref|number|name|title|label|type|kind|status|state|email|username|login|handle|user|domain|host|hostname|ip|address|url|uri|path|date|time|day|year|month|version|language|locale|lang|country|currency|position|index|hash|token|value|sku)$/;

/** Types of keys. */
const IS_PLAIN = /^(?:string|integer)$/;

/** The collections that properties can refer to, by the folded names of their items. */
export class ReferenceTargets {
  private readonly byPath = new Map<string, ResourceDescription>();
  private readonly byName = new Map<string, ResourceDescription[]>();
  private readonly byKey = new Map<string, ResourceDescription[]>();
  private readonly byKeySchema = new Map<string, ResourceDescription[]>();
  private readonly bySchema = new Map<string, ResourceDescription[]>();
  private readonly byShown = new Map<string, ResourceDescription[]>();

  /** @param uses - of each resource: others than the caller may be shown in a smaller schema than that of the items */
  constructor(resources: readonly ResourceDescription[], uses: readonly (readonly OperationUse[])[], view: SchemaView) {
    for (const [index, resource] of resources.entries()) {
      if (resource.kind === 'singleton') continue;
      this.byPath.set(resource.path, resource);
      push(this.byName, foldedName(resource.name), resource);
      push(this.bySchema, resource.schema.pointer, resource);
      const own = uses[index] ?? [];
      const isOfCaller = own.some(
        ({ itemChoice, response }) =>
          itemChoice?.by === 'caller' && response?.item?.pointer === resource.schema.pointer,
      );
      const shown = isOfCaller ? own.flatMap(({ response }) => response?.item?.pointer ?? []) : [];
      for (const pointer of new Set(shown)) push(this.byShown, pointer, resource);
      push(this.byKey, foldedName(resource.key.name), resource);
      const key = resource.properties.get(resource.key.name);
      const place = key && sharedSchema(view.schemaOf(key), view);
      if (place !== undefined) push(this.byKeySchema, place, resource);
    }
  }

  /** The one collection whose keys have a schema that the description gives a name. */
  keyedLike(schema: Schema | undefined, from: ResourceDescription, view: SchemaView): ResourceDescription | undefined {
    const all = this.byKeySchema.get(sharedSchema(schema, view) ?? '') ?? [];
    return all.length === 1 && all[0]?.scope.length === 0 ? choose(all, from) : undefined;
  }

  /** The one collection whose items have a key of that name, which nothing else is called by. */
  keyedBy(name: string): ResourceDescription | undefined {
    const [only, ...others] = this.byKey.get(foldedName(name)) ?? [];
    const isOwn = only?.scope.length === 0 && !only.key.isHidden && !COMMON_NAMES.test(foldedName(name));
    return isOwn && others.length === 0 ? only : undefined;
  }

  /** What a name means, seen from a resource: one that is stored under the same scope, else one without a scope. */
  named(name: string, from: ResourceDescription): ResourceDescription | undefined {
    return choose(this.byName.get(name), from);
  }

  /** The one collection without a scope of whose key a text tells: "the code of the depot". */
  described(texts: readonly string[]): ResourceDescription | undefined {
    const found = [...this.byKey.values()]
      .flat()
      .filter(({ name, key, scope }) => scope.length === 0 && tellOfKey(texts, name, key.name));
    return found.length === 1 ? found[0] : undefined;
  }

  at(path: string): ResourceDescription | undefined {
    return this.byPath.get(path);
  }

  ofSchema(pointer: string, from: ResourceDescription): ResourceDescription | undefined {
    return choose(this.bySchema.get(pointer) ?? this.byShown.get(pointer), from);
  }
}

/** Does one of several texts tell of the key of a thing: "the code of the depot"? */
export function tellOfKey(texts: readonly string[], noun: string, key: string): boolean {
  const words = [key, 'key', 'id', 'identifier'].map((word) => wordsOf(word).join('[\\s_-]*')).join('|');
  const said = new RegExp(`\\b(?:${words})\\b[\`"')]* of (?:the|an?|its) ${wordsOf(noun).join('[\\s_-]*')}\\b`, 'i');
  return texts.some((text) => said.test(text));
}

function push(map: Map<string, ResourceDescription[]>, name: string, resource: ResourceDescription): void {
  const known = map.get(name);
  if (known === undefined) map.set(name, [resource]);
  else known.push(resource);
}

function choose(all: readonly ResourceDescription[] = [], from: ResourceDescription): ResourceDescription | undefined {
  const near = all.filter(
    ({ scope }) => scope.length > 0 && scope.every(({ name }, index) => from.scope[index]?.name === name),
  );
  const open = all.filter(({ scope }) => scope.length === 0);
  if (near.length === 1) return near[0];
  return open.length === 1 ? open[0] : undefined;
}

/**
 * The properties of a resource that refer to others: `bookId`, `book_ids`, an object or a list of objects of the schema that
 * another resource keeps. All resources are known by now, so that their order means nothing.
 */
export function referencesOf(
  resource: ResourceDescription,
  targets: ReferenceTargets,
  view: SchemaView,
  { stated, sent }: Told,
): PropertyReference[] {
  return [...resource.properties.values()].flatMap((property): PropertyReference[] => {
    const said = stated?.references.get(property.name);
    if (said === false) return [];
    if (said !== undefined && stated !== undefined) {
      const form = typesOf(property.schema).includes('array') ? 'keys' : 'key';
      return [{ property: property.name, to: said, form, evidence: stated.evidence }];
    }
    const found =
      byKeyName(resource, property, targets) ??
      embedded(resource, property, targets, view) ??
      byKeySchema(resource, property, targets, view) ??
      byNoun(resource, [property, ...sent.filter(({ name }) => name === property.name)], targets);
    return found === undefined ? [] : [found];
  });
}

/** What else is known of the properties of a resource. */
interface Told {
  readonly stated: ResourceStatement | undefined;
  /** As requests have them. */
  readonly sent: readonly Property[];
}

/**
 * A text or number of the form of a key: called as another thing is (`depot`), as its key is, where nothing else has a key of
 * that name (`vin`), or described as "the code of the depot". But for the last it is a guess: it may as well be a word.
 */
function byNoun(
  from: ResourceDescription,
  [property, ...sent]: readonly [Property, ...Property[]],
  targets: ReferenceTargets,
): PropertyReference | undefined {
  const { name, pointer } = property;
  if (isOwnName(from, name)) return undefined;
  const texts = [property, ...sent].flatMap(({ schema: { description } }) => description ?? []);
  const described = targets.described(texts.filter((text) => typeof text === 'string'));
  const target = described ?? targets.named(foldedName(name), from) ?? targets.keyedBy(name);
  if (target === undefined || target === from || target.scope.length > 0) return undefined;
  const key = target.properties.get(target.key.name) ?? target.key.property;
  if (key === undefined || ![property, ...sent].every((each) => hasFormOf(key, each))) return undefined;
  const text = `"${name}" holds the key of ${target.path}, by its ${described === undefined ? 'name' : 'description'}`;
  const reference = { property: name, to: target.path, form: 'key', evidence: { text, pointer } } as const;
  return described === undefined ? { ...reference, isGuess: true } : reference;
}

/** Is it the key of the thing itself, or of what it lies in? */
function isOwnName({ key, scope }: ResourceDescription, name: string): boolean {
  return name === key.name || scope.some((each) => [each.name, each.property].includes(name));
}

/** Has a property the type and the format of a key, and no words and no pattern that it has not? */
function hasFormOf(key: Property, { schema }: Property): boolean {
  const [own = '', theirs] = [schema, key.schema].map((each) =>
    typesOf(each)
      .filter((type) => type !== 'null')
      .join(),
  );
  const { pattern, enum: words, format } = schema;
  const isOpen = pattern === undefined || pattern === (key.schema['pattern'] ?? pattern);
  return IS_PLAIN.test(own) && own === theirs && isOpen && words === undefined && format === key.schema['format'];
}

function byKeyName(
  from: ResourceDescription,
  property: Property,
  targets: ReferenceTargets,
): PropertyReference | undefined {
  const { name, schema, pointer } = property;
  const words = wordsOf(name);
  const ending = words.at(-1) ?? '';
  const isList = typesOf(schema).includes('array');
  const key = singular(ending);
  if (words.length < 2 || !KEY_ENDINGS.has(key) || typesOf(schema).includes('object')) return undefined;
  const noun = words.slice(0, -1);
  // `billingAddressId` is the id of an address.
  for (let start = 0; start < noun.length; start++) {
    const target = targets.named(foldedName(noun.slice(start).join('_')), from);
    if (target === undefined) continue;
    // The own key is not a reference, even where its name has the noun in it.
    if (target === from && name === from.key.name) return undefined;
    if (!matchesKey(key, target)) continue;
    const text = `"${name}" holds ${isList ? 'keys' : 'the key'} of ${target.path}, by its name`;
    return { property: name, to: target.path, form: isList ? 'keys' : 'key', evidence: { text, pointer } };
  }
  return undefined;
}

/** `bookCode` refers to a book only where books are found by their code. */
function matchesKey(ending: string, { key }: ResourceDescription): boolean {
  return ending === 'id' || ending === 'ref' || wordsOf(key.name).at(-1) === ending;
}

/** `origins` of `DepotCode`s, where that is the schema of the keys of depots and of nothing else. */
function byKeySchema(
  from: ResourceDescription,
  property: Property,
  targets: ReferenceTargets,
  view: SchemaView,
): PropertyReference | undefined {
  const { name, schema, pointer } = property;
  const place = view.schemaOf(property);
  const items = typesOf(schema).includes('array') && place !== undefined ? view.items(place) : undefined;
  const target = isOwnName(from, name) ? undefined : targets.keyedLike(items ?? place, from, view);
  if (target === undefined || target === from) return undefined;
  const text = `"${name}" has the schema of the keys of ${target.path}`;
  return { property: name, to: target.path, form: items === undefined ? 'key' : 'keys', evidence: { text, pointer } };
}

/** Where a schema stands that the description gives a name. */
function sharedSchema(schema: Schema | undefined, view: SchemaView): string | undefined {
  const { pointer = '' } = view.unwrap(schema) ?? {};
  return /^\/(?:components\/schemas|definitions)\/[^/]+$/.test(pointer) ? pointer : undefined;
}

function embedded(
  from: ResourceDescription,
  property: Property,
  targets: ReferenceTargets,
  view: SchemaView,
): PropertyReference | undefined {
  const schema = view.schemaOf(property);
  const items = schema === undefined ? undefined : view.items(schema);
  const inner = items ?? schema;
  if (inner === undefined || view.properties(inner).size === 0) return undefined;
  const bySchema = targets.ofSchema(inner.pointer, from);
  const target = bySchema ?? namedAlike(from, property.name, view.properties(inner), targets);
  if (target === undefined || !view.properties(inner).has(target.key.name)) return undefined;
  const { name, pointer } = property;
  const why = bySchema === undefined ? 'name and properties' : 'schema';
  const text = `"${name}" shows ${items === undefined ? 'an item' : 'items'} of ${target.path}, by its ${why}`;
  return {
    property: name,
    to: target.path,
    form: items === undefined ? 'embedded' : 'embedded-list',
    evidence: { text, pointer },
  };
}

/** By its name alone only when what is embedded has nothing that the other lacks. */
function namedAlike(
  from: ResourceDescription,
  name: string,
  properties: ReadonlyMap<string, Property>,
  targets: ReferenceTargets,
): ResourceDescription | undefined {
  const target = targets.named(foldedName(name), from);
  return target !== undefined && [...properties.keys()].every((property) => target.properties.has(property))
    ? target
    : undefined;
}

/**
 * The collection whose items a variable names, where it stands at another path than that which others lie below:
 * `/users/@me/lists/{list}` for `/lists/{list}/tasks`. The word before the variable, its name and the variables before it
 * are the same, and no other collection has them.
 *
 * @param index - of the variable among the segments
 * @returns path of the collection
 */
export function parentAtOtherPath(
  drafts: readonly ResourceDraft[],
  segments: readonly Segment[],
  index: number,
): string | undefined {
  const [word, variable] = segments.slice(index - 1, index + 1);
  if (word?.kind !== 'literal' || variable?.kind !== 'variable') return undefined;
  const wanted = namesOf(segments.slice(0, index + 1));
  const found = drafts.filter(({ kind, itemTemplate: { segments: own = [] } = {} }) => {
    const before = own.at(-2);
    const isCalledSo = before?.kind === 'literal' && before.text === word.text && own.at(-1)?.kind === 'variable';
    return kind === 'collection' && isCalledSo && namesOf(own) === wanted;
  });
  const [draft, ...others] = found;
  return others.length === 0 ? draft?.template.path : undefined;
}

function namesOf(segments: readonly Segment[]): string {
  return variablesOf(segments).join('/');
}

/** A draft and what came of it. */
interface Finished {
  readonly draft: ResourceDraft;
  readonly description: Pick<ResourceDescription, 'path'>;
}

/**
 * The collection whose items a PUT puts into another one by their names alone: `PUT /starred/{owner}/{repo}` what is at
 * `/repos/{owner}/{repo}`, `PUT /teams/{id}/members/{username}` what is at `/users/{username}`. It has the same things, and
 * its path the same variables as the end of that one.
 *
 * @returns its path; `undefined` where nothing is put there so, or nothing is known of it
 */
export function itemSourceOf(inference: Inference, draft: ResourceDraft, all: readonly Finished[]): string | undefined {
  const { itemTemplate, schema, uses } = draft;
  const isPut = uses.some(({ operation, isOnItem }) => isOnItem && putsByPath(inference, operation));
  if (itemTemplate === undefined || !isPut) return undefined;
  const ending = variablesAtEnd(itemTemplate);
  const thing = lastLiteral(itemTemplate.segments);
  const found = all.filter(({ draft: other }) => {
    const names = other.itemTemplate === undefined ? [] : variablesOf(other.itemTemplate.segments).map(foldedName);
    const isSame = names.length > 0 && names.join() === ending.slice(-names.length).join();
    const isNamed = isSame || (names.length === 1 && isKeyOfThing(ending, thing, lastLiteral(other.template.segments)));
    const isRead = other.uses.some((use) => use.isOnItem && use.behaviour === 'read' && use.response !== undefined);
    return other !== draft && isNamed && isRead && inference.view.areSameType(other.schema, schema);
  });
  const length = ({ draft: { template } }: Finished): number => template.segments.length;
  return found.sort((left, right) => length(left) - length(right))[0]?.description.path;
}

/** Does a path name one thing of a collection by its key: `{user}` or `{userId}` of `/users`, or by any name below the same word? */
function isKeyOfThing([name = '', ...more]: readonly string[], word: string, things: string): boolean {
  if (more.length > 0) return false;
  const noun = singularWords(things).join('');
  return foldedName(word) === foldedName(things) || name === noun || isKeyNameOf(name, noun);
}

function isKeyNameOf(name: string, noun: string): boolean {
  return ['id', 'key', 'uuid', 'name'].some((ending) => name === `${noun}${ending}`);
}

/** The names of the variables at the end of a path, with no word between them. */
function variablesAtEnd({ segments }: PathTemplate): string[] {
  const last = segments.findLastIndex((segment) => segment.kind === 'literal');
  return variablesOf(segments.slice(last + 1)).map(foldedName);
}
