import type { Parameter, Property, Schema } from '../../openapi/model/operation';
import { alternativeNames, foldedName, nameWithin, singularWords, wordsOf } from '../../core/text/inflection';
import { HIDDEN_KEY, type Confidence } from '../model/resource';
import { documentedKey, type KeyChoice } from './documented-key';
import { typesOf, type SchemaView } from '../../openapi/view/schema-view';

/** Properties that hold what is said about an item beside what it is: they may hold its name. */
const ABOUT = new Set(['metadata', 'meta', 'objectmeta', 'header', 'identity', 'identification', 'info', 'properties']);
/** Properties that identify things, the surest first. */
const USUAL = ['id', '_id', 'gid', 'sid', 'uuid', 'guid', 'key', 'code', 'slug'];
const IDENTIFIERS = new Set(['id', '_id', 'pk', 'uid', 'uuid', 'guid', 'gid', 'sid', 'arn', 'urn']);
/** Properties that identify things where the parameter means a name. */
const NAMES = ['slug', 'key', 'code', 'login', 'name'];
/** Properties that more than one thing has; what identifies an item is looked for among others too. */
const ALWAYS = new Set(['type', 'status', 'state', 'name', 'title', 'kind', ...USUAL]);
/** What a number is called that counts things up within another. */
const SEQUENCE_NAMES = new Set(['number', 'index', 'iid', 'no', 'nr', 'num', 'seq', 'sequence']);
const LOGINS = ['login', 'username', 'handle', 'slug', 'name'];

/**
 * Chooses the key by the path parameter that stands for it. Never by position: the first required property is as often a
 * price.
 *
 * @param variables - what the item's paths call the variable; each operation may call it otherwise
 * @param told - the first of them
 * @param thing - what the path calls the items: `things`
 */
export function chooseKey(
  properties: ReadonlyMap<string, Property>,
  variables: readonly string[],
  told: Pick<Parameter, 'schema' | 'description'> | undefined,
  thing: string,
  view: SchemaView,
): KeyChoice {
  const parameter = told?.schema;
  const parameters = variables.flatMap(alternativeNames);
  const scalars = [...properties.values()].filter(isScalar);
  if (properties.size === 0 && parameters.length > 0) return keyOfUnconstrained(parameters, singularWords(thing));
  const noun = singularWords(thing);
  return (
    documentedKey(scalars, parameters, told?.description) ??
    namedAlike(scalars, parameters, noun, told) ??
    ofSameSchema(scalars, parameters, parameter, view) ??
    nestedKey(properties, parameters, noun, view) ??
    namedByLastWord(scalars, parameters, parameter) ??
    sequenceNumber(scalars, parameters, noun) ??
    namedInProse(scalars, told) ??
    chooseUsual(scalars, parameters, parameter, noun)
  );
}

/** The property that has the name of the parameter, or means the same of this thing. */
function namedAlike(
  scalars: readonly Property[],
  parameters: readonly string[],
  noun: readonly string[],
  told: Pick<Parameter, 'schema' | 'description'> | undefined,
): KeyChoice | undefined {
  const parameter = told?.schema;
  const folded = new Set(parameters.map(foldedName));
  const exact =
    scalars.find(({ name }) => parameters.includes(name)) ?? scalars.find(({ name }) => folded.has(foldedName(name)));
  if (exact !== undefined)
    return choice(exact, `the path parameter has the name of the property "${exact.name}"`, 'high');
  for (const name of parameters) {
    const same = propertyNamedBy(scalars, name, noun);
    const wanted = nameWithin(name, noun);
    if (same !== undefined && (canHold(same, parameter) || isIdentifier(wanted)))
      return choice(same, `the path parameter "${name}" means the property "${same.name}"`, 'high');
  }
  return namedAround(scalars, parameters, noun, parameter) ?? idOrName(scalars, told?.description);
}

/** `{external_thing_id}` is the `external_id` of a thing: the noun stands within the name. */
function namedAround(
  scalars: readonly Property[],
  parameters: readonly string[],
  noun: readonly string[],
  parameter: Schema | undefined,
): KeyChoice | undefined {
  for (const name of parameters) {
    const words = wordsOf(name);
    const at = words.findIndex((_, index) => index > 0 && noun.every((word, step) => words[index + step] === word));
    if (at < 0 || noun.length === 0) continue;
    const left = [...words.slice(0, at), ...words.slice(at + noun.length)].join('');
    const same = scalars.find((property) => wordsOf(property.name).join('') === left && !ALWAYS.has(left));
    if (same !== undefined && canHold(same, parameter))
      return choice(same, `the path parameter "${name}" means the property "${same.name}"`, 'high');
  }
  return undefined;
}

