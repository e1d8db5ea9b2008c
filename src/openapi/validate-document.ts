import type { SourceFinding } from '../errors/source-finding';
import type { JsonValue } from '../json/json-value';
import { plainNumbers } from '../json/plain-numbers';
import { textsOf } from '../json-schema/one-way-members';
import { isSchemaObject, type SchemaObject } from '../json-schema/schema';
import { allowedNames } from './allowed-names';
import { explainSchemaError, type SchemaError } from './explain-schema-error';
import { declaredSchemas, meantSchemas } from './meant-schemas';
import { valueAt, type SourceDocument } from './source-document';
import { rootOf } from './walk';

/** The official JSON Schema of an OpenAPI version, and the validator that ajv made of it at build time. */
export interface DocumentValidator {
  /** Is a document valid? As {@link judge} says, and sooner; for the versions that have it. */
  readonly accepts?: ((root: unknown) => boolean) | undefined;
  readonly judge: { (root: unknown): boolean; errors?: readonly SchemaError[] | null };
  /** Read only when there is something to explain. */
  schema(): JsonValue;
}

/** An error with the schema that it is about, as far as it is known. */
interface MeantError {
  readonly error: SchemaError;
  readonly schema: SchemaObject;
}

/**
 * Judges a document by the official JSON Schema of its OpenAPI version and gives each disagreement once. Branches of a
 * union that the author cannot have meant are left out.
 */
export function validateDocument(document: SourceDocument, validator: DocumentValidator): SourceFinding[] {
  const root = document.isPlain === true ? document.root : plainNumbers(document.root);
  if (validator.accepts?.(root) === true || validator.judge(root)) return [];
  const meant = meantErrors(validator.judge.errors ?? [], document, validator);
  const told = meant
    .filter(({ error }) => !meant.some(({ error: other }) => explains(other, error)))
    .filter((each) => !isKnownMember(each, meant))
    // ajv's format refuses patterns that OpenAPI allows; `schema-compiles` tries them as they will be used.
    .filter(({ error }) => error.params['format'] !== 'regex');
  const findings = new Map<string, SourceFinding>();
  for (const { error, schema } of told) {
    const finding = explainSchemaError(error, schema, document);
    const key = `${finding.pointer} ${finding.message}`;
    if (!findings.has(key)) findings.set(key, finding);
  }
  return [...findings.values()];
}

/** The errors of the schemas that are meant. Should none of them be, a refusal without a reason would be worse. */
function meantErrors(
  errors: readonly SchemaError[],
  document: SourceDocument,
  validator: DocumentValidator,
): readonly MeantError[] {
  const official = validator.schema();
  const schemas = meantSchemas(isSchemaObject(official) ? official : {}, rootOf(document));
  const hasConditions = isSchemaObject(official) && official['$defs'] !== undefined;
  const meant = errors.flatMap((error): MeantError[] => {
    // That a condition failed is told by what failed in it.
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
 * Is a member only called unknown because a schema that knows it met another error in the object? Then what it had
 * looked at does not count (JSON Schema Core §11.3).
 */
function isKnownMember({ error, schema }: MeantError, all: readonly MeantError[]): boolean {
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
      return isSchemaObject(operand) && hasAll(value, textsOf(operand['required']));
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
