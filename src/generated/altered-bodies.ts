import { compareNumbers, isJsonNumber, type JsonNumber } from '../core/json/exact-number';
import {
  equalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  pickProperties,
  valueAlong,
} from '../core/json/json-value';
import { wordsOf } from '../core/text/inflection';
import { isStateName } from '../openapi/naming/states';
import type { FlatSchema, TypeName } from '../payload/sampler/flat-schema';
import { hasType } from '../payload/sampler/scalar-check';
import type { SchemaNode } from '../payload/sampler/schema-node';
import { descriptionsOf, toldValue, UNKNOWN } from './bodies';

/** A body that differs from another in one thing. */
export interface AlteredBody {
  /** What is different, as words that go on from the name of a request: `without name`. */
  readonly words: string;
  /** Names of properties and indexes that lead to the place. */
  readonly path: readonly string[];
  readonly body: JsonObject;
}

/** What a place can be altered to: `undefined` takes it away. */
interface Change {
  readonly words: string;
  readonly value: JsonValue | undefined;
}

/** Deeper than that, bodies are altered by hand. */
const MOST_LEVELS = 3;
/** A text that is longer says nothing new. */
const LONGEST_TEXT = 4096;
const MOST_ITEMS = 200;

/** Bodies that break their schema in one place each (JSON Schema validation §6, OAS 3.0.3 §4.7.24). */
export function invalidBodies(node: SchemaNode, body: JsonObject): AlteredBody[] {
  const changed = alter(node, body, (place) => [...missing(place), ...wrongTypes(place), ...beyondBounds(place)]);
  return [...changed, ...withUnknown(body, [])];
}

/** Each object with a property that nobody declares: invalid where the schema is closed. */
function withUnknown(body: JsonObject, path: readonly string[]): AlteredBody[] {
  const own = valueAlong(body, path);
  if (!isJsonObject(own) || path.length >= MOST_LEVELS) return [];
  const words =
    path.length === 0 ? 'with a property that nobody declares' : `with such a property in ${path.join('.')}`;
  const inner = Object.keys(own).flatMap((name) => withUnknown(body, [...path, name]));
  return [{ words, path: [...path, UNKNOWN], body: withValue(body, [...path, UNKNOWN], 'unknown') }, ...inner];
}

/** Bodies that keep to their schema, each with one place at a bound, with another word of a list, or left out. */
export function validBodies(node: SchemaNode, body: JsonObject): AlteredBody[] {
  return alter(node, body, (place) => [...leftOut(place), ...words(place), ...atBounds(place), ...cents(place)]);
}

/** Bodies that keep to their schema, each with one time in another zone. */
export function zonedBodies(node: SchemaNode, body: JsonObject): AlteredBody[] {
  return alter(node, body, withOffset);
}

/** The same with one number that has as many decimals as its description promises to keep. */
export function exactBodies(node: SchemaNode, body: JsonObject): AlteredBody[] {
  return alter(node, body, inFull);
}

interface Place {
  readonly name: string;
  readonly flat: FlatSchema;
  readonly isRequired: boolean;
  /** `undefined` where the body does not have it. */
  readonly value: JsonValue | undefined;
  /** Does its description tell the only value that it has? */
  readonly isTold: boolean;
  /** What its description says. */
  readonly words: string;
}

function alter(node: SchemaNode, body: JsonObject, changesOf: (place: Place) => readonly Change[]): AlteredBody[] {
  const altered: AlteredBody[] = [];
  const visit = (at: SchemaNode, object: JsonObject, path: readonly string[]): void => {
    for (const { name, node: property, isRequired } of at.properties) {
      const value = Object.hasOwn(object, name) ? object[name] : undefined;
      const here = [...path, name];
      for (const { words: text, value: changed } of changesOf({
        name: here.join('.'),
        flat: property.flat,
        isRequired,
        value,
        isTold: toldValue(property) !== undefined,
        words: descriptionsOf(property).join('. '),
      }))
        altered.push({ words: text, path: here, body: withValue(body, here, changed) });
      if (isJsonObject(value) && here.length < MOST_LEVELS) visit(property, value, here);
    }
  };
  visit(node, body, []);
  return altered;
}

/** A copy with another value at one place; `undefined` takes it away. */
export function withValue(body: JsonObject, path: readonly string[], value: JsonValue | undefined): JsonObject {
  const [name = '', ...inner] = path;
  const own = body[name];
  if (inner.length > 0) {
    const changed = withValue(isJsonObject(own) ? own : {}, inner, value);
    return { ...body, [name]: changed };
  }
  return value === undefined ? pickProperties(body, (key) => key !== name) : { ...body, [name]: value };
}

function missing({ name, isRequired, value }: Place): Change[] {
  return isRequired && value !== undefined ? [{ words: `without ${name}`, value: undefined }] : [];
}

