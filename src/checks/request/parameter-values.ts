import { parseMediaType } from '../../core/http/media-type';
import type { RawValues } from '../../core/http/raw-values';
import type { JsonValue } from '../../core/json/json-value';
import type { Parameter, ParameterLocation } from '../../openapi/model/operation';
import { decodeParameter } from '../../openapi/parameters/decode-parameter';
import type { DecodedParameter } from '../../openapi/parameters/text-shape';
import { readForm } from './form';
import type { Warnings } from './warnings';

type ValuesByName = ReadonlyMap<string, JsonValue>;

/** Values of the parameters that were sent, by location and name. */
export interface ParameterValues {
  readonly path: ValuesByName;
  readonly query: ValuesByName;
  readonly header: ValuesByName;
  readonly cookie: ValuesByName;
  /** The one parameter that is the whole query (OAS 3.2.0 `in: querystring`). */
  readonly querystring: ValuesByName;
}

const NO_VALUES: ValuesByName = new Map();

/** A map costs as much as a small check, and most requests have values in few places: it is made when it is needed. */
export class CollectedValues implements ParameterValues {
  path = NO_VALUES;
  query = NO_VALUES;
  header = NO_VALUES;
  cookie = NO_VALUES;
  querystring = NO_VALUES;

  set(place: ParameterLocation, name: string, value: JsonValue): void {
    if (this[place] === NO_VALUES) this[place] = new Map();
    (this[place] as Map<string, JsonValue>).set(name, value);
  }
}

/** How messages name a parameter. */
export function parameterTitle(parameter: Parameter): string {
  if (parameter.in === 'querystring') return `The query, as the parameter "${parameter.name}",`;
  return `The ${parameter.in} parameter "${parameter.name}"`;
}

/** Words with commas between them: text with a blank behind a comma is rather one item. */
const COMMA_SEPARATED = /^[^,\s]+(?:,[^,\s]+)+$/;

/**
 * A list whose commas were encoded with the rest of its text, as query builders do.
 *
 * @param value - as it was read, with what was sent as one item
 * @returns `undefined` where it stays as it is
 */
export function splitEncodedList(
  parameter: Parameter,
  value: JsonValue,
  sent: RawValues,
  warnings: Warnings | undefined,
): { readonly kind: 'value'; readonly value: JsonValue } | undefined {
  if (warnings === undefined || !isJoined(parameter) || !looksJoined(value)) return undefined;
  const [raw = ''] = sent.get(parameter.name) ?? [];
  const apart = decodeParameter(parameter, [raw.replaceAll(/%2c/gi, ',')]);
  if (apart.kind !== 'value' || parameter.schema?.accepts(apart.value, 'request') === false) return undefined;
  return warnings.allows('encoded_delimiter', parameterTitle(parameter)) ? apart : undefined;
}

/** Is it a list that is sent in one, with commas? */
function isJoined({ in: place, style, explode, shape }: Parameter): boolean {
  return shape.kind === 'array' && place === 'query' && style === 'form' && !explode;
}

function looksJoined(value: JsonValue): boolean {
  if (!Array.isArray(value) || value.length !== 1) return false;
  const [only] = value;
  return typeof only === 'string' && COMMA_SEPARATED.test(only);
}

/**
 * Reads the whole query as one value by the media type of the parameter's `content` (OAS 3.2.0 §4.12.1, `in:
 * querystring`): a form, or JSON that was percent-encoded as a whole.
 */
export function readQuerystring(parameter: Parameter, query: string, sent: RawValues): DecodedParameter {
  const { contentType = FORM, shape, encodings } = parameter;
  if (parseMediaType(contentType)?.essence !== FORM) return decodeParameter(parameter, [query]);
  const form = readForm(sent, shape, encodings);
  if (form.kind === 'value') return form;
  return { kind: 'unreadable', reason: `at ${form.pointer} ${form.reason}` };
}

const FORM = 'application/x-www-form-urlencoded';
