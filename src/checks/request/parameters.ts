import { sentHeader } from '../../core/http/headers';
import type { RequestHead } from '../../core/http/message';
import { problem, type Problem, type ProblemDetail, type Refused, refused } from '../../core/http/problem';
import { rawCookieValues, rawQueryValues, type RawValues } from '../../core/http/raw-values';
import type { JsonValue } from '../../core/json/json-value';
import type { Operation, Parameter } from '../../openapi/model/operation';
import {
  decodeNamed,
  decodeParameter,
  hasOwnProperties,
  hasOwnNames,
  reasonOf,
} from '../../openapi/parameters/decode-parameter';
import { bracketPath } from '../../openapi/parameters/deep-object';
import type { DecodedParameter } from '../../openapi/parameters/text-shape';
import type { Violation } from '../../schema/validator';
import { BOOLEAN_WORD, LOCAL_TIMES, readLeniently, violationsOf } from './lenient-values';
import { isAlsoBodyProperty, isOptionalParameter } from './missing-properties';
import {
  CollectedValues,
  parameterTitle,
  type ParameterValues,
  readQuerystring,
  splitEncodedList,
} from './parameter-values';
import type { Warnings } from './warnings';

/** Query parameters that steer the mock, as those of Prism do, and are none of the service. */
const PRISM_PARAMETERS: ReadonlySet<string> = new Set(['__code', '__example', '__dynamic', '__seed']);

export type ParameterCheck = { readonly kind: 'valid'; readonly values: ParameterValues } | Refused;

/** What of a request holds parameters. */
interface ParameterSource {
  readonly head: Pick<RequestHead, 'headers'>;
  /** By name, still percent-encoded: lists are split before they are decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Raw query, without the question mark. */
  readonly query: string;
}

interface ParameterInput extends ParameterSource {
  /** Are query parameters that the description does not know rejected (RFC 7240 `handling=strict`)? */
  readonly strict: boolean;
  /** Gets what is read leniently; nothing is when it is left out. */
  readonly warnings?: Warnings;
  /** Is it the key of something that is stored, although the schema of the path parameter rejects it? */
  readonly isStoredKey?: (name: string, value: JsonValue) => boolean;
  /** Names in the query that carry credentials, which are known although they are no parameters. */
  readonly credentialNames?: ReadonlySet<string>;
}

/** What was sent where, read once for each request. */
interface RawParameters {
  readonly query: RawValues;
  /** Read when the first cookie is asked for. */
  cookies: RawValues | undefined;
}

/**
 * Decodes and checks every declared parameter; the first fault in the order of the description speaks, and its details
 * name those of the others too.
 */
export function checkParameters(operation: Operation, input: ParameterInput): ParameterCheck {
  const query = rawQueryValues(input.query);
  if (typeof query === 'string') {
    const message = `The query parameter "${query}" holds a percent sequence that is not UTF-8 text, or %00`;
    return refused(problem('invalid_parameter', message));
  }
  const sent: RawParameters = { query, cookies: undefined };
  const values = new CollectedValues();
  let first: Problem | undefined;
  const details: ProblemDetail[] = [];
  const reject = (fault: Problem): void => {
    first ??= fault;
    details.push(...(fault.details ?? []));
  };
  for (const parameter of operation.parameters) {
    const read = readParameter(operation, parameter, input, sent);
    if (read === undefined) {
      if (
        isRequired(parameter) &&
        !isSentAsAuthorization(parameter, input) &&
        !isShownOptional(operation, parameter, input)
      )
        reject(missingParameter(parameter));
    } else if (read.kind === 'refused') reject(read.problem);
    else if (read.kind === 'value') values.set(parameter.in, parameter.name, read.value);
  }
  if (first !== undefined) return refused({ ...first, details });
  const unknown = input.strict ? unknownName(operation, input, query) : undefined;
  if (unknown === undefined) return { kind: 'valid', values };
  const message = `The query parameter "${unknown}" is not known, and handling=strict was asked for`;
  return refused(problem('invalid_parameter', message));
}

/** A parameter that was sent. */
interface SentParameter {
  readonly parameter: Parameter;
  /** As it was read, not checked; `undefined` where it cannot be read. */
  readonly value: JsonValue | undefined;
}

