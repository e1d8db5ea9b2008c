import type { SourceFinding } from '../../core/errors/standin-error';
import { getAtPointer, joinPointer } from '../../core/json/json-pointer';
import { type JsonValue, plainNumbers } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import { nearestWord, similarName, typoOf } from '../../core/text/similar-name';
import { isSchemaObject, type SchemaObject, stringItems } from '../../schema/schema-object';
import { structuralSeverity } from '../lint/lint';
import { rootOf } from '../read/references';
import { findingAt, type SourceDocument, valueAt } from '../read/source-document';
import { allowedNames, declaredSchemas, matchingSchemas } from './matching-schemas';

/** An error of the precompiled validator, in ajv's shape. */
interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** @param schema - the schema that the error is about: it knows what would have been right */
type Explain = (error: SchemaError, schema: SchemaObject, document: SourceDocument) => SourceFinding;

const RULE = 'openapi-schema';

/** Says in our words, and with a suggestion, what the validator found. */
const explainSchemaError: Explain = (error, schema, document) => ({
  ...explained(error, schema, document),
  severity: structuralSeverity(error, error.instancePath, intendedProperty(error, schema, document)),
});

/** The property that an unknown one is a slip of. Where that one stands beside it, it counts, and nothing is lost. */
function intendedProperty(
  { params, instancePath }: SchemaError,
  schema: SchemaObject,
  document: SourceDocument,
): string | undefined {
  const name = params['additionalProperty'] ?? params['unevaluatedProperty'];
  const meant = typeof name === 'string' ? typoOf(name, allowedNames(schema).names) : undefined;
  const around = getAtPointer(document.root, instancePath);
  return meant !== undefined && isSchemaObject(around) && Object.hasOwn(around, meant) ? undefined : meant;
}

const explained: Explain = (error, schema, document) => {
  const explain = Object.hasOwn(EXPLANATIONS, error.keyword) ? EXPLANATIONS[error.keyword] : undefined;
  if (explain !== undefined) return explain(error, schema, document);
  const { keyword, params, instancePath, message } = error;
  return findingAt(document, instancePath, {
    rule: RULE,
    message: `The value ${message ?? `breaks "${keyword}"`}`,
    expected: expectedOf(keyword, params),
  });
};

const unknownProperty: Explain = ({ params, instancePath }, schema, document) => {
  const name = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
  const { names, patterns } = allowedNames(schema);
  const shown = [...names, ...patterns.map((pattern) => `a name that matches ${pattern}`)];
  return findingAt(document, joinPointer(instancePath, name), {
    rule: RULE,
    message: `"${name}" is not a property that OpenAPI has here`,
    expected: shown.length === 0 ? undefined : `one of ${shown.join(', ')}, or an x- extension`,
    hint: didYouMean(typoOf(name, names) ?? similarName(name, names)),
  });
};

const missingProperty: Explain = ({ params, instancePath }, _schema, document) => {
  const name = String(params['missingProperty']);
  return findingAt(document, instancePath, {
    rule: RULE,
    message: `The property "${name}" is missing`,
    expected: `"${name}"`,
  });
};

const notAllowed: Explain = ({ params, instancePath }, schema, document) => {
  const listed: JsonValue[] | undefined = Array.isArray(schema['enum']) ? schema['enum'] : undefined;
  const allowed = (listed ?? (params['allowedValues'] as unknown[])).map(String);
  const value = getAtPointer(document.root, instancePath) ?? null;
  return findingAt(document, instancePath, {
    rule: RULE,
    message: `${stringifyJson(value)} is not allowed here`,
    expected: `one of ${allowed.join(', ')}`,
    hint: typeof value === 'string' ? didYouMean(nearestWord(value, allowed)) : undefined,
  });
};

const wrongType: Explain = ({ params, instancePath }, schema, document) => {
  const types = [schema['type'] ?? params['type']].flat().map(String).join(' or ');
  return findingAt(document, instancePath, { rule: RULE, message: `The value must be ${types}`, expected: types });
};

/** The official schema says `not` of properties that exclude each other, and of the scheme of a bearer token. */
const notTogether: Explain = ({ instancePath }, schema, document) => {
  const names = stringItems(isSchemaObject(schema['not']) ? schema['not']['required'] : undefined);
  if (names.length === 0)
    return findingAt(document, instancePath, { rule: RULE, message: 'The value is not allowed here' });
  const quoted = names.map((name) => `"${name}"`).join(' and ');
  return findingAt(document, instancePath, {
    rule: RULE,
    message: names.length > 1 ? `${quoted} exclude each other` : `The property ${quoted} is not allowed here`,
    expected: names.length > 1 ? 'one of them' : undefined,
  });
};

const EXPLANATIONS: Readonly<Record<string, Explain>> = {
  type: wrongType,
  additionalProperties: unknownProperty,
  unevaluatedProperties: unknownProperty,
  required: missingProperty,
  enum: notAllowed,
  not: notTogether,
};

function didYouMean(near: string | undefined): string | undefined {
  return near === undefined ? undefined : `Did you mean "${near}"?`;
}

function expectedOf(keyword: string, params: Readonly<Record<string, unknown>>): string | undefined {
  if (keyword === 'pattern') return `text that matches ${String(params['pattern'])}`;
  if (keyword === 'format') return `a ${String(params['format'])}`;
  return undefined;
}

