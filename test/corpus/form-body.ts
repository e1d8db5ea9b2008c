import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/json-value';
import { scalarText } from '../../src/json/scalar-text';
import { stringifyJson } from '../../src/json/stringify-json';

const BOUNDARY = 'corpus-boundary';

/** A form as its default `encoding` has it: lists repeated, objects as JSON (OAS 3.0.3 §4.7.14.4, §4.7.15.1.1). */
export function writeForm(mediaType: string, value: JsonObject): { mediaType: string; text: string } {
  const fields = Object.entries(value).flatMap(([name, member]) => fieldsOf(name, member));
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

function partHead(name: string, value: JsonValue): string {
  const disposition = `Content-Disposition: form-data; name="${encodeURIComponent(name)}"`;
  return isStructured(value) ? `${disposition}\r\nContent-Type: application/json` : disposition;
}

function textOf(value: JsonValue): string {
  return isStructured(value) ? stringifyJson(value) : scalarText(value);
}

function isStructured(value: JsonValue): boolean {
  return isJsonObject(value) || Array.isArray(value);
}
