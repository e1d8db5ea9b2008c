import type { SourceFinding } from '../core/errors/standin-error';
import { getAtPointer, joinPointer, parsePointer } from '../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, plainNumbers } from '../core/json/json-value';
import { stringifyJson } from '../core/json/stringify-json';
import { didYouMean } from '../core/text/similar-name';
import { localPointer } from '../openapi/read/references';
import { findingAt, type SourceDocument, valueAt } from '../openapi/read/source-document';

/** Formats with a published JSON Schema, `<name>.schema.json`, of which the build writes a validator. */
type FormatName =
  | 'baseline'
  | 'contract'
  | 'ledger'
  | 'overlay'
  | 'overrides'
  | 'pack'
  | 'recording'
  | 'result'
  | 'tokens';

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

/* oxlint-disable typescript/no-require-imports -- loaded only for the formats that are used */
const validatorOf = (format: FormatName): Validate => require(`#generated/${format}.js`) as Validate;

/** The published JSON Schema of a format. */
export const formatSchema = (format: FormatName): JsonObject =>
  require(`#generated/${format}.schema.json`) as JsonObject;
/* oxlint-enable typescript/no-require-imports */

/**
 * Compares a document with the JSON Schema of its format. Annotations of the schema say in words what its keywords
 * cannot: `x-expected` what a value must be, `x-hint` how to get one, `x-message` what is wrong where a combination of
 * properties is (`{name}` is the last of its pointer), `x-known` what the beginning of a mistyped text can be; values
 * with `writeOnly` are secret and never shown.
 *
 * @returns what is wrong, each with its line; empty when the document can be mapped as it is
 */
export function decode(document: SourceDocument, format: FormatName): SourceFinding[] {
  return decodeParts(document, format).findings;
}

/** What is wrong with a document, and what of it can be mapped all the same. */
interface DecodedParts {
  readonly findings: SourceFinding[];
  /**
   * The document without the values that are not as the format has them, so that all that is there has the right type;
   * what is missing is missing here too. In arrays they leave holes, which `map` and `flatMap` skip. `undefined` where
   * nothing is left.
   */
  readonly root: JsonValue | undefined;
}

export function decodeParts(document: SourceDocument, format: FormatName): DecodedParts {
  const validate = validatorOf(format);
  const { root } = document;
  if (validate(document.isPlain === true ? root : plainNumbers(root))) return { findings: [], root };
  const schema = formatSchema(format);
  const findings = new Map<string, SourceFinding>();
  const rejected = new Set<string>();
  const errors = causes(validate.errors ?? []);
  // A mistyped name is often why another one is missing.
  for (const error of [...errors.filter(isUnknownKey), ...errors.filter((each) => !isUnknownKey(each))]) {
    const explained = explain(error, schema, document);
    const key = explained.pointer + explained.key;
    if (error.keyword !== 'required') rejected.add(explained.pointer);
    if (!findings.has(key))
      findings.set(key, findingAt(document, explained.pointer, { rule: `${format}-format`, ...explained }));
  }
  return { findings: [...findings.values()], root: without(root, '', rejected) };
}

function without(value: JsonValue, pointer: string, rejected: ReadonlySet<string>): JsonValue | undefined {
  if (rejected.has(pointer)) return undefined;
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const [index, item] of value.entries()) {
      const left = without(item, joinPointer(pointer, index), rejected);
      if (left !== undefined) items[index] = left;
    }
    return items;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [
    name,
    without(item, joinPointer(pointer, name), rejected),
  ]);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined)) as JsonObject;
}

/** A value of a file, with its place. */
export interface LocatedValue {
  readonly value: JsonValue;
  readonly pointer: string;
}

/** Notes what else is wrong with a file, each with file, line and column. */
export class FormatDiagnostics {
  readonly findings: SourceFinding[] = [];
  readonly document: SourceDocument;
  private readonly rule: string;

  /** @param rule - id to put on the findings, for example `contract-format` */
  constructor(document: SourceDocument, rule: string) {
    this.document = document;
    this.rule = rule;
  }

  add(pointer: string, message: string, expected?: string, hint?: string): void {
    this.findings.push(findingAt(this.document, pointer, { rule: this.rule, message, expected, hint }));
  }

  /**
   * Rejects a name that is none of the known ones, and says which one was probably meant.
   *
   * @param advice - what else can be done about it
   */
  addUnknownName(pointer: string, message: string, name: string, known: readonly string[], advice?: string): void {
    const list = known.length > 12 ? `${known.slice(0, 12).join(', ')}, …` : known.join(', ');
    const hint = joined(didYouMean(name, known), advice);
    this.add(pointer, message, known.length === 0 ? undefined : `one of ${list}`, hint);
  }
}

function joined(...hints: readonly (string | undefined)[]): string | undefined {
  const given = hints.filter((hint) => hint !== undefined);
  return given.length === 0 ? undefined : given.join(' ');
}