/** The official JSON Schema of an OpenAPI version, and the validator that ajv made of it at build time. */
export interface DocumentValidator {
  /** Is a document valid? As {@link validate} says, and sooner; for the versions that have it. */
  readonly accepts?: ((root: unknown) => boolean) | undefined;
  readonly validate: { (root: unknown): boolean; errors?: readonly SchemaError[] | null };
  /** Read only when there is something to explain. */
  schema(): JsonValue;
}

/** An error with the schema that it is about, as far as it is known. */
interface AttributedError {
  readonly error: SchemaError;
  readonly schema: SchemaObject;
}

/**
 * Checks a document by the official JSON Schema of its OpenAPI version and gives each disagreement once. Branches of a
 * union that the author cannot have meant are left out.
 */
export function validateDocument(document: SourceDocument, validator: DocumentValidator): SourceFinding[] {
  const root = document.isPlain === true ? document.root : plainNumbers(document.root);
  if (validator.accepts?.(root) === true || validator.validate(root)) return [];
  const meant = attributedErrors(validator.validate.errors ?? [], document, validator);
  const told = meant
    .filter(({ error }) => !meant.some(({ error: other }) => explains(other, error)))
    .filter((each) => !isKnownProperty(each, meant))
    // ajv's format rejects patterns that OpenAPI allows; `schema-compiles` tries them as they will be used.
    .filter(({ error }) => error.params['format'] !== 'regex');
  const findings = new Map<string, SourceFinding>();
  for (const { error, schema } of told) {
    const finding = explainSchemaError(error, schema, document);
    const key = `${finding.pointer} ${finding.message}`;
    if (!findings.has(key)) findings.set(key, finding);
  }
  return [...findings.values()];
}

/** The errors of the schemas that are meant. Should none of them be, a rejection without a reason would be worse. */
function attributedErrors(
  errors: readonly SchemaError[],
  document: SourceDocument,
  validator: DocumentValidator,
): readonly AttributedError[] {
  const official = validator.schema();
  const schemas = matchingSchemas(isSchemaObject(official) ? official : {}, rootOf(document));
  const hasConditions = isSchemaObject(official) && official['$defs'] !== undefined;
  const meant = errors.flatMap((error): AttributedError[] => {
    // That a condition failed is reported by what failed in it.
    if (error.keyword === 'if') return [];
    const value = valueAt(document, error.instancePath);
    const schema = schemas.get(error.instancePath)?.find((candidate) => isErrorOf(candidate, error, value));
    // A schema of 2020-12 has conditions in place of most unions: what it reports is meant.
    if (schema === undefined) return hasConditions ? [{ error, schema: {} }] : [];
    return [{ error, schema }];
  });
  return meant.length > 0 ? meant : errors.map((error) => ({ error, schema: {} }));
}

/**
 * Is a property only called unknown because a schema that knows it met another error in the object? Then what it had
 * looked at does not count (JSON Schema Core §11.3).
 */
function isKnownProperty({ error, schema }: AttributedError, all: readonly AttributedError[]): boolean {
  const name = error.params['unevaluatedProperty'];
  if (typeof name !== 'string' || !allowedNames(schema).names.includes(name)) return false;
  const inside = `${error.instancePath}/`;
  return all.some(({ error: other }) => other.keyword !== error.keyword && `${other.instancePath}/`.startsWith(inside));
}

/** Does a schema state what the error says is broken? What ajv gives as the path of the schema cannot tell. */
function isErrorOf(schema: SchemaObject, { keyword, params }: SchemaError, value: JsonValue | undefined): boolean {
  const operand = schema[keyword];
  switch (keyword) {
    case 'required':
      return includesAll(operand, [params['missingProperty']]);
    case 'enum':
      return includesAll(operand, params['allowedValues']);
    case 'type':
      return includesAll(Array.isArray(operand) ? operand : [operand ?? null], [params['type']].flat());
    case 'additionalProperties':
      return operand === false && declaredSchemas(schema, String(params['additionalProperty'])).length === 0;
    case 'not':
      return isSchemaObject(operand) && hasAll(value, stringItems(operand['required']));
    default:
      return operand !== undefined;
  }
}

function hasAll(value: JsonValue | undefined, names: readonly string[]): boolean {
  return names.every((name) => isSchemaObject(value) && Object.hasOwn(value, name));
}

function includesAll(list: JsonValue | undefined, wanted: unknown): boolean {
  const known: readonly unknown[] = Array.isArray(list) ? list : [];
  return Array.isArray(wanted) && wanted.every((value) => known.includes(value));
}

/** Does `other` say all there is to say about `error`: what no branch of a union took, or a value of the wrong type? */
function explains(other: SchemaError, error: SchemaError): boolean {
  if (other.keyword === 'type' && other.instancePath === error.instancePath) return error.keyword !== 'type';
  if (!isUnion(error) || isUnion(other)) return false;
  return `${other.instancePath}/`.startsWith(`${error.instancePath}/`);
}

function isUnion({ keyword }: SchemaError): boolean {
  return keyword === 'oneOf' || keyword === 'anyOf';
}
