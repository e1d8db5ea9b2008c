import { SpecError } from '../../core/errors/standin-error';
import { compareNumbers } from '../../core/json/exact-number';
import type { SchemaObject } from '../../schema/schema-object';
import type { Schema } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { formatTest } from '../../schema/formats';
import { readScalar } from '../../openapi/parameters/text-shape';
import { typesOf } from '../../openapi/view/schema-view';
import type { Draft } from '../state/draft';
import { successor, type Key } from '../../lists/sort-values';
import { keyOfProperty, type Resource } from '../state/prepared-resource';
import type { SampleSchema } from './schema-fitting';

export interface KeyGenerator {
  /**
   * @param beginning - how the key is to begin, where the client said so
   * @returns `undefined` when every key that the schema allows was given out; of a list of keys one that only a made-up
   *   item has, before that
   */
  take(collection: string, draft: Draft, idStart: number | bigint, beginning?: string): Key | undefined;
  /** Why no item can have a key, as the rest of a sentence. */
  rejectionReason(key: Key): string | undefined;
}

/** A schema may allow so few texts that the same ones are made again and again. */
const SPARE_TRIES = 1000;

/** A key made from a number: the same number always gives the same key, so that two runs give the same bytes. */
type FromNumber = (number: number | bigint) => Key;

/** Numbers in steps of one, past every key that a fixture brought; texts are made from such a number. */
export function createKeyGenerator(api: ApiModel, resource: Resource, sample: SampleSchema): KeyGenerator {
  const { keySchema, keyMember: keyProperty, keyPlaces } = resource;
  const schemas = [keySchema, ...keyPlaces.map(({ value }) => value)];
  const words = commonWords(schemas);
  const lowest = boundOf(schemas, 'minimum');
  const highest = boundOf(schemas, 'maximum');
  let fromNumber: FromNumber | undefined;
  return {
    take(collection, draft, idStart, beginning = '') {
      if (words !== undefined) return freeWord(words, collection, draft);
      const next = draft.nextKey(collection) ?? idStart;
      let number = compareNumbers(next, idStart) > 0 ? next : idStart;
      if (lowest !== undefined && compareNumbers(number, lowest) < 0) number = lowest;
      const form = (fromNumber ??= chooseForm(api, resource, number, sample));
      const write = (each: number | bigint): Key => (beginning === '' ? form(each) : `${beginning}${each}`);
      let key = write(number);
      // A fixture or a client may have brought any key, so that one which was made may be taken.
      const { size } = draft.collection(collection);
      for (let tries = 0; draft.get(collection, key) !== undefined; tries++) {
        if (tries > size + SPARE_TRIES) return undefined;
        key = write((number = successor(number)));
      }
      if (highest !== undefined && compareNumbers(number, highest) > 0) return undefined;
      draft.setNextKey(collection, successor(number));
      return key;
    },
    rejectionReason(key) {
      const [violation] =
        keySchemaOf(api, resource)?.validate('response')(keyOfProperty(resource, keyProperty, key)) ?? [];
      return violation?.message;
    },
  };
}

function freeWord(words: readonly Key[], collection: string, draft: Draft): Key | undefined {
  const isFree = (word: Key): boolean => draft.get(collection, word) === undefined;
  return words.find(isFree) ?? words.find((word) => draft.isUnchangedSeed(collection, word));
}

/** What items say of the property that holds the key. */
function keySchemaOf(api: ApiModel, { properties, keyMember: keyProperty, key }: Resource): Schema | undefined {
  const { pointer } = key.property ?? properties.get(keyProperty) ?? {};
  return pointer === undefined ? undefined : api.schemaAt(pointer);
}

/** Can an item with this key be asked for at every path that names one? Where a schema is unusable, with no key. */
export function isRequestable({ keyPlaces }: Resource, key: Key): boolean {
  try {
    return keyPlaces.every((place) => acceptsKeyText(place, String(key)));
  } catch (error) {
    if (error instanceof SpecError) return false;
    throw error;
  }
}

/** The words that items may have as keys, those of the paths where items do not list them. */
function commonWords(schemas: readonly SchemaObject[]): Key[] | undefined {
  const lists = schemas.map((schema) => schema['enum']).filter((values) => Array.isArray(values));
  const [first, ...others] = lists.map((values) =>
    values.filter((value) => typeof value === 'string' || typeof value === 'number'),
  );
  return first?.filter((word) => others.every((list) => list.some((other) => String(other) === String(word))));
}

