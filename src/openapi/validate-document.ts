import type { SourceFinding } from '../errors/source-finding';
import { similarName } from '../errors/similar-name';
import { ExactNumber } from '../json/exact-number';
import { getAtPointer, joinPointer, parentPointer } from '../json/json-pointer';
import type { JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { isSchemaObject } from '../json-schema/schema';
import { findingAt, type SourceDocument } from './source-document';

/** An error of the precompiled validator, in ajv's shape. */
interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** The official JSON Schema of an OpenAPI version, and the validator that ajv made of it at build time. */
export interface DocumentValidator {
  readonly judge: { (root: unknown): boolean; errors?: readonly SchemaError[] | null };
  /** Read only when there is something to explain. */
  schema(): JsonValue;
}

/**
 * Judges a document by the official JSON Schema of its OpenAPI version and gives each disagreement once, in the
 * document's order. Branches of a union that the author cannot have meant are left out.
 */
export function validateDocument(document: SourceDocument, validator: DocumentValidator): SourceFinding[] {
  if (validator.judge(plainNumbers(document.root))) return [];
  const errors = (validator.judge.errors ?? []).filter((error) => isMeant(error, document));
  const deepest = errors.filter((error) => !errors.some((other) => explains(other, error)));
  const seen = new Set<string>();
  return deepest.flatMap((error): SourceFinding[] => {
    const finding = toFinding(error, document, validator);
    const key = `${finding.pointer} ${finding.message}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [finding];
  });
}

/** The schema offers "X or Reference" everywhere: only the branch that the value tries to be is worth a word. */
function isMeant(error: SchemaError, document: SourceDocument): boolean {
  const value = getAtPointer(document.root, error.instancePath);
  const hasRef = isSchemaObject(value) && '$ref' in value;
  const isAboutReference = error.schemaPath.includes('Reference') || error.params['missingProperty'] === '$ref';
  return hasRef ? isAboutReference : !isAboutReference;
}

/** Does `other` say more precisely what the union error `error` says? */
function explains(other: SchemaError, error: SchemaError): boolean {
  if (error.keyword !== 'oneOf' && error.keyword !== 'anyOf' && error.keyword !== 'not') return false;
  return other !== error && other.instancePath.startsWith(error.instancePath) && other.keyword !== error.keyword;
}

type Explain = (error: SchemaError, document: SourceDocument, validator: DocumentValidator) => SourceFinding;

const RULE = 'openapi-schema';

const unknownMember: Explain = (error, document, validator) => {
  const { params, instancePath } = error;
  const name = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
  const allowed = allowedNames(error, validator);
  return findingAt(document, joinPointer(instancePath, name), {
    rule: RULE,
    message: `"${name}" is not a member that OpenAPI has here`,
    expected: allowed.length === 0 ? undefined : `one of ${allowed.join(', ')}, or an x- extension`,
    hint: didYouMean(name, allowed),
  });
};

const missingMember: Explain = ({ params, instancePath }, document) => {
  const name = String(params['missingProperty']);
  return findingAt(document, instancePath, {
    rule: RULE,
    message: `The member "${name}" is missing`,
    expected: `"${name}"`,
  });
};

const notAllowed: Explain = ({ params, instancePath }, document) => {
  const allowed = Array.isArray(params['allowedValues']) ? params['allowedValues'].map(String) : [];
  const value = getAtPointer(document.root, instancePath) ?? null;
  return findingAt(document, instancePath, {
    rule: RULE,
    message: `${stringifyJson(value)} is not allowed here`,
    expected: `one of ${allowed.join(', ')}`,
    hint: typeof value === 'string' ? didYouMean(value, allowed) : undefined,
  });
};

const EXPLANATIONS: Readonly<Record<string, Explain>> = {
  additionalProperties: unknownMember,
  unevaluatedProperties: unknownMember,
  required: missingMember,
  enum: notAllowed,
};

function toFinding(error: SchemaError, document: SourceDocument, validator: DocumentValidator): SourceFinding {
  const explain = EXPLANATIONS[error.keyword];
  if (explain !== undefined) return explain(error, document, validator);
  const { keyword, params, instancePath, message } = error;
  return findingAt(document, instancePath, {
    rule: RULE,
    message: `The value ${message ?? `breaks "${keyword}"`}`,
    expected: expectedOf(keyword, params),
  });
}

function didYouMean(name: string, allowed: readonly string[]): string | undefined {
  const near = similarName(name, allowed);
  return near === undefined ? undefined : `Did you mean "${near}"?`;
}

/** Names of the members that the schema around the keyword has. */
function allowedNames({ schemaPath }: SchemaError, validator: DocumentValidator): string[] {
  const pointer = parentPointer(decodeURIComponent(schemaPath.replace(/^[^#]*#/, '')));
  const properties = pointer === undefined ? undefined : getAtPointer(validator.schema(), `${pointer}/properties`);
  return isSchemaObject(properties) ? Object.keys(properties) : [];
}

/** The document as the validator can read it: it knows neither `bigint` nor our exact numbers. */
function plainNumbers(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof ExactNumber) return Number(value.lexeme);
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (!isSchemaObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainNumbers(member)]));
}

function expectedOf(keyword: string, params: Readonly<Record<string, unknown>>): string | undefined {
  if (keyword === 'type') return String(params['type']);
  if (keyword === 'pattern') return `text that matches ${String(params['pattern'])}`;
  if (keyword === 'format') return `a ${String(params['format'])}`;
  return undefined;
}