/** For each type of JSON one value; those that are allowed are left out. */
const OF_TYPES: readonly (readonly [TypeName, string, JsonValue])[] = [
  ['null', 'null', null],
  ['string', 'a text', 'text'],
  ['integer', 'a number', 12],
  ['boolean', 'true', true],
  ['array', 'a list', []],
  ['object', 'an object', {}],
];

function wrongTypes({ name, flat, value, isRequired }: Place): Change[] {
  const { types } = flat;
  if (types === undefined) return [];
  // Many services read null as a property that is left out.
  const changes = OF_TYPES.filter(([type, , other]) => !hasType(types, other) && (isRequired || type !== 'null')).map(
    ([, what, other]) => ({
      words: `with ${what} as ${name}`,
      value: other,
    }),
  );
  // What forms and queries write, a body may not: a number as a text.
  if (isJsonNumber(value) && !types.has('string'))
    changes.push({ words: `with ${name} as the text of a number`, value: String(value) });
  if (types.has('integer') && !types.has('number')) changes.push({ words: `with a fraction as ${name}`, value: 1.5 });
  return changes;
}

function beyondBounds(place: Place): Change[] {
  const { name, flat, value } = place;
  return [
    ...beyondWords(place),
    ...[less(flat.minimum), flat.exclusiveMinimum].flatMap((each) => bound(`with ${name} below its least`, each)),
    ...[more(flat.maximum), flat.exclusiveMaximum].flatMap((each) => bound(`with ${name} above its most`, each)),
    ...(flat.minLength > 0 && isText(flat)
      ? [{ words: `with too short a ${name}`, value: 'x'.repeat(flat.minLength - 1) }]
      : []),
    ...(flat.maxLength < LONGEST_TEXT && isText(flat)
      ? [{ words: `with too long a ${name}`, value: lengthen(value, flat.maxLength + 1) }]
      : []),
    ...beyondPatterns(place),
    ...[...flat.formats]
      .filter(isParsed)
      .map((format) => ({ words: `with ${name} that is no ${format}`, value: `no ${format}` })),
    ...(/^date/.test([...flat.formats].join())
      ? [{ words: `with a day that does not exist as ${name}`, value: dayAfter(flat) }]
      : []),
    ...beyondItems(place),
  ];
}

/** A text in another form, and two that nearly match a pattern for the whole text; those that do match are left out later. */
function beyondPatterns({ name, flat: { patterns }, value }: Place): Change[] {
  if (patterns.length === 0) return [];
  const isWhole = patterns.some((source) => /^\^.*\$$/s.test(source) && !source.includes('|'));
  const near = typeof value === 'string' && isWhole ? value : '';
  return [
    { words: `with ${name} in another form`, value: '~ ~' },
    ...(near.length < 2 ? [] : [{ words: `with ${name} without its last character`, value: near.slice(0, -1) }]),
    ...(near.length < 2 ? [] : [{ words: `with ${name} and one character more`, value: near + near.slice(-1) }]),
  ];
}

function beyondWords({ name, flat: { values } }: Place): Change[] {
  const words = (values ?? []).filter((value) => typeof value === 'string');
  const [first] = words;
  if (first === undefined) return [];
  const turned = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase();
  return [
    { words: `with another word as ${name}`, value: `${first}-other` },
    ...(words.includes(turned) ? [] : [{ words: `with ${name} in other letters`, value: turned }]),
  ];
}

function beyondItems({ name, flat, value }: Place): Change[] {
  if (!Array.isArray(value)) return [];
  const [first] = value;
  return [
    ...(flat.minItems > 0 ? [{ words: `with too few ${name}`, value: value.slice(0, flat.minItems - 1) }] : []),
    ...(first !== undefined && flat.maxItems < MOST_ITEMS
      ? [
          {
            words: `with too many ${name}`,
            value: [...value, ...Array<JsonValue>(flat.maxItems + 1).fill(first)].slice(0, flat.maxItems + 1),
          },
        ]
      : []),
    ...(flat.uniqueItems && first !== undefined ? [{ words: `with one of ${name} twice`, value: [first, first] }] : []),
  ];
}

/** A day that no month has, as a date or a moment. */
function dayAfter({ formats }: FlatSchema): string {
  return formats.has('date') ? '2026-02-30' : '2026-02-30T11:00:00Z';
}

/** Formats that a service reads as something else than a text: others are often no more than a word. */
function isParsed(format: string): boolean {
  return /^(?:date|date-time|time|uuid|int32|int64|email|uri|url|ipv4|ipv6)$/.test(format);
}

/** Whether it has the form that its patterns ask for is seen when the whole body is checked. */
function isText({ types, values, formats }: FlatSchema): boolean {
  return types?.has('string') === true && values === undefined && formats.size === 0;
}