/** The declared parameters that a request has, whatever their values. */
export function sentParameters(operation: Operation, input: ParameterSource): SentParameter[] {
  const query = rawQueryValues(input.query);
  if (typeof query === 'string') return [];
  const sent: RawParameters = { query, cookies: undefined };
  return operation.parameters.flatMap((parameter) => {
    const decoded = decode(operation, parameter, input, sent);
    if (decoded === undefined) return [];
    return [{ parameter, value: decoded.kind === 'value' ? decoded.value : undefined }];
  });
}

/**
 * Must something be sent for it? An exploded object without properties is sent as nothing, so that one that may be empty
 * is never missing.
 */
export function isRequired(parameter: Parameter): boolean {
  if (!parameter.required) return false;
  return !hasOwnProperties(parameter) || parameter.schema?.accepts({}, 'request') === false;
}

/** A token that the description wants as a parameter, and the client sends as HTTP has it (RFC 9110 §11.6.2). */
function isSentAsAuthorization({ name, in: place }: Parameter, { head, warnings }: ParameterInput): boolean {
  const isToken = place !== 'path' && /^(?:access|auth|api|bearer)?[-_]?token$/i.test(name);
  if (!isToken || head.headers['authorization'] === undefined || warnings === undefined) return false;
  return warnings.allows('credential_elsewhere', name);
}

/** A parameter that is called required, and shown to be optional. */
function isShownOptional(operation: Operation, parameter: Parameter, { warnings }: ParameterInput): boolean {
  if (warnings === undefined || !(isOptionalParameter(parameter) || isAlsoBodyProperty(operation, parameter)))
    return false;
  return warnings.allows('missing_optional', `${parameterTitle(parameter)} is missing`);
}

type ReadParameter =
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** It was sent, and means that it is not used. */
  | { readonly kind: 'empty' }
  | Refused;

const EMPTY_VALUE: ReadParameter = { kind: 'empty' };

/** @returns `undefined` when it was not sent */
function readParameter(
  operation: Operation,
  parameter: Parameter,
  input: ParameterInput,
  sent: RawParameters,
): ReadParameter | undefined {
  if (parameter.allowEmptyValue && isOneEmptyText(sent.query.get(parameter.name))) return EMPTY_VALUE;
  const decoded = decode(operation, parameter, input, sent);
  if (decoded === undefined) return undefined;
  if (decoded.kind !== 'value') return refused(undecodable(parameter, decoded));
  const apart = splitEncodedList(parameter, decoded.value, sent.query, input.warnings);
  if (apart !== undefined) return apart;
  const violations = violationsOf(parameter.schema, decoded.value);
  const [violation] = violations;
  if (violation === undefined) return decoded;
  const isStored = parameter.in === 'path' && input.isStoredKey?.(parameter.name, decoded.value) === true;
  if (isStored && input.warnings?.allows('stored_key', parameterTitle(parameter)) === true) return decoded;
  return readInvalid(parameter, decoded.value, violations, violation, sent, input.warnings);
}

/** What is taken for a value that breaks its schema. */
function readInvalid(
  parameter: Parameter,
  value: JsonValue,
  violations: readonly Violation[],
  violation: Violation,
  sent: RawParameters,
  warnings: Warnings | undefined,
): ReadParameter {
  if (warnings !== undefined) {
    const { schema, shape } = parameter;
    const invalid = { value, violations, schema, shape, title: parameterTitle(parameter) };
    const read = readLeniently([BOOLEAN_WORD, LOCAL_TIMES], invalid, warnings);
    if (read !== undefined && schema?.accepts(read, 'request') !== false) return { kind: 'value', value: read };
    if (isUndocumentedVersion(parameter, warnings)) return EMPTY_VALUE;
  }
  const place = violation.pointer === '' ? '' : ` at ${violation.pointer}`;
  const message = `${parameterTitle(parameter)}${place} ${violation.message}${repeatHint(parameter, sent.query)}`;
  const details = [{ in: parameter.in, name: parameter.name, code: violation.keyword, message: violation.message }];
  return refused(problem('invalid_parameter', message, { details }));
}

