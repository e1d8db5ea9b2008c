import type { SourceFinding } from '../../../core/errors/standin-error';
import { isJsonNumber, toLexeme } from '../../../core/json/exact-number';
import { type JsonValue, ownProperty } from '../../../core/json/json-value';
import { formatTest } from '../../../schema/formats';
import { compilePattern } from '../../../schema/pattern/compile-pattern';
import { ALLOWS_NULL, isSchemaObject, type SchemaObject } from '../../../schema/schema-object';
import type { GrammarVersion, ObjectKind } from '../object-grammar';
import type { Resolution } from '../references';

/** An object of a description that nobody has made a model of yet: its properties may be changed. */
export interface CorrectableObject {
  readonly kind: ObjectKind;
  readonly pointer: string;
  readonly value: SchemaObject;
  readonly version: GrammarVersion;
  /** Says how a property was read; with `isForAll` once for all objects with the same message. */
  readonly warn: (
    property: string,
    finding: Pick<SourceFinding, 'message' | 'expected' | 'hint'> & { readonly isForAll?: boolean },
  ) => void;
  /** Follows a reference from the object. */
  readonly resolve: (reference: string) => Resolution;
  /** Gives a property another value, or none with `undefined`. */
  readonly set: (member: string, value: JsonValue | undefined) => void;
  /** Gives a property another name. */
  readonly rename: (member: string, name: string) => void;
}

/** Reads a part of a description as its author meant it, where that is plain, and tells of it. */
export type Correction = (object: CorrectableObject) => void;

/** Where null is a value like others. */
const VALUES: ReadonlySet<string> = new Set(['default', 'example', 'const', 'value', 'dataValue']);

/** `parameters:` with nothing behind it: generators write the properties that an object does not have as null. */
export const nullFields: Correction = ({ kind, value, warn, set }) => {
  if (kind === 'paths' || kind === 'responses' || kind === 'callback') return;
  for (const [name, property] of Object.entries(value)) {
    if (property !== null || VALUES.has(name) || name.startsWith('x-')) continue;
    warn(name, { message: `"${name}" is null and is read as if it were not there`, hint: 'Leave it out.' });
    set(name, undefined);
  }
};

/** `2xx` and `Default` among responses: OpenAPI writes `2XX` and `default` (OAS 3.0.3 §4.7.16). */
export const statusRanges: Correction = ({ kind, value, warn, rename }) => {
  if (kind !== 'responses') return;
  for (const name of Object.keys(value)) {
    const meant = /^[1-5]xx$/i.test(name) ? name.toUpperCase() : /^default$/i.test(name) ? 'default' : name;
    if (meant === name || Object.hasOwn(value, meant)) continue;
    warn(name, { message: `"${name}" is read as "${meant}"`, expected: `"${meant}"` });
    rename(name, meant);
  }
};

/** Properties that are texts, and are easily written without the quotes that make a text of digits. */
const STRING_FIELDS: Readonly<Partial<Record<ObjectKind, readonly string[]>>> = {
  parameter: ['name'],
  operation: ['operationId'],
};

/** `operationId: 12`: a number without quotes in the place of a text. */
export const numbersForStrings: Correction = ({ kind, value, warn, set }) => {
  for (const name of STRING_FIELDS[kind] ?? []) {
    const written = value[name];
    if (!isJsonNumber(written)) continue;
    const text = toLexeme(written);
    warn(name, {
      message: `"${name}" is a number and is read as the text "${text}"`,
      hint: `Write ${name}: '${text}'`,
    });
    set(name, text);
  }
};

/** Keywords that say nothing of what a value is. */
const NOTES: ReadonlySet<string> = new Set([
  ...['title', 'description', 'example', 'nullable', 'readOnly', 'writeOnly', 'deprecated', 'externalDocs', 'xml'],
]);

/**
 * `items` with several schemas, and nothing else, not even a type: Swagger 2.0 has no `anyOf`, and descriptions that were
 * made in it, or moved from it, say a choice so. As it is written it would allow anything that is not a list.
 */
