import { compareNumbers, isJsonNumber } from '../../core/json/exact-number';
import { joinPointer, parsePointer } from '../../core/json/json-pointer';
import { canonicalKey, type JsonValue } from '../../core/json/json-value';
import { isInMilliseconds, literalInProse } from '../../openapi/naming/property-names';
import { toldValues } from '../../openapi/naming/told-values';
import { localPointer, type Located, referenceOf } from '../../openapi/read/references';
import { isSchemaObject, type SchemaObject, stringItems } from '../../schema/schema-object';
import { type Branch, FlatSchema, type TypeName } from './flat-schema';
import { addObjectKeywords } from './flatten-object';
import { followPlainReference, keywordsOf, type SchemaReader } from './schema-reader';

/** What descriptions say of how a text is written, and the format that is so. Clients decode it. */
const DESCRIBED_FORMATS: readonly (readonly [RegExp, string])[] = [
  [/\bbase-?64(?:[- ]?url)?(?:[- ]?safe)?[- ]?encoded\b/i, 'byte'],
  [/\bISO[- ]?8601[- ]durations?\b|\bduration in ISO[- ]?8601\b/i, 'duration'],
  [
    /\bRFC[- ]?3339\b|\bISO[- ]?8601 (?:date[- ]?time|timestamp)s?\b|\b(?:date[- ]?time|timestamp) in ISO[- ]?8601\b/i,
    'date-time',
  ],
  [/\bYYYY-MM-DD(?![\s'T]*HH)\b/, 'date'],
  [begins('URL|URI|web address'), 'uri'],
  [begins('(?:IP|IPv4) address'), 'ipv4'],
  [begins('e-?mail address'), 'email'],
  [begins('(?:tele)?phone number'), 'phone'],
  [/\bE\.164\b/, 'e164'],
];
/** The same of times that are numbers, or texts of digits. */
const DESCRIBED_TIMES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:unix|epoch)\b[^.]*\b(?:milliseconds?|millis|ms)\b|\b(?:milliseconds?|millis) since\b(?!.*1900)/i, 'epoch-ms'],
  [
    /\bunix (?:epoch )?(?:time|timestamp)\b|\bepoch (?:unix )?(?:time|timestamp|seconds)\b|\bseconds since (?:the )?(?:unix )?epoch\b/i,
    'epoch',
  ],
];
/** Formats of numbers say only how large they are. */
const NUMBER_FORMATS = /^(?:u?int(?:32|64)|long|float|double|number)$/;

/** Texts that begin with the kind of a value: "The URL of", "IP address". */
function begins(kind: string): RegExp {
  return new RegExp(
    `^(?:the |an? )?(?:\\w+ )?(?:${kind})(?=$|[.,;:(]| (?:of|to|for|that|where|which|from|at|used)\\b)`,
    'i',
  );
}

function describedFormat({ description, enum: words, format }: SchemaObject): string | undefined {
  const isOpen = format === undefined || (typeof format === 'string' && NUMBER_FORMATS.test(format));
  if (typeof description !== 'string' || words !== undefined || !isOpen) return undefined;
  const known = format === undefined ? [...DESCRIBED_TIMES, ...DESCRIBED_FORMATS] : DESCRIBED_TIMES;
  return known.find(([phrase]) => phrase.test(description))?.[1];
}

/** Lays schemas together that hold for one value, `allOf` and references followed; a circle is entered once. */
export function flatten(places: readonly Located[], reader: SchemaReader): FlatSchema {
  const flat = new FlatSchema();
  const add = (given: Located): void => {
    const place = followPlainReference(given, reader);
    if (flat.pointers.has(place.pointer)) return;
    flat.pointers.add(place.pointer);
    const keywords = keywordsOf(place.value);
    if (keywords === false) {
      flat.conflict ??= { pointer: place.pointer, keyword: 'false' };
      return;
    }
    if (referenceOf(keywords) !== undefined) add(reader.follow(place));
    const dynamic = reader.followDynamically(place);
    if (dynamic !== undefined) add(dynamic);
    addValueKeywords(flat, keywords, place.pointer);
    addToldValues(flat, keywords, place.pointer, reader);
    addArrayKeywords(flat, keywords, place.pointer);
    addObjectKeywords(flat, keywords, place.pointer, reader);
    addUnions(flat, keywords, place.pointer, reader);
    const parts = keywords['allOf'];
    if (!Array.isArray(parts)) return;
    const pointer = joinPointer(place.pointer, 'allOf');
    for (const [index, value] of parts.entries()) add({ value, pointer: joinPointer(pointer, index) });
  };
  for (const place of places) add(place);
  for (const name of flat.hidden) flat.required.delete(name);
  return flat;
}

