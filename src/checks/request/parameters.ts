import type { RequestHead } from '../../http/message';
import { parseQuery } from '../../http/request-target';
import type { JsonValue } from '../../json/json-value';
import type { Operation, Parameter } from '../../openapi/model';
import { decodeParameter } from '../../openapi/parameter-style';
import { problem, type Problem } from '../problem';

/** Values of the parameters that were sent, by location and name. */
export interface ParameterValues {
  readonly path: ReadonlyMap<string, JsonValue>;
  readonly query: ReadonlyMap<string, JsonValue>;
  readonly header: ReadonlyMap<string, JsonValue>;
}

export type ParameterCheck =
  | { readonly kind: 'valid'; readonly values: ParameterValues }
  | { readonly kind: 'refused'; readonly problem: Problem };

export interface ParameterInput {
  readonly head: RequestHead;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Raw query, without the question mark. */
  readonly query: string;
  /** Are query parameters that the description does not know refused (RFC 7240 `handling=strict`)? */
  readonly strict: boolean;
}

const NO_QUERY: ReadonlyMap<string, readonly string[]> = new Map();
const NONE: ReadonlyMap<string, JsonValue> = new Map();

/** A map costs as much as a small check, and most requests have values in few places: it is made when it is needed. */
class CollectedValues implements ParameterValues {
  path = NONE;
  query = NONE;
  header = NONE;

  set(place: 'path' | 'query' | 'header', name: string, value: JsonValue): void {
    if (this[place] === NONE) this[place] = new Map();
    (this[place] as Map<string, JsonValue>).set(name, value);
  }
}

/** Decodes and judges every declared parameter; the first fault in the order of the description speaks. */
export function checkParameters(operation: Operation, input: ParameterInput): ParameterCheck {
  const query = groupQuery(input.query);
  if (typeof query === 'string') {
    const message = `The query parameter "${query}" holds a percent sequence that is not UTF-8 text, or %00`;
    return refused(problem('invalid_parameter', message));
  }
  const values = new CollectedValues();
  for (const parameter of operation.parameters) {
    if (parameter.in === 'cookie') continue;
    const raw = rawOccurrences(parameter, input, query);
    if (raw !== undefined) {
      const read = readParameter(parameter, raw);
      if (read.kind === 'refused') return read;
      values.set(parameter.in, parameter.name, read.value);
    } else if (parameter.required) {
      return refused(problem('missing_parameter', `${title(parameter)} is missing`));
    }
  }
  const unknown = input.strict ? unknownName(operation, query) : undefined;
  if (unknown === undefined) return { kind: 'valid', values };
  const message = `The query parameter "${unknown}" is not known, and handling=strict was asked for`;
  return refused(problem('invalid_parameter', message));
}

type ReadParameter =
  { readonly kind: 'value'; readonly value: JsonValue } | { readonly kind: 'refused'; readonly problem: Problem };

function readParameter(parameter: Parameter, raw: readonly string[]): ReadParameter {
  const decoded = decodeParameter(parameter, raw);
  if (decoded.kind !== 'value') return { kind: 'refused', problem: undecodable(parameter, decoded.kind) };
  const [violation] = parameter.schema?.validate('request')(decoded.value) ?? [];
  if (violation === undefined) return decoded;
  const place = violation.pointer === '' ? '' : ` at ${violation.pointer}`;
  const message = `${title(parameter)}${place} ${violation.message}${repeatHint(parameter, raw)}`;
  return { kind: 'refused', problem: problem('invalid_parameter', message) };
}

/** Values that were joined by commas, and would be right if each had come by itself (OAS 3.0.3 "Style Examples"). */
function repeatHint(parameter: Parameter, raw: readonly string[]): string {
  const { name, style, explode } = parameter;
  if (parameter.in !== 'query' || style !== 'form' || !explode || parameter.schema?.value['type'] !== 'array')
    return '';
  const parts = raw.flatMap((text) => text.split(/,|%2C/i));
  if (parts.length === raw.length) return '';
  const apart = decodeParameter(parameter, parts);
  if (apart.kind !== 'value' || parameter.schema.validate('request')(apart.value).length > 0) return '';
  return `; for several values repeat the parameter: ${name}=…&${name}=…`;
}

/** @returns the name of a parameter that cannot be decoded, in place of the groups */
function groupQuery(query: string): ReadonlyMap<string, readonly string[]> | string {
  if (query === '') return NO_QUERY;
  const groups = new Map<string, string[]>();
  for (const { name, rawName, rawValue, value } of parseQuery(query)) {
    if (name === undefined || value === undefined) return name ?? rawName;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [rawValue]);
    else group.push(rawValue);
  }
  return groups;
}

function rawOccurrences(
  parameter: Parameter,
  { head, pathParameters }: ParameterInput,
  query: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  switch (parameter.in) {
    case 'path': {
      const value = pathParameters[parameter.name];
      return value === undefined ? undefined : [value];
    }
    case 'query':
      return query.get(parameter.name);
    case 'header': {
      const value = head.headers[parameter.key];
      if (value === undefined) return undefined;
      return typeof value === 'string' ? [value] : [value.join(', ')];
    }
    case 'cookie':
      return undefined;
  }
}

function undecodable(parameter: Parameter, kind: 'undecodable' | 'repeated'): Problem {
  const fault =
    kind === 'repeated' ? 'must be sent once only' : 'holds a percent sequence that is not UTF-8 text, or %00';
  return problem('invalid_parameter', `${title(parameter)} ${fault}`);
}

function unknownName(operation: Operation, query: ReadonlyMap<string, unknown>): string | undefined {
  const known = new Set(operation.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name));
  return [...query.keys()].find((name) => !known.has(name));
}

function title(parameter: Parameter): string {
  return `The ${parameter.in} parameter "${parameter.name}"`;
}

function refused(refusal: Problem): ParameterCheck {
  return { kind: 'refused', problem: refusal };
}