export const choiceOfItems: Correction = ({ kind, value, version, warn, rename, set }) => {
  if (kind !== 'schema' || (version !== '2.0' && version !== '3.0')) return;
  const branches = branchesOf(value['items']);
  const isAlone = Object.keys(value).every((name) => name === 'items' || NOTES.has(name) || name.startsWith('x-'));
  if (branches === undefined || !isAlone) return;
  warn('items', {
    message: 'A schema of nothing but several schemas of "items" is read as the choice between them',
    hint: 'Write anyOf in the place of items, or type: array beside it.',
  });
  rename('items', 'anyOf');
  set('anyOf', branches);
};

function branchesOf(items: JsonValue | undefined): JsonValue[] | undefined {
  if (Array.isArray(items)) return items.length > 1 ? items : undefined;
  const [entry, ...more] = isSchemaObject(items) ? Object.entries(items) : [];
  if (entry === undefined || more.length > 0 || !['anyOf', 'oneOf'].includes(entry[0])) return undefined;
  return branchesOf(Array.isArray(entry[1]) ? entry[1] : undefined);
}

/** Begin and end of a text in the languages of many services; ECMA-262 has `^` and `$` (JSON Schema Core §6.4). */
const ANCHORS = { begin: /^\\A/, end: /\\[zZ]$/ };

/** What follows a backslash, in pairs from the left; a name of a class behind two of them is the first group. */
const ESCAPES = /\\\\([wdsWDS])|\\[^]/g;

/** Lists of characters whose backslashes were written for a text within a text: `[\\w-]` for `[\w-]`. */
function unescaped(pattern: string): string {
  const isAware = [...pattern.matchAll(ESCAPES)].some(([found, name]) => name === undefined && /[wdsWDS]$/.test(found));
  if (isAware) return pattern;
  // Elsewhere a backslash may be meant.
  return pattern.replace(/\[\^?(?:[^\]\\]|\\[^])*\]/g, (list) =>
    list.replace(ESCAPES, (found: string, name?: string) => (name === undefined ? found : `\\${name}`)),
  );
}

/** `/^[a-z]+$/i`, with the delimiters of a literal. By the letter no text fits: nothing is before the begin of a text. */
const LITERAL = /^\/(\^[^]*\$)\/([dgimsuvy]*)$/;

/** @returns `undefined` where small and capital letters are one, and no pattern says so */
function withoutDelimiters(pattern: string): string | undefined {
  const [, inner, flags = ''] = LITERAL.exec(pattern) ?? [];
  if (inner === undefined || !flags.includes('i')) return inner ?? pattern;
  const both = inner.replace(/[aA]-[zZ]/g, 'A-Za-z');
  return /[a-z]/i.test(both.replace(/\\[^xupck]|A-Za-z/g, '')) ? undefined : both;
}

/**
 * Patterns that do not say what their author meant: with the anchors or the delimiters of another language, and those
 * that even the example of the same schema does not fit.
 */
export const patterns: Correction = ({ kind, value, warn, set }) => {
  const { pattern } = value;
  if (kind !== 'schema' || typeof pattern !== 'string') return;
  const plain = unescaped(pattern);
  const meant = withoutDelimiters(plain.replace(ANCHORS.begin, '^').replace(ANCHORS.end, '$'));
  if (meant === undefined) {
    warn('pattern', {
      message: 'The pattern is a literal with the flag "i", and is read as if it were not there',
      hint: 'Write no delimiters and no flags, and small and capital letters where both are meant.',
    });
    set('pattern', undefined);
  } else if (isRefuted(meant, [value['example'], ...listOf(value['examples'])])) {
    warn('pattern', {
      message: 'The pattern does not fit the example beside it and is read as if it were not there',
      hint: 'Give an example that fits the pattern, or correct the pattern.',
    });
    set('pattern', undefined);
  } else if (meant !== pattern) {
    warn('pattern', {
      message: `The pattern ${plain === pattern ? 'has the anchors or delimiters of another language' : 'is escaped twice'}; it is read as ${meant}`,
      hint:
        plain === pattern
          ? 'Write ^ and $, and no delimiters (ECMA-262).'
          : 'Write one backslash before the name of a class.',
    });
    set('pattern', meant);
  }
};

function listOf(value: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  return Array.isArray(value) ? value : [];
}

function isRefuted(pattern: string, examples: readonly (JsonValue | undefined)[]): boolean {
  const texts = examples.filter((example) => typeof example === 'string');
  if (texts.length === 0) return false;
  try {
    const compiled = compilePattern(pattern);
    return texts.every((text) => compiled.match(text) === 'differs');
  } catch {
    // No regular expression at all: who compiles the schema tells of it.
    return false;
  }
}