/** "The plan id or short name": what is told first and lasts is the key, by the other one an item is found as well. */
function idOrName(scalars: readonly Property[], said = ''): KeyChoice | undefined {
  const id = /\bids?\b,? or\b/i.test(said) ? scalars.find(({ name }) => name === 'id') : undefined;
  return id && choice(id, 'the path parameter is said to be the property "id" or a name', 'high');
}

/** The one property that refers to the schema to which the parameter refers: `{rule}` and `type` are a `RuleType`. */
function ofSameSchema(
  scalars: readonly Property[],
  [parameter = '']: readonly string[],
  schema: Schema | undefined,
  view: SchemaView,
): KeyChoice | undefined {
  const shared = view.unwrap(schema)?.pointer;
  // A schema that is written where it is used is that of nothing else.
  if (shared === undefined || !/^\/(?:components\/schemas|definitions)\/[^/]+$/.test(shared)) return undefined;
  const [only, ...others] = scalars.filter((each) => view.unwrap(view.schemaOf(each))?.pointer === shared);
  if (only === undefined || others.length > 0) return undefined;
  return choice(only, `the path parameter "${parameter}" has the schema of the property "${only.name}"`, 'high');
}

/** The property of which a parameter is another name: `{thing_slug}` is the `slug` of a thing. */
function propertyNamedBy(
  scalars: readonly Property[],
  parameter: string,
  noun: readonly string[],
): Property | undefined {
  const wanted = nameWithin(parameter, noun);
  return scalars.find((property) => nameWithin(property.name, noun) === wanted && wanted !== '');
}

/**
 * Properties that are a name by which the parameters of paths call an item beside its key, where one path has `{thing_id}` and
 * another `{thing_slug}`. Numbers are no names: each could be the key of another item.
 *
 * @param thing - what the path calls the items: `things`
 */
export function otherKeys(
  properties: ReadonlyMap<string, Property>,
  parameters: readonly string[],
  key: string,
  thing: string,
): string[] {
  const names = [...properties.values()].filter(
    (each) => isScalar(each) && isOfType(each, 'string') && NAMES.includes(each.name),
  );
  const noun = singularWords(thing);
  const named = parameters.flatMap((parameter) => propertyNamedBy(names, parameter, noun)?.name ?? []);
  return [...new Set(named)].filter((name) => name !== key);
}

/**
 * Text properties that identify an item among all of its kind.
 *
 * @param thing - what the path calls the items: `things`
 */
export function identifyingTexts(properties: ReadonlyMap<string, Property>, thing: string): string[] {
  const noun = singularWords(thing);
  return [...properties.values()].flatMap((each) =>
    isScalar(each) && isOfType(each, 'string') && IDENTIFIERS.has(nameWithin(each.name, noun)) ? [each.name] : [],
  );
}

/** `{floating_ip}` is the `ip` of a floating IP: nothing but the end of the variable's name is a property. */
function namedByLastWord(
  scalars: readonly Property[],
  parameters: readonly string[],
  parameter: Schema | undefined,
): KeyChoice | undefined {
  for (const name of parameters) {
    const last = wordsOf(name).at(-1) ?? '';
    const same = scalars.find((property) => wordsOf(property.name).join('') === last && !ALWAYS.has(last));
    if (same !== undefined && wordsOf(name).length > 1 && canHold(same, parameter))
      return choice(same, `the path parameter "${name}" ends in the name of the property "${same.name}"`, 'medium');
  }
  return undefined;
}

/** `{index}` of what has a `number` beside its id: all that paths and items call a running number is the same one. */
function sequenceNumber(
  scalars: readonly Property[],
  parameters: readonly string[],
  noun: readonly string[],
): KeyChoice | undefined {
  const called = parameters.find((name) => SEQUENCE_NAMES.has(nameWithin(name, noun)));
  const numbers = scalars.filter(
    (property) => SEQUENCE_NAMES.has(nameWithin(property.name, noun)) && typesOf(property.schema).includes('integer'),
  );
  const [only] = numbers;
  if (called === undefined || only === undefined || numbers.length > 1) return undefined;
  return choice(only, `the path parameter "${called}" is a running number, as "${only.name}" is`, 'medium');
}

