import { foldedName, singular, wordsOf } from '../../core/text/inflection';
import type { Property, Schema } from '../../openapi/model/operation';
import { type SchemaView, typesOf } from '../../openapi/view/schema-view';
import { schemaName } from '../drafts/draft';
import type { PropertyReference, ResourceDescription } from '../model/resource';
import { KEY_ENDINGS, type ReferenceTargets } from './references';

/** Words that the name of a property has beside that of the one with the keys of what it shows: `user_obj`, `policyDetails`. */
const SHOWN = new Set(
  'obj objs object objects detail details data info record records full expanded resolved'.split(' '),
);

/**
 * References of a resource, with those properties that only the service sets and that show whole what a property beside them
 * names: `owner` and `owner_id`, `drivers` and `driver_ids`, `users_obj` and `users`.
 *
 * @param sent - properties that requests have
 */
export function withShownItems(
  resource: ResourceDescription,
  references: readonly PropertyReference[],
  targets: ReferenceTargets,
  view: SchemaView,
  sent: readonly Property[],
): PropertyReference[] {
  const written = new Set(sent.flatMap(({ name, readOnly }) => (readOnly ? [] : [name])));
  const shown = [...resource.properties.values()].flatMap((property): PropertyReference[] => {
    if (written.has(property.name) && !property.readOnly) return [];
    const found = referenceShown(resource, property, references, targets, view);
    return found === undefined ? [] : [found];
  });
  const named = new Set(shown.map(({ property }) => property));
  const keys = shown.flatMap(({ to, form, by, evidence }): PropertyReference[] => {
    if (by === undefined || references.some(({ property }) => property === by.property)) return [];
    return [{ property: by.property, to, form: form === 'embedded' ? 'key' : 'keys', evidence, isGuess: true }];
  });
  return [...references.filter(({ property }) => !named.has(property)), ...shown, ...keys];
}

function referenceShown(
  resource: ResourceDescription,
  property: Property,
  references: readonly PropertyReference[],
  targets: ReferenceTargets,
  view: SchemaView,
): PropertyReference | undefined {
  const schema = view.schemaOf(property);
  const items = schema && view.items(schema);
  const inner = items ?? schema;
  const beside = [...resource.properties.values()].find(
    (each) => isKeyBeside(each, property, view) && (keysIn(each, view) !== undefined) === (items !== undefined),
  );
  if (inner === undefined || beside === undefined) return undefined;
  const shows = [...view.properties(inner).keys()];
  const known = references.find((each) => each.property === beside.name || each.property === property.name)?.to;
  const names = [...withoutEnding(beside.name), foldedName(beside.name), ...runsOf(schemaName(inner))];
  const target = known === undefined ? firstNamed(names, resource, targets) : targets.at(known);
  if (target === undefined || !isKeyOf(target, keysIn(beside, view)?.value ?? beside.schema, shows)) return undefined;
  const { name, pointer } = property;
  return {
    property: name,
    to: target.path,
    form: items === undefined ? 'embedded' : 'embedded-list',
    by: { property: beside.name, schema: inner, shows },
    evidence: { text: `"${name}" shows what "${beside.name}" names in ${target.path}`, pointer },
  };
}

/** Can a value be the key of a collection, of whose items a part is shown? */
function isKeyOf(
  { properties, key: { name } }: ResourceDescription,
  schema: Property['schema'],
  shows: readonly string[],
): boolean {
  const key = properties.get(name);
  return key !== undefined && shows.includes(name) && typeOf(schema) === typeOf(key.schema);
}

function firstNamed(
  names: readonly string[],
  from: ResourceDescription,
  targets: ReferenceTargets,
): ResourceDescription | undefined {
  return names.map((name) => targets.named(name, from)).find((each) => each !== undefined);
}

/** Does a property hold the key of what another one shows, by both names? */
function isKeyBeside(each: Property, { name }: Property, view: SchemaView): boolean {
  if (each.name === name || typeOf((keysIn(each, view) ?? { value: each.schema }).value) === undefined) return false;
  const words = wordsOf(name);
  const shown = SHOWN.has(words.at(-1) ?? '') ? words.slice(0, -1) : undefined;
  if (shown !== undefined && shown.length > 0 && foldedName(shown.join('_')) === foldedName(each.name)) return true;
  return withoutEnding(each.name).some((noun) => noun === foldedName((shown ?? words).join('_')));
}

/** What a name with the ending of a key says of: `driver` of `driver_ids`. */
function withoutEnding(name: string): string[] {
  const words = wordsOf(name);
  const isKey = words.length > 1 && KEY_ENDINGS.has(singular(words.at(-1) ?? ''));
  return isKey ? [foldedName(words.slice(0, -1).join('_'))] : [];
}

/** Words in a row of a name, the longest first: `group` of `RelatedGroup`, `owner` of `OwnerBrief`. */
function runsOf(name: string): string[] {
  const words = wordsOf(name);
  const runs = words.flatMap((_, from) => words.slice(from).map((__, more) => words.slice(from, from + more + 1)));
  return runs.sort((left, right) => right.length - left.length).map((run) => foldedName(run.join('_')));
}

function keysIn(property: Property, view: SchemaView): Schema | undefined {
  const schema = typesOf(property.schema).includes('array') ? view.schemaOf(property) : undefined;
  return schema && view.items(schema);
}

/** Of a key; `undefined` for what is none. */
function typeOf(schema: Property['schema']): string | undefined {
  const types = typesOf(schema).filter((type) => type !== 'null');
  return types.length === 1 && ['string', 'integer'].includes(types[0] ?? '') ? types[0] : undefined;
}

/** Names of the two ends of what is above another one of its kind. */
const ABOVE = /^(?:parent|ancestor)$/;
const BELOW = /^(?:child|descendant)$/;

/**
 * Lists of keys that are two ends of one relation: `users` of groups and `groups` of users where neither has another such
 * list of the other, and `parents` and `children`.
 */
export function withInverses(resources: readonly ResourceDescription[]): ResourceDescription[] {
  const listsOf = ({ references, path, scope }: ResourceDescription): readonly PropertyReference[] =>
    scope.length > 0 ? [] : references.filter(({ form, to }) => form === 'keys' && to !== path);
  const lists = new Map(resources.map((resource) => [resource.path, listsOf(resource)]));
  const only = (from: string, to: string): string | undefined => {
    const [found, ...others] = (lists.get(from) ?? []).filter((each) => each.to === to);
    return others.length === 0 ? found?.property : undefined;
  };
  return resources.map((resource) => {
    const { path, references } = resource;
    const inverseOf = (each: PropertyReference): string | undefined => {
      if (each.form !== 'keys') return undefined;
      if (each.to === path) return otherEnd(each, references);
      return only(path, each.to) === each.property ? only(each.to, path) : undefined;
    };
    const found = references.map((each) => ({ each, inverse: inverseOf(each) }));
    if (found.every(({ inverse }) => inverse === undefined)) return resource;
    return { ...resource, references: found.map(({ each, inverse }) => (inverse ? { ...each, inverse } : each)) };
  });
}

function otherEnd({ property, to }: PropertyReference, references: readonly PropertyReference[]): string | undefined {
  const ends = [ABOVE, BELOW].map((end) =>
    references.find((each) => each.to === to && each.form === 'keys' && end.test(foldedName(each.property))),
  );
  return ends.find((each) => each?.property === property) && ends.find((each) => each?.property !== property)?.property;
}
