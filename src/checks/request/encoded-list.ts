import type { JsonValue } from '../../json/json-value';
import type { Parameter } from '../../openapi/model';
import { decodeParameter } from '../../openapi/parameter-style';
import type { Warnings } from '../warnings';
import { title } from './parameter-title';
import type { SentTexts } from './sent-texts';

/** Words with commas between them: text with a blank behind a comma is rather one item. */
const WORDS = /^[^,\s]+(?:,[^,\s]+)+$/;

/**
 * A list whose commas were encoded with the rest of its text, as query builders do.
 *
 * @param value - as it was read, with what was sent as one item
 * @returns `undefined` where it stays as it is
 */
export function splitEncoded(
  parameter: Parameter,
  value: JsonValue,
  sent: SentTexts,
  warnings: Warnings | undefined,
): { readonly kind: 'value'; readonly value: JsonValue } | undefined {
  if (warnings === undefined || !isJoined(parameter) || !looksJoined(value)) return undefined;
  const [raw = ''] = sent.get(parameter.name) ?? [];
  const apart = decodeParameter(parameter, [raw.replaceAll(/%2c/gi, ',')]);
  if (apart.kind !== 'value' || (parameter.schema?.validate('request')(apart.value) ?? []).length > 0) return undefined;
  const message = `${title(parameter)} has %2C between its values, which is data; it was read as a comma`;
  return warnings.allows('encoded_delimiter', message) ? apart : undefined;
}

/** Is it a list that is sent in one, with commas? */
function isJoined({ in: place, style, explode, shape }: Parameter): boolean {
  return shape.kind === 'array' && place === 'query' && style === 'form' && !explode;
}

function looksJoined(value: JsonValue): boolean {
  if (!Array.isArray(value) || value.length !== 1) return false;
  const [only] = value;
  return typeof only === 'string' && WORDS.test(only);
}
