import { scalarText } from '../formats/placeholders';
import type { JsonValue } from '../json/json-value';
import type { Parameter } from '../openapi/model';

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/** The text of a parameter in a path or a header: items of a list with commas between (OAS 3.0.3 "Style Values"). */
export function simpleText(parameter: Parameter, value: JsonValue): string {
  const encode = parameter.in === 'path' ? encodeURIComponent : (text: string): string => text;
  return itemsOf(value)
    .map((item) => encode(scalarText(item)))
    .join(',');
}

/** The pairs of a query parameter, percent-encoded: one for each item of an exploded list. */
export function queryPairs({ name, style, explode }: Parameter, value: JsonValue): string[] {
  const texts = itemsOf(value).map((item) => encodeURIComponent(scalarText(item)));
  const key = encodeURIComponent(name);
  return explode ? texts.map((text) => `${key}=${text}`) : [`${key}=${texts.join(DELIMITERS[style] ?? ',')}`];
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [value];
}
