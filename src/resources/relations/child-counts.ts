import type { Property } from '../../openapi/model/operation';
import { statesAmong } from '../actions/action-effects';
import type { ChildCount, ResourceDescription } from '../model/resource';
import { singular, wordsOf } from '../../core/text/inflection';
import { lastLiteral, parseTemplate } from '../../openapi/view/path-template';
import type { Binding } from '../model/binding';
import { typesOf, type SchemaView } from '../../openapi/view/schema-view';
import type { ResourceStatement } from '../overrides/statements';
import { statesInProse } from '../../openapi/naming/states';

/** A collection of which each item lies below one item of another, or names it by a property. */
interface Children {
  readonly child: ResourceDescription;
  readonly foreignKey: string | undefined;
  readonly inState?: ChildCount['inState'];
}

type Nouns = readonly [one: string, many: string];

/** What every resource has to do with the others, as far as what counts them is concerned. */
export interface CountedTargets {
  readonly resources: readonly ResourceDescription[];
  readonly bindings: readonly Binding[];
  readonly view: SchemaView;
}

/**
 * The numbers in the items of a resource that say how many there are of what lies below each, by the name of that:
 * `comments_count`, `commentCount`, `num_comments`, `comments`, `{ comments: { total } }`; with the word for a state
 * before it, `open_comments_count`, of those below each that are in that. What a client says when it
 * makes an item is no such number: it is asked for so many, `node_count` of a new cluster.
 *
 * @param stated - what is said outright of its properties: one that is spoken of there counts nothing
 */
export function childCountsOf(
  resource: ResourceDescription,
  targets: CountedTargets,
  stated: ResourceStatement | undefined,
): ChildCount[] {
  const { view } = targets;
  const numbers = numbersIn(resource, view).filter(({ at }) => stated?.references.has(at.at(0) ?? '') !== true);
  if (resource.kind === 'singleton' || numbers.length === 0) return [];
  const below = childrenOf(resource, targets).map((children) => ({ ...children, nouns: nounsOf(children.child) }));
  return numbers.flatMap(({ at: path, property, noun }): ChildCount[] => {
    const whole = below.find(({ nouns: [one, many] }) =>
      countsBy(noun ?? property.name, one, many, noun !== undefined),
    );
    const found = whole ?? (noun === undefined ? countedInState(property.name, below) : undefined);
    if (found === undefined || isSetByClient(resource, found.child, path[0] ?? '', property, targets)) return [];
    const { child, foreignKey, inState } = found;
    const which = foreignKey === undefined ? ' below each' : ` by their "${foreignKey}"`;
    const only = inState === undefined ? '' : `, of those whose "${inState.member}" is "${inState.word}"`;
    const text = `"${path.join('.')}" counts the items of ${child.path}${which}${only}`;
    return [{ path, child: child.path, by: foreignKey, inState, evidence: { text, pointer: property.pointer } }];
  });
}

/** `open_comments_count`: the word for a state beside the name of what lies below, which has a property that can say so. */
function countedInState(name: string, below: readonly (Children & { readonly nouns: Nouns })[]): Children | undefined {
  const words = wordsOf(name);
  for (const [index, word] of words.entries()) {
    const rest = words.toSpliced(index, 1).join('_');
    for (const { child, foreignKey, nouns } of below.filter((each) => each.foreignKey === undefined)) {
      const inState = countsBy(rest, ...nouns, false) ? stateCalled(word, child) : undefined;
      if (inState !== undefined) return { child, foreignKey, inState };
    }
  }
  return undefined;
}

/** The state of an item that a word names, where just one of its properties has it. */
function stateCalled(word: string, { properties }: ResourceDescription): ChildCount['inState'] {
  const listed = statesAmong(properties);
  const told = [...properties.values()].map(({ name, schema }) => ({
    member: name,
    words: listed.some(({ member: property }) => property === name) ? [] : statesInProse(name, schema),
  }));
  const [only, ...more] = [...listed, ...told].flatMap(({ member, words }) => {
    const own = words.find((each) => wordsOf(each).join() === word);
    return own === undefined ? [] : [{ member, word: own }];
  });
  return more.length === 0 ? only : undefined;
}

interface CountingNumber {
  readonly at: readonly string[];
  readonly property: Property;
  /** What is counted, where the name of the number itself does not tell. */
  readonly noun?: string;
}

const COUNT_OF_PART = /^(?:count|total|total_?count)$/i;

