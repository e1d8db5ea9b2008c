import type { SourceFinding } from '../core/errors/standin-error';
import { getAtPointer, joinPointer, parsePointer } from '../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, plainNumbers } from '../core/json/json-value';
import { stringifyJson } from '../core/json/stringify-json';
import { similarName } from '../core/text/similar-name';
import { localPointer } from '../openapi/read/references';
import { findingAt, type SourceDocument, valueAt } from '../openapi/read/source-document';

/** Formats with a JSON Schema, `docs/<name>.schema.json`, of which the build writes a validator. */
export type FormatName = 'baseline' | 'overlay' | 'overrides' | 'pack' | 'result' | 'tokens';

/** An error as ajv gives it. */
interface SchemaError {
  readonly instancePath: string;
  /** Of the keyword, from the schema that the last `$ref` led to. */
  readonly schemaPath: string;
  /** The schema that has the keyword. */
  readonly parentSchema: JsonObject;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The property whose name is wrong, for errors inside `propertyNames`. */
  readonly propertyName?: string;
}

type Validate = ((root: unknown) => boolean) & { readonly errors?: readonly SchemaError[] | null };

/* eslint-disable @typescript-eslint/no-require-imports -- loaded only for the formats that are used */
const validatorOf = (format: FormatName): Validate => require(`#generated/${format}.js`) as Validate;

/** The published JSON Schema of a format. */
export const formatSchema = (format: FormatName): JsonObject =>
  require(`#generated/${format}.schema.json`) as JsonObject;
/* eslint-enable @typescript-eslint/no-require-imports */

/**
 * Compares a document with the JSON Schema of its format. Annotations of the schema say in words what its keywords
 * cannot: `x-expected` what a value must be, `x-hint` how to get one, `x-message` what is wrong where a combination of
 * properties is; values with `writeOnly` are secret and never shown.
 *
 * @returns what is wrong, each with its line; empty when the document can be mapped as it is
 */
export function decode(document: SourceDocument, format: FormatName): SourceFinding[] {
  const validate = validatorOf(format);
  if (validate(document.isPlain === true ? document.root : plainNumbers(document.root))) return [];
  const schema = formatSchema(format);
  const findings = new Map<string, SourceFinding>();
  const errors = causes(validate.errors ?? []);
  // A mistyped name is often why another one is missing.
  for (const error of [...errors.filter(isUnknownKey), ...errors.filter((each) => !isUnknownKey(each))]) {
    const explained = explain(error, schema, document);
    const finding = findingAt(document, explained.pointer, { rule: `${format}-format`, ...explained });
    if (!findings.has(finding.pointer + explained.key)) findings.set(finding.pointer + explained.key, finding);
  }
  return [...findings.values()];
}

/** Keywords whose error stands for those inside them. A schema with `$ref` inside would need more than its path. */
const COMBINING: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'not']);