/** `{box}` that is said to be the "name of the box": a login or the like, else the name. */
function namedInProse(
  scalars: readonly Property[],
  told: Pick<Parameter, 'schema' | 'description'> | undefined,
): KeyChoice | undefined {
  const { schema, description = '' } = told ?? {};
  const isName = /\bnames? of\b/i.test(description) && !/\bids?\b|\bidentifier/i.test(description);
  if (!isName || schema === undefined || !typesOf(schema.value).includes('string')) return undefined;
  const named = LOGINS.map((name) => scalars.find((property) => property.name === name)).find(
    (property) => property !== undefined && isOfType(property, 'string'),
  );
  return named && choice(named, `the path parameter is said to be a name, as "${named.name}" is`, 'medium');
}

/**
 * `metadata: { name }` for `{name}`: in what items say about themselves, a property of the very name of the variable. And
 * `person: { id }` for `{person_id}`: what is about a person is known by who that is.
 */
function nestedKey(
  properties: ReadonlyMap<string, Property>,
  parameters: readonly string[],
  noun: readonly string[],
  view: SchemaView,
): KeyChoice | undefined {
  for (const about of properties.values()) {
    const isAbout = ABOUT.has(about.name.toLowerCase());
    const whose = wordsOf(about.name);
    const named = isAbout ? parameters : parameters.filter((parameter) => isIdOf(parameter, whose));
    const schema = named.length > 0 ? view.schemaOf(about) : undefined;
    if (schema === undefined) continue;
    const inner = [...view.properties(schema).values()].filter(isScalar);
    const of = isAbout ? noun : whose;
    const held = inner.find(({ name }) =>
      named.some((parameter) => parameter === name || nameWithin(parameter, of) === nameWithin(name, of)),
    );
    if (held === undefined) continue;
    const text = `the path parameter has the name of "${held.name}" in the property "${about.name}"`;
    return { name: HIDDEN_KEY, propertyPath: [about.name, held.name], text, confidence: 'high' };
  }
  return undefined;
}

/** Is it the id of what has the words of the name: `person_id` of `person`? */
function isIdOf(parameter: string, words: readonly string[]): boolean {
  return wordsOf(parameter).length > words.length && USUAL.includes(nameWithin(parameter, words));
}

function chooseUsual(
  scalars: readonly Property[],
  parameters: readonly string[],
  parameter: Schema | undefined,
  noun: readonly string[],
): KeyChoice {
  const find = (name: string): Property | undefined =>
    scalars.find((property) => property.name === name || nameWithin(property.name, noun) === name);
  const isText = parameter !== undefined && typesOf(parameter.value).includes('string');
  const named = isText ? namedByText(find, parameters, noun) : undefined;
  if (named !== undefined) {
    const text = `the path parameter "${parameters[0] ?? ''}" is a text that names the item, as "${named.name}" does`;
    return choice(named, text, 'medium');
  }
  const usual =
    USUAL.map(find).find((property) => property !== undefined && canHold(property, parameter)) ??
    textOfNumber(find('id'), parameters);
  if (usual !== undefined) return choice(usual, `"${usual.name}" is what usually identifies an item`, 'medium');
  const only = isText && parameters.length > 0 ? onlyName(find('name'), parameter) : undefined;
  return only ?? hiddenKey(parameters);
}

/** `id`, a text, of what a path asks for by the number `{award_id}`: a text of digits, where nothing says it is another one. */
function textOfNumber(id: Property | undefined, parameters: readonly string[]): Property | undefined {
  const isFree = id?.schema['format'] === undefined && id?.schema['pattern'] === undefined;
  return isFree && parameters.some(isIdName) ? id : undefined;
}

/** The property that a text means which is called a name, or as the thing is. */
function namedByText(
  find: (name: string) => Property | undefined,
  parameters: readonly string[],
  noun: readonly string[],
): Property | undefined {
  for (const name of namesFor(parameters.map((each) => nameWithin(each, noun)))) {
    const property = find(name);
    if (property === undefined || !isOfType(property, 'string')) continue;
    if (name !== 'name' || isSureName(property, find('id'), parameters)) return property;
  }
  return undefined;
}