/** Keywords whose error stands for those inside them. A schema with `$ref` inside would need more than its path. */
const COMBINING: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'not']);

/** Errors without those that only follow from another one. */
function causes(all: readonly SchemaError[]): SchemaError[] {
  const version = all.find(isOfVersion);
  // Another version of the format, or another document: what else is wrong follows from that.
  if (version !== undefined) return [version];
  const errors = all.filter(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames');
  const own = errors.filter(({ instancePath, schemaPath }) => {
    return !errors.some((other) => {
      const isInside = `${instancePath}/`.startsWith(`${other.instancePath}/`);
      return isInside && COMBINING.has(other.keyword) && schemaPath.startsWith(`${other.schemaPath}/`);
    });
  });
  return own.filter(({ keyword, instancePath }) => {
    return keyword === 'type' || !own.some((other) => other.keyword === 'type' && other.instancePath === instancePath);
  });
}

/** Results have their version under `format`; where that alone is missing, all that is wrong tells what the file is. */
function isOfVersion({ instancePath, keyword, params }: SchemaError): boolean {
  const isMissing = instancePath === '' && keyword === 'required' && params['missingProperty'] === 'standin';
  return isMissing || instancePath === '/standin' || instancePath === '/format';
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
    const message = messageAt(at, schema) ?? `"${propertyName}" is not a valid name`;
    return { pointer: at, key: '', message, ...adviceOf(schema, root) };
  }
  if (isUnknownKey(error)) return unknownKey(pointer, String(params['additionalProperty']), schema);
  if (keyword === 'required') {
    const name = String(params['missingProperty']);
    const property = objectAt(objectAt(schema, 'properties'), name);
    return { pointer, key: name, message: `The property "${name}" is missing`, ...adviceOf(property, root) };
  }
  const message = messageAt(pointer, schema);
  const value = valueAt(document, pointer) ?? null;
  const advice = adviceOf(schema, root);
  if (message !== undefined) return { pointer, key: '', ...advice, message };
  const shown = keyword === 'minItems' ? 'an empty array' : described(value);
  const got = schema['writeOnly'] === true ? '' : `, got ${shown}`;
  return {
    pointer,
    key: '',
    expected: undefined,
    message: `${subjectOf(pointer)} must be ${advice.expected ?? 'another value'}${got}`,
    hint: typeof value === 'string' ? (meantWord(value, schema) ?? advice.hint) : advice.hint,
  };
}

/** What the schema itself says is wrong with a value. */
function messageAt(pointer: string, { 'x-message': message }: JsonObject): string | undefined {
  return typeof message === 'string' ? message.replace('{name}', parsePointer(pointer).at(-1) ?? '') : undefined;
}

function unknownKey(pointer: string, name: string, schema: JsonObject): Explanation {
  const known = Object.keys(objectAt(schema, 'properties'));
  const { 'x-hint': hint } = schema;
  return {
    pointer: joinPointer(pointer, name),
    key: '',
    message: `Unknown key "${name}"`,
    expected: `one of ${known.join(', ')}`,
    hint: joined(didYouMean(name, known), typeof hint === 'string' ? hint : undefined),
  };
}

function meantWord(text: string, schema: JsonObject): string | undefined {
  const { 'x-known': beginnings } = schema;
  if (!Array.isArray(beginnings)) return didYouMean(text, wordsOf(schema));
  const [beginning = ''] = /^\$?\w*(?:\.\w*)?/.exec(text) ?? [];
  return beginnings.includes(beginning) ? undefined : didYouMean(beginning, beginnings.map(String));
}

/** The values that a schema lists. */
function wordsOf({ enum: list, anyOf }: JsonObject): string[] {
  if (Array.isArray(list)) return list.map(String);
  const options = Array.isArray(anyOf) ? anyOf : [];
  const constants = options.flatMap((option) => (isJsonObject(option) ? (option['const'] ?? []) : []));
  return constants.length === options.length ? constants.map(String) : [];
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
  const { 'x-expected': words, $ref: reference, const: constant, type, minimum, maximum } = schema;
  if (typeof words === 'string') return words;
  if (typeof reference === 'string') {
    const target = getAtPointer(root, localPointer(reference) ?? '');
    return isJsonObject(target) ? expectedOf(target, root) : undefined;
  }
  if (constant !== undefined) return stringifyJson(constant);
  const list = wordsOf(schema);
  if (list.length > 0) return `one of ${list.join(', ')}`;
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

/** JSON may write 200 as 200.0 or 2e2, which is read exactly. */
export function plainNumber(value: unknown): number {
  return Number(value);
}

/** One value, or a list of values. */
export function oneOrMore<Value>(value: Value | readonly Value[]): readonly Value[] {
  return Array.isArray(value) ? (value as readonly Value[]) : [value as Value];
}