/** Characters of every text in a format. */
const LENGTHS: Readonly<Record<string, number>> = { uuid: 36, guid: 36, date: 10 };

const TIMES: ReadonlySet<string> = new Set(['date', 'date-time', 'time']);

/** A format of times that the example of the same schema has in another form, such as `2015-01-01T05:18:23-0700`. */
export const timeFormats: Correction = ({ kind, value, warn, set }) => {
  const { format, example } = value;
  const isTime = kind === 'schema' && typeof format === 'string' && TIMES.has(format);
  if (!isTime || typeof example !== 'string' || !/^\d/.test(example) || formatTest(format)(example)) return;
  // Programs that read YAML make a time of a date without quotes.
  if (format === 'date' && formatTest('date-time')(example)) return;
  warn('format', {
    message: `The example is no ${format}: the format is read as if it were not there`,
    hint: `Correct the example "${example}", or leave out the format.`,
    isForAll: true,
  });
  set('format', undefined);
};

/** A format whose texts are all longer or shorter than the lengths beside it allow: the lengths are what was measured. */
export const formats: Correction = ({ kind, value, warn, set }) => {
  const { format, minLength, maxLength } = value;
  if (kind !== 'schema' || typeof format !== 'string' || !Object.hasOwn(LENGTHS, format)) return;
  const length = LENGTHS[format] ?? 0;
  const isTooShort = typeof minLength === 'number' && length < minLength;
  if (!isTooShort && !(typeof maxLength === 'number' && length > maxLength)) return;
  warn('format', {
    message: `No ${format} has the length that is asked for beside it: the format is read as if it were not there`,
    hint: `A ${format} has ${length} characters. Correct the length, or leave out the format.`,
  });
  set('format', undefined);
};

const BOUNDS = [
  { exclusive: 'exclusiveMinimum', bound: 'minimum' },
  { exclusive: 'exclusiveMaximum', bound: 'maximum' },
] as const;

/**
 * What schemas of OpenAPI 3.0 say in a description of a later version, whose schemas are JSON Schema 2020-12: boolean
 * `exclusiveMinimum`, `nullable` beside a `type`, and lists of `items`, which 2020-12 calls `prefixItems`.
 */
export const keywordsOfOpenApi30: Correction = (object) => {
  if (object.kind !== 'schema' || object.version === '2.0' || object.version === '3.0') return;
  exclusiveBounds(object);
  nullableType(object);
  listOfItems(object);
};

function exclusiveBounds({ value, warn, set }: CorrectableObject): void {
  for (const { exclusive, bound } of BOUNDS) {
    const isExclusive = value[exclusive];
    if (typeof isExclusive !== 'boolean') continue;
    const limit = value[bound];
    if (!isExclusive || !isJsonNumber(limit)) {
      warn(exclusive, {
        message: `"${exclusive}" is ${String(isExclusive)} and says nothing here`,
        expected: 'a number',
      });
      set(exclusive, undefined);
      continue;
    }
    warn(exclusive, {
      message: `"${exclusive}: true" is of OpenAPI 3.0; it is read as it was intended there`,
      hint: `Write ${exclusive} with the number of "${bound}", and leave "${bound}" out.`,
    });
    set(exclusive, limit);
    set(bound, undefined);
  }
}

function nullableType({ value, warn, set }: CorrectableObject): void {
  const { nullable, type } = value;
  if (typeof nullable !== 'boolean') return;
  const types = typeof type === 'string' ? [type] : type;
  if (!nullable || !Array.isArray(types)) return;
  if (!types.includes('null')) {
    warn('nullable', {
      message: '"nullable" is of OpenAPI 3.0; it is read as it was intended there',
      hint: `Write type: [${[...types.map(String), "'null'"].join(', ')}]`,
    });
    set('type', [...types, 'null']);
  }
  set('nullable', undefined);
}

function listOfItems({ value, warn, set }: CorrectableObject): void {
  const { items } = value;
  if (!Array.isArray(items) || value['prefixItems'] !== undefined) return;
  warn('items', {
    message: 'A list of items is of older JSON Schema; it is read as "prefixItems"',
    hint: 'Call it prefixItems; what may follow them is "items".',
  });
  set('prefixItems', items);
  set('items', value['additionalItems']);
  set('additionalItems', undefined);
}