function addValueKeywords(flat: FlatSchema, keywords: SchemaObject, pointer: string): void {
  addTypes(flat, keywords, pointer);
  addValues(flat, keywords, pointer);
  addBounds(flat, keywords);
  if (keywords['multipleOf'] !== undefined) flat.multiples.push(keywords['multipleOf']);
  if (typeof keywords['format'] === 'string') flat.formats.add(keywords['format']);
  const described = describedFormat(keywords);
  if (described !== undefined) flat.describedFormats.add(described);
  flat.isInMilliseconds ||= isInMilliseconds('', keywords);
  if (typeof keywords['pattern'] === 'string') flat.patterns.push(keywords['pattern']);
  flat.minLength = Math.max(flat.minLength, countOf(keywords['minLength'], 0));
  flat.maxLength = Math.min(flat.maxLength, countOf(keywords['maxLength'], Infinity));
  if (flat.minLength > flat.maxLength) flat.conflict ??= { pointer, keyword: 'minLength' };
  addNegation(flat, keywords);
}

function addTypes(flat: FlatSchema, keywords: SchemaObject, pointer: string): void {
  const { type } = keywords;
  const names = new Set(
    (Array.isArray(type) ? stringItems(type) : typeof type === 'string' ? [type] : []) as TypeName[],
  );
  if (names.size === 0) return;
  if (keywords['nullable'] === true) names.add('null');
  flat.types = flat.types === undefined ? names : commonTypes(flat.types, names);
  if (flat.types.size === 0) flat.conflict ??= { pointer, keyword: 'type' };
}

/** Every integer is a number. */
function commonTypes(left: ReadonlySet<TypeName>, right: ReadonlySet<TypeName>): ReadonlySet<TypeName> {
  const common = new Set<TypeName>();
  for (const type of left) {
    if (right.has(type)) common.add(type);
    if (type === 'integer' && right.has('number')) common.add('integer');
    if (type === 'number' && right.has('integer')) common.add('integer');
  }
  return common;
}

function addValues(flat: FlatSchema, keywords: SchemaObject, pointer: string): void {
  for (const keyword of ['enum', 'const'] as const) {
    const given = keywords[keyword];
    if (given === undefined) continue;
    const listed = keyword === 'enum' && Array.isArray(given) ? given : [given];
    const keys = new Set(listed.map(canonicalKey));
    flat.values = flat.values === undefined ? listed : flat.values.filter((value) => keys.has(canonicalKey(value)));
    if (flat.values.length === 0) flat.conflict ??= { pointer, keyword };
  }
  addExamples(flat, keywords, pointer);
}

function addExamples(flat: FlatSchema, keywords: SchemaObject, pointer: string): void {
  const { example, examples } = keywords;
  if (example !== undefined) flat.examples.push({ value: example, pointer });
  const literal = literalInProse(keywords, pointer);
  if (literal !== undefined) flat.examples.push({ value: literal, pointer });
  if (example === undefined) flat.literal ??= literal;
  if (Array.isArray(examples)) for (const value of examples) flat.examples.push({ value, pointer });
  if (keywords['default'] !== undefined) flat.examples.push({ value: keywords['default'], pointer });
}

/** What words show is often a thing of somebody else: a request names none. */
function addToldValues(flat: FlatSchema, keywords: SchemaObject, pointer: string, { direction }: SchemaReader): void {
  const { words, examples } = toldValues(keywords);
  flat.toldWords.push(...words);
  if (direction === 'response' && flat.examples.length === 0)
    flat.examples.push(...examples.map((value) => ({ value, pointer })));
}

function addBounds(flat: FlatSchema, keywords: SchemaObject): void {
  // A bound that is `true` beside `minimum` is OpenAPI 3.0, one that is a number JSON Schema from draft 6 on.
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = keywords;
  const low = exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum';
  const high = exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum';
  flat[low] = tighter(flat[low], minimum, 1);
  flat[high] = tighter(flat[high], maximum, -1);
  flat.exclusiveMinimum = tighter(flat.exclusiveMinimum, exclusiveMinimum, 1);
  flat.exclusiveMaximum = tighter(flat.exclusiveMaximum, exclusiveMaximum, -1);
}

function tighter(known: JsonValue | undefined, other: JsonValue | undefined, sign: number): JsonValue | undefined {
  if (!isJsonNumber(other)) return known;
  return isJsonNumber(known) && compareNumbers(known, other) === sign ? known : other;
}

/** The few negations that can be met on purpose; others are left to the judgement of the whole value. */
function addNegation(flat: FlatSchema, keywords: SchemaObject): void {
  const { not } = keywords;
  if (!isSchemaObject(not)) return;
  const names = Object.keys(not);
  if (names.length !== 1) return;
  if (Array.isArray(not['enum'])) flat.excluded.push(...not['enum']);
  if (not['const'] !== undefined) flat.excluded.push(not['const']);
  const required = stringItems(not['required']);
  if (required.length === 1) for (const name of required) flat.hidden.add(name);
  if (not['type'] === 'null' && flat.types !== undefined) flat.types = withoutType(flat.types, 'null');
}

function withoutType(types: ReadonlySet<TypeName>, type: TypeName): ReadonlySet<TypeName> {
  return new Set([...types].filter((name) => name !== type));
}