function numbersIn({ properties, attributes }: ResourceDescription, view: SchemaView): CountingNumber[] {
  const own = [...properties.values()].filter(({ writeOnly }) => !writeOnly);
  const parts = own.flatMap((property) => {
    const inner = typesOf(property.schema).some(isNumber) ? undefined : view.schemaOf(property);
    const properties = inner === undefined ? [] : [...view.properties(inner).values()];
    return properties
      .filter(({ name }) => COUNT_OF_PART.test(name))
      .map((part): CountingNumber => ({ at: [property.name, part.name], property: part, noun: property.name }));
  });
  return [
    ...own.map((property): CountingNumber => ({ at: [property.name], property })),
    ...[...attributes.values()].map((property): CountingNumber => ({ at: ['attributes', property.name], property })),
    ...parts,
  ].filter(({ property: { schema } }) => takesAnyCount(schema));
}

function takesAnyCount(schema: Property['schema']): boolean {
  const { minimum, maximum, enum: words, const: only } = schema;
  const isBounded = (typeof minimum === 'number' && minimum > 0) || maximum !== undefined;
  return typesOf(schema).some(isNumber) && !isBounded && words === undefined && only === undefined;
}

function isNumber(type: string): boolean {
  return type === 'integer' || type === 'number';
}

/** @param isPlain - does the name say that something is counted by its plural alone? */
function countsBy(name: string, one: string, many: string, isPlain: boolean): boolean {
  const text = wordsOf(name).join('');
  if (text === many) return many !== one || isPlain;
  if (isPlain) return false;
  return [many, one].some((noun) => {
    const at = text.indexOf(noun);
    const around = at === -1 ? undefined : `${text.slice(0, at)}*${text.slice(at + noun.length)}`;
    return around !== undefined && around !== '*' && COUNTING.test(around);
  });
}

/** What stands around the noun in the name of a number that counts. */
const COUNTING = /^(?:total)?(?:num|nb|no|count|number)?(?:of)?\*(?:total)?(?:count(?:er)?|num(?:ber)?|total)?$/;

function nounsOf({ path }: ResourceDescription): Nouns {
  const words = wordsOf(lastLiteral(parseTemplate(path)?.segments ?? []));
  return [[...words.slice(0, -1), singular(words.at(-1) ?? '')].join(''), words.join('')];
}

/** What lies below comes before what names its parent elsewhere. */
function childrenOf(parent: ResourceDescription, { resources, bindings }: CountedTargets): Children[] {
  const collections = resources.filter(({ kind }) => kind === 'collection');
  const nested = collections.filter(
    ({ scope }) => scope.at(-1)?.parent === parent.path && scope.length === parent.scope.length + 1,
  );
  const isBeside = ({ scope }: ResourceDescription): boolean =>
    scope.length === parent.scope.length && scope.every(({ name }, index) => parent.scope[index]?.name === name);
  const restricted = bindings.flatMap(({ resource, restrictions }) =>
    restrictions
      .filter(({ parent: path, shownIn }) => path === parent.path && shownIn === undefined && isBeside(resource))
      .map(({ property }): Children => ({ child: resource, foreignKey: property })),
  );
  const referring = collections
    .filter(isBeside)
    .flatMap((child) =>
      child.references
        .filter(({ to, form, property }) => to === parent.path && form === 'key' && property !== child.key.name)
        .map(({ property }): Children => ({ child, foreignKey: property })),
    );
  return [...nested.map((child): Children => ({ child, foreignKey: undefined })), ...restricted, ...referring];
}

/**
 * Is the number for the client to say? So where a request has a schema of its own that has it, and where only the
 * service makes what is counted.
 */
function isSetByClient(
  resource: ResourceDescription,
  child: ResourceDescription,
  property: string,
  { readOnly }: Property,
  { bindings, view }: CountedTargets,
): boolean {
  if (readOnly) return false;
  const requests = bindings.flatMap((binding) =>
    binding.resource === resource && WRITES.has(binding.behaviour) ? (binding.request?.item ?? []) : [],
  );
  const saying = requests.filter((item) => view.properties(item).get(property)?.readOnly === false);
  const isMade = bindings.some((binding) => binding.resource === child && MAKES.has(binding.behaviour));
  return saying.some(({ pointer }) => !isMade || pointer !== resource.schema.pointer);
}

const MAKES: ReadonlySet<Binding['behaviour']> = new Set(['create', 'create-many', 'upsert']);
const WRITES: ReadonlySet<Binding['behaviour']> = new Set([...MAKES, 'update', 'replace']);