/** Where nothing else distinguishes items, their name does: nobody would ever see a key that is stored beside them. */
function onlyName(name: Property | undefined, { value }: Schema): KeyChoice | undefined {
  const isName = name !== undefined && isOfType(name, 'string') && value['format'] !== 'uuid';
  return isName ? choice(name, `nothing but "${name.name}" distinguishes items`, 'medium') : undefined;
}

/** Where items declare nothing, what clients send under the name that the variable means. */
function keyOfUnconstrained([variable = '']: readonly string[], noun: readonly string[]): KeyChoice {
  const meaning = nameWithin(variable, noun);
  const name = USUAL.find((usual) => usual === meaning) ?? 'id';
  const text = `items declare no properties, and "${name}" is what usually identifies one`;
  return { name, propertyPath: [], text, confidence: 'low' };
}

function hiddenKey(parameters: readonly string[]): KeyChoice {
  const text = 'no property matches the path parameter: the key is kept beside the item';
  return { name: HIDDEN_KEY, propertyPath: [], text, confidence: parameters.length === 0 ? 'low' : 'medium' };
}

/**
 * Not every item with a name is found by it, and none that has an id of text beside it; a variable that is called a name
 * means it, whatever else there is.
 */
function isSureName({ required }: Property, id: Property | undefined, parameters: readonly string[]): boolean {
  const isTextId = id !== undefined && typesOf(id.schema).includes('string');
  return (required && !isTextId) || parameters.some((each) => /name$/i.test(each));
}

/** Properties that a parameter can mean by calling for a name, or by being called as the thing is: `/repos/{repo}`. */
function namesFor(meanings: readonly string[]): readonly string[] {
  if (meanings.some((meaning) => /user(?:name)?$|^(?:login|handle)$/.test(meaning))) return LOGINS;
  if (meanings.some((meaning) => /name$/.test(meaning))) return ['name', ...NAMES];
  return meanings.some((meaning) => meaning === '' || meaning === 'slug') ? NAMES : [];
}

/** Has the item a property that usually identifies it, and that may be sent? */
export function hasIdentity(properties: ReadonlyMap<string, Property>): boolean {
  return [...properties.values()].some(({ name, readOnly }) => !readOnly && USUAL.includes(name));
}

/** Does a name end as those of what identifies things do: `file_id`, `username`? */
export function isNameOfKey(name: string): boolean {
  return ['number', ...USUAL, ...LOGINS].includes(wordsOf(name).at(-1) ?? '');
}

/** Does a name end as those of what only the service gives out do? */
export function isIdName(name: string): boolean {
  return IDENTIFIERS.has(wordsOf(name).at(-1) ?? '');
}

/** Is it what the key of a new thing is called: `new_branch_name` of branches that have a `name`? */
export function isKeyOfNew(name: string, key: string, thing: string): boolean {
  const noun = singularWords(thing);
  const words = wordsOf(name);
  const own = (words[0] === 'new' ? words.slice(1) : words).join('_');
  return own !== key && nameWithin(own, noun) === nameWithin(key, noun) && nameWithin(key, noun) !== '';
}

/** Do two names mean the same key of a thing: `number` and `boxNumber` of boxes? */
export function isSameKeyName(name: string, other: string, thing: string): boolean {
  const noun = singularWords(thing);
  if (foldedName(name) === foldedName(other)) return true;
  return isNameOfKey(name) && nameWithin(name, noun) === nameWithin(other, noun) && nameWithin(name, noun) !== '';
}

function isScalar({ schema }: Property): boolean {
  const types = typesOf(schema);
  if (types.length === 0) return schema['properties'] === undefined && schema['items'] === undefined;
  return types.every((type) => type === 'string' || type === 'integer' || type === 'number');
}

function isOfType({ schema }: Property, type: string): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.includes(type);
}

/** Identifiers are the same however each place writes them: `id: "12"` is asked for as the number 12. */
function isIdentifier(meaning: string): boolean {
  return meaning === 'id' || meaning === 'number';
}

/** A path may be declared as text whatever stands in it, but a number never stands for a text such as a name. */
function canHold(property: Property, parameter: Schema | undefined): boolean {
  const types = parameter === undefined ? [] : typesOf(parameter.value);
  if (types.includes('integer') || types.includes('number'))
    return isOfType(property, 'integer') || isOfType(property, 'number');
  return true;
}

function choice({ name }: Property, text: string, confidence: Confidence): KeyChoice {
  return { name, propertyPath: [], text, confidence };
}
