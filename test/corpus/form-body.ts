import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json/json-value';
import { scalarText, stringifyJson } from '../../src/core/json/stringify-json';
import type { MediaTypeEntry } from '../../src/openapi/model/operation';

const BOUNDARY = 'corpus-boundary';

/**
 * A form: members whose `encoding` has the style `deepObject` in brackets, the others as the defaults have them, lists
 * repeated and objects as JSON (OAS 3.0.3 §4.7.14.4, §4.7.15.1.1).
 */
export function writeForm(
  { mediaType, encodings }: Pick<MediaTypeEntry, 'mediaType' | 'encodings'>,
  value: JsonObject,
): { mediaType: string; text: string } {
  const fields = Object.entries(value).flatMap(([name, member]) =>
    encodings.get(name)?.style === 'deepObject' ? inBrackets(name, member) : fieldsOf(name, member),
  );
  if (mediaType.startsWith('multipart/')) {
    const parts = fields.map(([name, part]) => `--${BOUNDARY}\r\n${partHead(name, part)}\r\n\r\n${textOf(part)}\r\n`);
    return { mediaType: `${mediaType}; boundary=${BOUNDARY}`, text: `${parts.join('')}--${BOUNDARY}--\r\n` };
  }
  const pairs = fields.map(([name, member]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(member))}`);
  return { mediaType, text: pairs.join('&') };
}

function fieldsOf(name: string, value: JsonValue): [string, JsonValue][] {
  return Array.isArray(value) ? value.map((item) => [name, item]) : [[name, value]];
}

/** `card[name]=Ada&card[tags][0]=a`, as servers read what is nested. What is empty has no form. */
function inBrackets(name: string, value: JsonValue): [string, JsonValue][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => inBrackets(`${name}[${index}]`, item));
  if (!isJsonObject(value)) return [[name, value]];
  return Object.entries(value).flatMap(([member, item]) => inBrackets(`${name}[${member}]`, item));
}

function partHead(name: string, value: JsonValue): string {
  const disposition = `Content-Disposition: form-data; name="${name.replaceAll('"', '%22')}"`;
  return isStructured(value) ? `${disposition}\r\nContent-Type: application/json` : disposition;
}

function textOf(value: JsonValue): string {
  return isStructured(value) ? stringifyJson(value) : scalarText(value);
}

function isStructured(value: JsonValue): boolean {
  return isJsonObject(value) || Array.isArray(value);
}
