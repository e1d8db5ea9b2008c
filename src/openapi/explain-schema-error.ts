import { nearestWord, similarName, slipOf } from '../errors/similar-name';
import type { SourceFinding } from '../errors/source-finding';
import { getAtPointer, joinPointer } from '../json/json-pointer';
import type { JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { textsOf } from '../json-schema/one-way-members';
import { isSchemaObject, type SchemaObject } from '../json-schema/schema';
import { allowedNames } from './allowed-names';
import { structuralSeverity } from './severity';
import { findingAt, type SourceDocument } from './source-document';

/** An error of the precompiled validator, in ajv's shape. */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** @param schema - the schema that the error is about: it knows what would have been right */
type Explain = (error: SchemaError, schema: SchemaObject, document: SourceDocument) => SourceFinding;

const RULE = 'openapi-schema';

/** Says in our words, and with a suggestion, what the validator found. */
export const explainSchemaError: Explain = (error, schema, document) => ({
  ...explained(error, schema, document),
  severity: structuralSeverity(error, error.instancePath, meantMember(error, schema, document)),
});

/** The member that an unknown one is a slip of. Where that one stands beside it, it counts, and nothing is lost. */
function meantMember(
  { params, instancePath }: SchemaError,
  schema: SchemaObject,
  document: SourceDocument,
): string | undefined {
  const name = params['additionalProperty'] ?? params['unevaluatedProperty'];
  const meant = typeof name === 'string' ? slipOf(name, allowedNames(schema).names) : undefined;
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

const unknownMember: Explain = ({ params, instancePath }, schema, document) => {
  const name = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
  const { names, patterns } = allowedNames(schema);
  const shown = [...names, ...patterns.map((pattern) => `a name that matches ${pattern}`)];
  return findingAt(document, joinPointer(instancePath, name), {
    rule: RULE,
    message: `"${name}" is not a member that OpenAPI has here`,
    expected: shown.length === 0 ? undefined : `one of ${shown.join(', ')}, or an x- extension`,
    hint: didYouMean(slipOf(name, names) ?? similarName(name, names)),
  });
};

const missingMember: Explain = ({ params, instancePath }, _schema, document) => {
  const name = String(params['missingProperty']);
  return findingAt(document, instancePath, {
    rule: RULE,
    message: `The member "${name}" is missing`,
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

/** The official schema says `not` of members that exclude each other, and of the scheme of a bearer token. */
const notTogether: Explain = ({ instancePath }, schema, document) => {
  const names = textsOf(isSchemaObject(schema['not']) ? schema['not']['required'] : undefined);
  if (names.length === 0)
    return findingAt(document, instancePath, { rule: RULE, message: 'The value is not allowed here' });
  const quoted = names.map((name) => `"${name}"`).join(' and ');
  return findingAt(document, instancePath, {
    rule: RULE,
    message: names.length > 1 ? `${quoted} exclude each other` : `The member ${quoted} is not allowed here`,
    expected: names.length > 1 ? 'one of them' : undefined,
  });
};

const EXPLANATIONS: Readonly<Record<string, Explain>> = {
  type: wrongType,
  additionalProperties: unknownMember,
  unevaluatedProperties: unknownMember,
  required: missingMember,
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