/** Errors without those that only follow from another one. */
function causes(all: readonly SchemaError[]): SchemaError[] {
  const errors = all.filter(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames');
  return errors.filter(({ keyword, instancePath, schemaPath }) => {
    const isCombined = errors.some((other) => {
      const isInside = `${instancePath}/`.startsWith(`${other.instancePath}/`);
      return isInside && COMBINING.has(other.keyword) && schemaPath.startsWith(`${other.schemaPath}/`);
    });
    const hasOtherType = errors.some((other) => other.keyword === 'type' && other.instancePath === instancePath);
    return !isCombined && (keyword === 'type' || !hasOtherType);
  });
}

const isUnknownKey = ({ keyword }: SchemaError): boolean => keyword === 'additionalProperties';

interface Explanation {
  readonly pointer: string;
  /** Errors at one pointer with the same key are one finding. */
  readonly key: string;
  readonly message: string;
  readonly expected: string | undefined;
  readonly hint: string | undefined;
}

function explain(error: SchemaError, root: JsonObject, document: SourceDocument): Explanation {
  const { keyword, instancePath: pointer, params, propertyName, parentSchema: schema } = error;
  if (propertyName !== undefined) {
    const at = joinPointer(pointer, propertyName);
    return { pointer: at, key: '', message: `"${propertyName}" is not a valid name`, ...adviceOf(schema, root) };
  }
  if (isUnknownKey(error)) return unknownKey(pointer, String(params['additionalProperty']), schema);
  if (keyword === 'required') {
    const name = String(params['missingProperty']);
    const property = objectAt(objectAt(schema, 'properties'), name);
    return { pointer, key: name, message: `The property "${name}" is missing`, ...adviceOf(property, root) };
  }
  const message = schema['x-message'];
  const value = valueAt(document, pointer) ?? null;
  const advice = adviceOf(schema, root);
  if (typeof message === 'string') return { pointer, key: '', ...advice, message };
  const got = schema['writeOnly'] === true ? '' : `, got ${described(value)}`;
  return {
    pointer,
    key: '',
    expected: undefined,
    message: `${subjectOf(pointer)} must be ${advice.expected ?? 'another value'}${got}`,
    hint: typeof value === 'string' ? (didYouMean(value, schema['enum']) ?? advice.hint) : advice.hint,
  };
}

function unknownKey(pointer: string, name: string, schema: JsonObject): Explanation {
  const known = Object.keys(objectAt(schema, 'properties'));
  return {
    pointer: joinPointer(pointer, name),
    key: '',
    message: `Unknown key "${name}"`,
    expected: `one of ${known.join(', ')}`,
    hint: didYouMean(name, known),
  };
}

function didYouMean(name: string, known: JsonValue | readonly string[] | undefined): string | undefined {
  const near = Array.isArray(known) ? similarName(name, known.map(String)) : undefined;
  return near === undefined ? undefined : `Did you mean "${near}"?`;
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return isJsonObject(value) ? value : {};
}

function adviceOf(schema: JsonObject, root: JsonObject): Pick<Explanation, 'expected' | 'hint'> {
  const hint = schema['x-hint'];
  return { expected: expectedOf(schema, root), hint: typeof hint === 'string' ? hint : undefined };
}

const EXPECTED_TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  number: 'a number',
  integer: 'a whole number',
};

/** What a schema asks for, in words. */
function expectedOf(schema: JsonObject, root: JsonObject): string | undefined {
  const { 'x-expected': words, $ref: reference, const: constant, enum: list, type, minimum, maximum } = schema;
  if (typeof words === 'string') return words;
  if (typeof reference === 'string') {
    const target = getAtPointer(root, localPointer(reference) ?? '');
    return isJsonObject(target) ? expectedOf(target, root) : undefined;
  }
  if (constant !== undefined) return stringifyJson(constant);
  if (Array.isArray(list)) return `one of ${list.map(String).join(', ')}`;
  if (schema['minLength'] !== undefined) return 'a non-empty string';
  const names = Array.isArray(type) ? type : [type];
  const types = names.flatMap((name) => (typeof name === 'string' ? (EXPECTED_TYPES[name] ?? name) : []));
  const from = typeof minimum === 'number' ? ` from ${minimum}` : '';
  const to = typeof maximum === 'number' ? ` to ${maximum}` : '';
  return types.length === 0 ? undefined : `${types.join(' or ')}${from}${to}`;
}

/** What a pointer leads to, as a reader of the file would call it. */
function subjectOf(pointer: string): string {
  const path = parsePointer(pointer);
  const name = path.at(-1);
  if (name === undefined) return 'The document';
  return /^\d+$/.test(name) && path.length > 1 ? `An item of "${path.at(-2) ?? ''}"` : `"${name}"`;
}

/** A value in messages: `the string "200"`, `an array`, `7`. */
export function described(value: JsonValue): string {
  if (Array.isArray(value)) return 'an array';
  if (isJsonObject(value)) return 'an object';
  const text = stringifyJson(value);
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return typeof value === 'string' ? `the string ${short}` : short;
}
