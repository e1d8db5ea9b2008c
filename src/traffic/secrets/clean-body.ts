import { bodyKind, parseMediaType } from '../../core/http/media-type';
import { redactBody } from '../../redaction/body-redaction';
import type { Mask } from '../../security/credential-locations';
import { isJsonText, meantType } from '../exchange/meant-type';
import type { RecordedBody } from '../exchange/recorded-exchange';
import { cleanInner, cleanJson, cleanPairs, cleanScalar, cleanText, isGranted } from './clean-json';
import type { Cleaning } from './clean-value';
import { shapedSecrets } from './secret-looks';
import { isMark } from './secret-names';

/**
 * A body with marks in the place of its secrets; one that cannot be read and may hold a declared secret is left out, with
 * the reason.
 *
 * @param mediaType - its Content-Type; `undefined` where there is none: then its text tells
 */
export function cleanBody(body: RecordedBody, mediaType: string | undefined, cleaning: Cleaning): RecordedBody {
  if (body.kind === 'bytes') return cleanBytes(body, mediaType, cleaning);
  if (body.kind === 'omitted' || body.text === '') return body;
  let reason: string | undefined;
  const mask: Mask = (secret, place) => {
    if (place.kind !== 'body') return cleaning.mask(secret, place);
    reason = 'it cannot be read by its media type, and the description names secrets that may be in it';
    return '';
  };
  const type = meantType(body, mediaType) ?? sniffed(body.text);
  const text = cleanTextBody(body.text, type, { ...cleaning, mask });
  if (reason !== undefined) return omitted(reason, Buffer.byteLength(body.text));
  return text === body.text ? body : { kind: 'text', text };
}

/** A body in the place of one that would show a secret. */
export function omitted(reason: string, bytes: number): RecordedBody {
  return { kind: 'omitted', reason, bytes };
}

function sniffed(text: string): string {
  if (/^\s*[[{]/.test(text)) return 'application/json';
  return /^[^\s=&<>{}]{1,80}=[^\s<>]*$/.test(text) ? 'application/x-www-form-urlencoded' : 'text/plain';
}

function cleanTextBody(text: string, mediaType: string, cleaning: Cleaning): string {
  const { properties, isPointed, mask } = cleaning;
  const has = (name: string): boolean => properties.has(name) || isPointed([name]);
  const byName = (declared = properties.declared): string => redactBody(text, mediaType, { declared, has }, mask);
  switch (bodyKind(mediaType)) {
    case 'json':
      return jsonOr(text, cleaning, () => cleanText(byName(), cleaning));
    case 'sequence':
      return text.replace(/[^\r\n\u001e]+/g, (line) => jsonOr(line, cleaning, () => cleanText(line, cleaning)));
    case 'form':
      return cleanPairs(byName(), cleaning);
    // Their names can be read, so that nothing has to be left out.
    case 'multipart':
      return cleanParts(byName(new Set()), cleaning);
    case 'xml':
      return cleanText(cleanElements(byName(new Set()), cleaning), cleaning);
    default:
      return cleanOther(text, mediaType, cleaning, byName);
  }
}

function jsonOr(text: string, cleaning: Cleaning, otherwise: () => string): string {
  try {
    return cleanJson(text, cleaning);
  } catch {
    return otherwise();
  }
}

function cleanOther(
  text: string,
  mediaType: string,
  cleaning: Cleaning,
  byName: (declared?: ReadonlySet<string>) => string,
): string {
  const { subtype = '', type = '' } = parseMediaType(mediaType) ?? {};
  // `token = next()` of a program is not a token.
  if (/^(?:x-)?(?:javascript|ecmascript|css|typescript)$/.test(subtype)) return cleanText(text, cleaning);
  if (subtype === 'event-stream')
    return text.replace(/^(data: ?)(.*)$/gm, (_, field: string, data: string) => {
      return field + jsonOr(data, cleaning, () => cleanText(data, cleaning));
    });
  if (/csv|tab-separated/.test(subtype) && hasSecretColumn(text, cleaning))
    return cleaning.mask(text, { kind: 'body', name: '', encoding: 'plain' });
  if (subtype === 'html') return cleanText(byName(new Set()), cleaning);
  if ((type === 'text' && !isJsonText(text)) || type === 'multipart') return cleanText(byName(), cleaning);
  // Something that is text, and of which nobody says what it means.
  return jsonOr(text, cleaning, () => cleanText(byName(), cleaning));
}

function hasSecretColumn(text: string, { properties }: Cleaning): boolean {
  const [head = ''] = text.split(/\r?\n/, 1);
  return head.split(/[,;\t]/).some((column) => properties.has(column.trim().replace(/^"|"$/g, '')));
}

/** A part of a multipart body whose value is one line (RFC 7578 §4.2), or JSON. */
const PART =
  /(name="([^"\r\n]{1,80})"[^\r\n]{0,200}(?:\r?\n[^\r\n]{1,200}){0,5}\r?\n\r?\n)([\s\S]*?)(?=\r?\n--(?!---END )|$(?![\s\S]))/g;

function cleanParts(text: string, cleaning: Cleaning): string {
  const isGrant = text.includes('name="grant_type"');
  return text.replace(PART, (_, head: string, name: string, value: string) => {
    if (isMark(value)) return head + value;
    return head + (isGrant && isGranted(name) ? cleaning.markFound(value, name) : cleanInner(name, value, cleaning));
  });
}

const ELEMENT = /(<(?:[\w-]{1,30}:)?([\w.-]{2,60})(?:\s[^<>]{0,200})?>)([^<>\s]{8,1024})(?=<\/)/g;

function cleanElements(text: string, cleaning: Cleaning): string {
  return text.replace(ELEMENT, (_, head: string, name: string, value: string) => {
    return head + (value.includes('&') ? value : cleanScalar(name, value, cleaning));
  });
}

/** Bytes hold no marks: where a secret stands in them, all of them are left out. */
function cleanBytes(
  body: Extract<RecordedBody, { readonly kind: 'bytes' }>,
  mediaType: string | undefined,
  cleaning: Cleaning,
): RecordedBody {
  const bytes = Buffer.from(body.base64, 'base64');
  const text = bytes.toString('latin1');
  if (mediaType !== undefined && bodyKind(mediaType) === 'multipart') {
    const mask: Mask = (secret, place) => cleaning.mask(Buffer.from(secret, 'latin1').toString('utf8'), place);
    const properties = { ...cleaning.properties, declared: new Set<string>() };
    const clean = cleanParts(redactBody(text, mediaType, properties, mask), cleaning);
    if (clean !== text) return omitted('a part of it is a secret, and another is no text', bytes.length);
  }
  return shapedSecrets(text).length > 0 ? omitted('its bytes hold a key or a token', bytes.length) : body;
}