/** Keywords that let no null be, whatever `nullable` adds to the type beside them. */
const WITHOUT_NULL = ['$ref', 'allOf', 'oneOf', 'anyOf'] as const;

/**
 * `nullable: true` beside a reference, `allOf`, `oneOf`, `anyOf`, or an `enum` without null: by the letter of OpenAPI 3.0.3
 * it adds nothing there, and generators write it to say that the value may be null.
 */
export const nullableBesideOthers: Correction = ({ kind, value, version, warn, set }) => {
  if (kind !== 'schema' || version !== '3.0' || value['nullable'] !== true) return;
  const values = value['enum'];
  const lacksNull = Array.isArray(values) && !values.includes(null);
  if (!lacksNull && WITHOUT_NULL.every((keyword) => value[keyword] === undefined)) return;
  warn('nullable', {
    message: '"nullable" beside a reference, "allOf", "oneOf", "anyOf" or an "enum" without null allows null here',
    hint: 'By the letter it says nothing; with --strict it does not allow null.',
    isForAll: true,
  });
  set(ALLOWS_NULL, true);
};

/**
 * `additionalProperties: false` beside an `allOf`: it knows the `properties` beside it alone (JSON Schema 2020-12 Core
 * §10.3.2.3), so that nothing that another part has may be there, and where something is required no value is valid.
 */
export const closedBesideAllOf: Correction = ({ kind, value, warn, set, resolve }) => {
  const { allOf, additionalProperties, properties, patternProperties } = value;
  if (kind !== 'schema' || additionalProperties !== false || !Array.isArray(allOf) || patternProperties !== undefined)
    return;
  const own = isSchemaObject(properties) ? properties : {};
  const parts = allOf.map((part) => (isSchemaObject(part) ? (referredValue(part, resolve) ?? part) : part));
  const others = parts.flatMap((part) =>
    isSchemaObject(part) ? Object.keys(isSchemaObject(part['properties']) ? part['properties'] : {}) : [],
  );
  if (others.every((name) => Object.hasOwn(own, name))) return;
  warn('additionalProperties', {
    message:
      '"additionalProperties: false" beside an "allOf" would rule out what its parts declare; it is read as if it were not there',
    hint: 'By the letter no such property may be there; with --strict it is so.',
    isForAll: true,
  });
  set('additionalProperties', undefined);
};

/** `example: { $ref: … }`: an example is a value, in which a reference means nothing (OAS 3.0.3 §4.7.14). */
export const examplesByReference: Correction = ({ kind, value, warn, set, resolve }) => {
  const name = kind === 'example' ? 'value' : 'example';
  const written = value[name];
  if (written === undefined || (name === 'example' && !WITH_EXAMPLE.has(kind))) return;
  const read = withReferences(written, resolve, MAX_REFERENCES);
  if (read === written) return;
  warn(name, {
    message: `"${name}" has a "$ref", and is read as the value that it leads to`,
    hint: 'Name the example under "examples", where a reference may stand, or write its value.',
  });
  set(name, read);
};

const WITH_EXAMPLE: ReadonlySet<ObjectKind> = new Set(['mediaType', 'parameter', 'header', 'schema']);

/** How deep references in examples are followed. */
const MAX_REFERENCES = 16;

/** Replaces objects that are a reference alone by what they lead to: by its `value`, where that is an Example Object. */
function withReferences(value: JsonValue, resolve: CorrectableObject['resolve'], left: number): JsonValue {
  if (Array.isArray(value)) {
    const items = value.map((item) => withReferences(item, resolve, left));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isSchemaObject(value)) return value;
  const target = left > 0 && Object.keys(value).length === 1 ? referredValue(value, resolve) : undefined;
  if (target !== undefined) return withReferences(target, resolve, left - 1);
  const properties = Object.entries(value).map(([key, part]) => [key, withReferences(part, resolve, left)] as const);
  return properties.some(([key, part]) => part !== value[key]) ? Object.fromEntries(properties) : value;
}