/** The whole number that all of the bounds allow. */
function boundOf(schemas: readonly SchemaObject[], keyword: 'minimum' | 'maximum'): number | bigint | undefined {
  const sign = keyword === 'minimum' ? 1 : -1;
  let stored: number | bigint | undefined;
  for (const { [keyword]: bound } of schemas) {
    if (typeof bound !== 'bigint' && !(typeof bound === 'number' && Number.isInteger(bound))) continue;
    if (stored === undefined || compareNumbers(bound, stored) * sign > 0) stored = bound;
  }
  return stored;
}

/** Ways to write a number as a text that a schema accepts. The first that it does accept is used for all keys. */
const TEXT_FORMS: readonly ((digits: string, hex: string, name: string) => string)[] = [
  (digits) => digits,
  (digits, _hex, name) => `${name}-${digits}`,
  (digits, _hex, name) => `${name}_${digits}`,
  (digits, _hex, name) => `${name}${digits}`,
  (digits, _hex, name) => `${name}_${digits.padStart(24, '0')}`,
  (_digits, hex) => hex.padStart(24, '0'),
  (_digits, hex) => hex.padStart(32, '0'),
  (_digits, hex) => hex.padStart(64, '0'),
  (_digits, hex) => uuid(hex),
  (digits) => `01${digits.padStart(24, '0')}`,
  ...[2, 3, 4, 5, 6, 8, 9, 10, 12, 16, 20, 36, 40].map((length) => (digits: string) => digits.padStart(length, '0')),
  (digits, _hex, name) => `${name}${digits}@example.com`,
  (digits, _hex, name) => `https://example.com/${name}/${digits}`,
  (digits) => `A${digits}`,
  (digits) => letters(digits),
  (digits) => letters(digits).toUpperCase(),
  ...[2, 3, 4].map((length) => (digits: string) => letters(digits).toUpperCase().padStart(length, 'A')),
];

/** The way of writing a number that the property takes, and if there is one, every path that names an item as well. */
function chooseForm(api: ApiModel, resource: Resource, first: number | bigint, sample: SampleSchema): FromNumber {
  const { keySchema, keyPlaces, name } = resource;
  if (!isText(keySchema)) return (number) => number;
  if (keySchema['format'] === 'uuid') return (number) => uuid(number.toString(16));
  const word = name.toLowerCase().replace(/[^a-z0-9]/g, '') || 'item';
  const schema = keySchemaOf(api, resource) ?? keyPlaces[0];
  if (schema === undefined) return String;
  const forms = TEXT_FORMS.map((form) => (number: number | bigint) => form(String(number), number.toString(16), word));
  const good = usualForms(resource, forms, first).filter((form) => acceptsKeyText(schema, String(form(first))));
  const form = good.find((candidate) => isRequestable(resource, candidate(first)));
  if (form !== undefined) return form;
  // What no form fits is generated of the schema that says most: that of a path, where items take what it makes.
  const asked = keyPlaces.find((place) => {
    const made = sample(place, Number(first));
    return typeof made === 'string' && acceptsKeyText(schema, made) && isRequestable(resource, made);
  });
  if (asked === undefined && good[0] !== undefined) return good[0];
  return (number) => {
    const made = sample(asked ?? schema, Number(number));
    return typeof made === 'string' ? made : String(number);
  };
}

/**
 * Those that fit what the key is called: a schema without a format takes a number for an e-mail address. What is called a
 * UUID, or has one as its example, is one, where its schema and the paths let it be.
 */
function usualForms(
  { key, keyMember, keySchema, keyExamples, itemPath = '' }: Resource,
  forms: readonly FromNumber[],
  first: number | bigint,
): readonly FromNumber[] {
  const called = key.isHidden ? (/\{([^{}]*)\}[^{}]*$/.exec(itemPath)?.[1] ?? '') : keyMember;
  const shown = keySchema['example'] ?? keyExamples()[0] ?? null;
  if (formatTest('uuid')(shown) || /(?:uuid|guid)$/i.test(called))
    return [(number) => uuid(number.toString(16)), ...forms];
  return /e-?mail$/i.test(called) ? forms.filter((form) => String(form(first)).includes('@')) : forms;
}

/** In a path a number is text. */
function acceptsKeyText(schema: Schema, text: string): boolean {
  const validate = schema.validate('response');
  return [text, readScalar(text, ['integer'])].some((key) => validate(key).length === 0);
}

function isText(schema: Resource['keySchema']): boolean {
  const types = typesOf(schema);
  return types.includes('string') && !types.includes('integer');
}

function uuid(hex: string): string {
  return `00000000-0000-4000-8000-${hex.padStart(12, '0')}`;
}

function letters(digits: string): string {
  return digits.replace(/\d/g, (digit) => String.fromCharCode(97 + Number(digit)));
}