function addArrayKeywords(flat: FlatSchema, keywords: SchemaObject, pointer: string): void {
  flat.minItems = Math.max(flat.minItems, countOf(keywords['minItems'], 0));
  flat.maxItems = Math.min(flat.maxItems, countOf(keywords['maxItems'], Infinity));
  flat.uniqueItems ||= keywords['uniqueItems'] === true;
  const { items, prefixItems, contains } = keywords;
  const tuple = Array.isArray(prefixItems) ? prefixItems : undefined;
  for (const [index, value] of (tuple ?? []).entries()) {
    (flat.prefixItems[index] ??= []).push({ value, pointer: `${joinPointer(pointer, 'prefixItems')}/${index}` });
  }
  if (items === false) flat.maxItems = Math.min(flat.maxItems, tuple?.length ?? 0);
  else if (isSchemaObject(items)) flat.items.push(...itemPlaces(keywords, items, pointer));
  addContained(flat, contains, countOf(keywords['minContains'], 1), pointer);
  if (flat.minItems > flat.maxItems) flat.conflict ??= { pointer, keyword: 'minItems' };
}

/** What the words of a list say of its values, they say of its items, as far as these have none of their own. */
function itemPlaces({ description }: SchemaObject, items: SchemaObject, pointer: string): Located[] {
  const place = { value: items, pointer: joinPointer(pointer, 'items') };
  const isSaid = description !== undefined && items['description'] === undefined && referenceOf(items) === undefined;
  return [isSaid ? { ...place, value: { ...items, description } } : place];
}

function addContained(flat: FlatSchema, value: JsonValue | undefined, count: number, pointer: string): void {
  if (!isSchemaObject(value)) return;
  flat.contains.push({ place: { value, pointer: joinPointer(pointer, 'contains') }, count });
  flat.minItems = Math.max(flat.minItems, count);
}

/** A length or a count; `usual` for anything that is none. */
function countOf(value: JsonValue | undefined, usual: number): number {
  return isJsonNumber(value) ? Number(value) : usual;
}

/** Adds the choices that a schema leaves: `oneOf`, `anyOf`, `if`, and the mapping of a discriminator. */
function addUnions(flat: FlatSchema, keywords: SchemaObject, pointer: string, reader: SchemaReader): void {
  const discriminator = readDiscriminator(keywords);
  let isChosen = false;
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const properties = keywords[keyword];
    if (!Array.isArray(properties) || properties.length === 0) continue;
    isChosen = true;
    const parent = joinPointer(pointer, keyword);
    const branches = properties.map((value, index): Branch => {
      const place = { value, pointer: joinPointer(parent, index) };
      return { places: [place], tag: discriminator && discriminatorValueOf(place, discriminator.mapping, reader) };
    });
    flat.unions.push({ pointer: parent, keyword, branches, discriminator: discriminator?.name });
  }
  if (discriminator !== undefined && !isChosen) flat.discriminators.push({ ...discriminator, owner: pointer });
  addCondition(flat, keywords, pointer);
}

interface Discriminator {
  readonly name: string;
  /** Value to pointer. */
  readonly mapping: ReadonlyMap<string, string>;
}

/** The Discriminator Object (OAS 3.0.3 §4.7.25). */
function readDiscriminator({ discriminator }: SchemaObject): Discriminator | undefined {
  if (!isSchemaObject(discriminator) || typeof discriminator['propertyName'] !== 'string') return undefined;
  const mapping = isSchemaObject(discriminator['mapping']) ? discriminator['mapping'] : {};
  const pairs = Object.entries(mapping).flatMap(([value, target]): [string, string][] => {
    const pointer = typeof target === 'string' ? targetOf(target) : undefined;
    return pointer === undefined ? [] : [[value, pointer]];
  });
  return { name: discriminator['propertyName'], mapping: new Map(pairs) };
}

/** A mapping names a schema by a reference or by its bare name. */
function targetOf(target: string): string | undefined {
  return target.startsWith('#') ? localPointer(target) : joinPointer('/components/schemas', target);
}

/** What the discriminator says for a schema: the key that maps to it, else its name. */
function discriminatorValueOf(
  place: Located,
  mapping: Discriminator['mapping'],
  reader: SchemaReader,
): string | undefined {
  const { pointer } = reader.follow(place);
  for (const [value, target] of mapping) if (target === pointer) return value;
  return pointer === place.pointer ? undefined : parsePointer(pointer).at(-1);
}

/** `if` holds and so does `then`, or `else` holds (JSON Schema 2020-12 Core §10.2.2). */
function addCondition(flat: FlatSchema, keywords: SchemaObject, pointer: string): void {
  const condition = locatedAt(keywords['if'], pointer, 'if');
  if (condition === undefined) return;
  const then = locatedAt(keywords['then'], pointer, 'then');
  const otherwise = locatedAt(keywords['else'], pointer, 'else');
  const branches: Branch[] = [
    { places: then === undefined ? [condition] : [condition, then], tag: undefined },
    { places: otherwise === undefined ? [] : [otherwise], tag: undefined },
  ];
  flat.unions.push({ pointer: condition.pointer, keyword: 'if', branches, discriminator: undefined });
}

function locatedAt(value: JsonValue | undefined, pointer: string, keyword: string): Located | undefined {
  return value === undefined ? undefined : { value, pointer: joinPointer(pointer, keyword) };
}