/** Clients name the version that they were made for, which is seldom the one that was described. */
const VERSION = { header: /(?:^|[-_])version$/i, query: /^api[-_]?version$/i };

/** Is it a version of the API that the description does not list? */
function isUndocumentedVersion(parameter: Parameter, warnings: Warnings): boolean {
  const { in: place, name } = parameter;
  if ((place !== 'header' && place !== 'query') || !VERSION[place].test(name)) return false;
  return warnings.allows('api_version', parameterTitle(parameter));
}

function missingParameter(parameter: Parameter): Problem {
  const details = [{ in: parameter.in, name: parameter.name, code: 'required', message: 'is missing' }];
  return problem('missing_parameter', `${parameterTitle(parameter)} is missing`, { details });
}

function isOneEmptyText(texts: readonly string[] | undefined): boolean {
  return texts?.length === 1 && texts[0] === '';
}

function decode(
  operation: Operation,
  parameter: Parameter,
  { head, pathParameters, query }: ParameterSource,
  sent: RawParameters,
): DecodedParameter | undefined {
  switch (parameter.in) {
    case 'path': {
      const value = pathParameters[parameter.name];
      return value === undefined ? undefined : decodeParameter(parameter, [value]);
    }
    case 'header': {
      const value = sentHeader(head, parameter.key);
      return value === undefined ? undefined : decodeParameter(parameter, [value]);
    }
    case 'query':
      return decodeNamed(parameter, sent.query, (name) => isDeclared(operation, 'query', name));
    case 'cookie':
      sent.cookies ??= rawCookieValues(head.headers['cookie']);
      return decodeNamed(parameter, sent.cookies, (name) => isDeclared(operation, 'cookie', name));
    case 'querystring':
      return query === '' ? undefined : readQuerystring(parameter, query, sent.query);
  }
}

function isDeclared({ parameters }: Operation, place: Parameter['in'], name: string): boolean {
  return parameters.some((parameter) => parameter.in === place && parameter.name === name);
}

/** Values that were joined by commas, and would be right if each had come by itself (OAS 3.0.3 "Style Examples"). */
function repeatHint(parameter: Parameter, sent: RawValues): string {
  const { name, style, explode, shape, schema } = parameter;
  const raw = sent.get(name) ?? [];
  if (parameter.in !== 'query' || style !== 'form' || !explode || shape.kind !== 'array') return '';
  const parts = raw.flatMap((text) => text.split(/,|%2C/i));
  if (parts.length === raw.length) return '';
  const apart = decodeParameter(parameter, parts);
  if (apart.kind !== 'value' || schema?.accepts(apart.value, 'request') === false) return '';
  return `; for several values repeat the parameter: ${name}=…&${name}=…`;
}

function undecodable(parameter: Parameter, decoded: Exclude<DecodedParameter, { kind: 'value' }>): Problem {
  const reason = reasonOf(decoded);
  const details = [{ in: parameter.in, name: parameter.name, code: 'invalid_parameter', message: reason }];
  return problem('invalid_parameter', `${parameterTitle(parameter)} ${reason}`, { details });
}

function unknownName(operation: Operation, input: ParameterInput, query: RawValues): string | undefined {
  return undeclaredNames(operation, query).find(
    (name) => input.credentialNames?.has(name) !== true && !PRISM_PARAMETERS.has(name),
  );
}

/** Names in a query that belong to no parameter of the operation; none where one parameter is the whole query. */
export function undeclaredNames({ parameters }: Operation, query: RawValues): string[] {
  const inQuery = parameters.filter(({ in: place }) => place === 'query');
  if (parameters.some(({ in: place }) => place === 'querystring')) return [];
  return [...query.keys()].filter((name) => !inQuery.some((parameter) => matchesParameterName(parameter, name)));
}

/** Is it the name of the parameter, or of a property of it? */
export function matchesParameterName(parameter: Parameter, name: string): boolean {
  if (parameter.name === name) return true;
  const { shape, style, explode } = parameter;
  if (shape.kind === 'scalar' || parameter.contentType !== undefined) return false;
  if (style === 'deepObject') return bracketPath(parameter.name, name) !== undefined;
  return explode && hasOwnNames(parameter) && shape.property(name) !== undefined;
}