/** The value that a reference leads to, that of an Example Object among the components included. */
function referredValue(value: SchemaObject, resolve: CorrectableObject['resolve']): JsonValue | undefined {
  const reference = value['$ref'];
  const target = typeof reference === 'string' ? resolve(reference) : undefined;
  if (target?.kind !== 'resolved') return undefined;
  const { value: found, pointer } = target.at;
  const isExample = /^\/components\/examples\/[^/]+$/.test(pointer) && isSchemaObject(found);
  return isExample ? found['value'] : found;
}

/** Bodies of requests and of successes: an error is shown as its example is. */
const OF_ITEMS = /\/responses\/2\w\w(?:\/|$)|\/requestBod(?:y|ies)\//;

/** `x-example`: Swagger 2.0 has no `example` in parameters, and some write it in schemas too. */
export const exampleExtensions: Correction = ({ kind, value, set }) => {
  const told = kind === 'schema' || kind === 'parameter' ? value['x-example'] : undefined;
  if (told !== undefined && value['example'] === undefined) set('example', told);
};

/** Rows of an example that are looked at, and how deep. */
const MAX_SHOWN_ROWS = 20;
const MAX_SHOWN_DEPTH = 8;

/**
 * A body with examples and without a schema, or with one that says no more than that it is an object, has the properties
 * that its examples show. None has to be there, and none has a type: an example restricts nothing (OAS 3.0.3 §4.7.14).
 */
export const shapesByExample: Correction = ({ kind, pointer, value, version, warn, set, resolve }) => {
  const isBody = kind === 'mediaType' || (kind === 'response' && version === '2.0');
  if (!isBody || !OF_ITEMS.test(pointer)) return;
  const { schema = {} } = value;
  if (!isSchemaObject(schema) || !isSilentOfParts(schema)) return;
  const shown = examplesOf(value, resolve).filter((each) => schema['type'] === undefined || isSchemaObject(each));
  const shape = shapeOf(shown, MAX_SHOWN_DEPTH) ?? {};
  if (!('properties' in shape || 'items' in shape)) return;
  warn(value['example'] === undefined ? 'examples' : 'example', {
    message: 'A body with an example and without a schema is read as one with the properties of the example',
    hint: 'Write a schema: an example alone does not say what must be there.',
    isForAll: true,
  });
  set('schema', { ...schema, ...shape });
};

/** Does a schema say no more than that something is an object? Items are those of a list. */
function isSilentOfParts({ type = 'object', ...others }: SchemaObject): boolean {
  return type === 'object' && Object.keys(others).every((name) => name === 'items' || NOTES.has(name));
}

function examplesOf({ schema, examples, ...body }: SchemaObject, resolve: CorrectableObject['resolve']): JsonValue[] {
  const example = body['example'] ?? (isSchemaObject(schema) ? schema['example'] : undefined);
  if (example !== undefined) return [example];
  const named = isSchemaObject(examples) ? Object.entries(examples) : [];
  return named.flatMap(([name, each]) => {
    // Swagger 2.0 §5.2.13: the media type is the name, and the value the example.
    if (name.includes('/')) return /\bjson\b/i.test(name) ? [each] : [];
    const found = isSchemaObject(each) ? (referredValue(each, resolve) ?? each['value']) : undefined;
    return found === undefined ? [] : [found];
  });
}

/** Returns the schema that says which parts values have; `undefined` for none of them. */
function shapeOf(all: readonly JsonValue[], left: number): SchemaObject | undefined {
  const values = all.filter((each) => each !== null);
  const [first] = values;
  if (first === undefined) return undefined;
  if (left === 0) return {};
  const objects = values.filter(isSchemaObject);
  if (objects.length === values.length) {
    const names = [...new Set(objects.flatMap((each) => Object.keys(each)))];
    const parts = names.map((name) => {
      const shown = objects.map((each) => ownProperty(each, name) ?? null);
      return [name, shapeOf(shown.slice(0, MAX_SHOWN_ROWS), left - 1) ?? {}] as const;
    });
    return names.length === 0 ? {} : { properties: Object.fromEntries(parts) };
  }
  const lists = values.filter((each) => Array.isArray(each));
  if (lists.length < values.length) return { example: first };
  const items = shapeOf(lists.flat().slice(0, MAX_SHOWN_ROWS), left - 1);
  return items === undefined ? {} : { items };
}