/** Is it a text without a format, and without one that its description names? */
function isFreeText(flat: FlatSchema): boolean {
  return isText(flat) && flat.describedFormats.size === 0 && flat.toldWords.length === 0;
}

/** A text of a length that begins as the other. */
function lengthen(value: JsonValue | undefined, length: number): string {
  const begun = typeof value === 'string' && value.length > 0 ? `${value} ` : '';
  return (begun + 'x'.repeat(length)).slice(0, Math.max(length, 0));
}

/** The same of characters that take two units of UTF-16 each. */
function withWideLetters(value: string, length: number): string {
  return Array.from(`${value} ${'𝒜'.repeat(length)}`)
    .slice(0, length)
    .join('');
}

function bound(words: string, value: JsonValue | undefined): Change[] {
  return value === undefined ? [] : [{ words, value }];
}

/** Beyond what a double holds exactly, the next number is not to be had so. */
function less(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value - 1) ? value - 1 : undefined;
}

function more(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value + 1) ? value + 1 : undefined;
}

function leftOut({ name, isRequired, value }: Place): Change[] {
  return isRequired || value === undefined ? [] : [{ words: `without ${name}`, value: undefined }];
}

/** A thing that is made in another state may be one that nobody can remove again. */
function words({ name, flat: { values = [] }, value }: Place): Change[] {
  if (isStateName(name.split('.').at(-1) ?? '')) return [];
  return values
    .filter((word) => value === undefined || !equalJson(word, value))
    .map((word) => ({ words: `with ${name} ${JSON.stringify(word)}`, value: word }));
}

function atBounds({ name, flat, value, isTold }: Place): Change[] {
  const least = isSmall(flat.minimum) ? flat.minimum : undefined;
  const most = isSmall(flat.maximum) ? flat.maximum : undefined;
  const isFree = !isTold && isFreeText(flat) && typeof value === 'string';
  return [
    ...bound(`with the least ${name}`, least),
    ...bound(`with the most ${name}`, most),
    ...(isFree && flat.maxLength < LONGEST_TEXT
      ? [{ words: `with the longest ${name}`, value: lengthen(value, flat.maxLength) }]
      : []),
    // Lengths count characters, not the units of an encoding (JSON Schema validation §6.3.1).
    ...(isFree && flat.maxLength <= MOST_ITEMS && flat.patterns.length === 0
      ? [
          {
            words: `with the longest ${name}, in letters of two units each`,
            value: withWideLetters(value, flat.maxLength),
          },
        ]
      : []),
    ...(isFree ? [{ words: `with letters of many languages as ${name}`, value: `${value} Zoë Жук 猫 🐾` }] : []),
  ];
}

/** Only where it is told: many services keep numbers with two decimals. */
const EXACT =
  /\b(?:not|never|un-?)\s?rounded\b|\bwithout rounding\b|\b(?:full|exact) precision\b|\bas (?:it was )?measured\b/i;

/** A number with more decimals than a price has. */
function inFull({ name, flat: { types, minimum }, value, words: told }: Place): Change[] {
  const isFraction = types?.has('number') === true && typeof value === 'number' && EXACT.test(told);
  const least = typeof minimum === 'number' ? minimum : 0;
  return isFraction ? [{ words: `with three decimals in ${name}`, value: least + 0.125 }] : [];
}

/** A number of cents nearby that is one less where it is divided by 100 and multiplied again as a binary fraction. */
function cents({ name, flat: { types }, value }: Place): Change[] {
  const isOfCents = types?.has('integer') === true && wordsOf(name).some((word) => CENTS.test(word));
  if (!isOfCents || typeof value !== 'number') return [];
  const near = Array.from({ length: 200 }, (_, index) => value + index);
  const lossy = near.find((each) => Math.trunc((each / 100) * 100) !== each);
  return lossy === undefined ? [] : [{ words: `with ${lossy} as ${name}`, value: lossy }];
}

const CENTS = /^(?:cents?|pence|pennies|minor|amount|price)$/i;

/** The same moment in another zone (RFC 3339 §5.6). */
function withOffset({ name, flat: { formats }, value, words: told }: Place): Change[] {
  const isTime = formats.has('date-time') && typeof value === 'string' && /Z$/i.test(value);
  const moment = isTime ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(moment) || /\b(?:UTC|GMT|Zulu|Z|offset|zone)\b/i.test(told)) return [];
  const there = new Date(moment + 2 * 3_600_000).toISOString().replace(/(?:\.\d+)?Z$/, '+02:00');
  return [{ words: `with ${name} in another zone`, value: there }];
}

function isSmall(value: JsonValue | undefined): value is JsonNumber {
  return value !== undefined && isJsonNumber(value) && compareNumbers(value, Number.MAX_SAFE_INTEGER) <= 0;
}
