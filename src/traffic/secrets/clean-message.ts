import type { RawHeaders } from '../../core/http/message';
import { decodePathSegment } from '../../core/http/request-target';
import { isSensitiveParameter } from '../../security/credential-locations';
import { cleanInner, cleanPairs, cleanQueries, cleanText } from './clean-json';
import { type Cleaning, writeComponent } from './clean-value';
import type { AskedOperation } from './exchange-operation';
import { isMark } from './secret-names';
import { namedValue } from './value-names';

/** A query, its `?` before it, with marks in the place of its secrets; a fragment may stand behind it. */
export function cleanQuery(query: string, cleaning: Cleaning): string {
  return query === '' ? query : `?${cleanPairs(cleaning.redaction.target(query).slice(1), cleaning)}`;
}

/**
 * A path with marks in the place of its secrets: of variables that are called so, and of matrix parameters that name a
 * session.
 */
export function cleanPath(path: string, asked: AskedOperation | undefined, cleaning: Cleaning): string {
  const names = asked === undefined ? new Map<string, string>() : secretVariables(asked);
  return path
    .split('/')
    .map((segment, index, all) => {
      const [plain = '', ...parameters] = segment.split(';');
      const isOfCard = /card|payment/i.test(all[index - 1] ?? '');
      return [
        cleanSegment(plain, names.get(plain), !isOfCard, cleaning),
        ...parameters.map((each) => cleanMatrix(each, cleaning)),
      ].join(';');
    })
    .join('/');
}

/** Names of variables of a path that stand for secrets, `{resetToken}`, by what is sent for them. */
function secretVariables({ match, operation }: AskedOperation): ReadonlyMap<string, string> {
  const passwords = (operation?.parameters ?? []).filter(({ schema }) => schema?.value['format'] === 'password');
  const secret = Object.entries(match.rawPathParameters).filter(
    ([name]) => isSensitiveParameter(name) || passwords.some((each) => each.in === 'path' && each.name === name),
  );
  return new Map(secret.map(([name, raw]) => [raw, name]));
}

/** A segment that looks like a key without a prefix is an id. */
function cleanSegment(segment: string, secretName: string | undefined, isId: boolean, cleaning: Cleaning): string {
  const text = decodePathSegment(segment);
  if (segment === '' || text === undefined || isMark(text)) return segment;
  if (secretName !== undefined) return cleaning.markFound(text, secretName);
  const clean = cleanText(text, cleaning, isId);
  return clean === text ? segment : writeComponent(clean);
}

/** `;jsessionid=…` (RFC 3986 §3.3). */
function cleanMatrix(parameter: string, cleaning: Cleaning): string {
  const [name = '', ...values] = parameter.split('=');
  const value = decodePathSegment(values.join('='));
  if (value === undefined || value === '' || isMark(value)) return parameter;
  if (namedValue(name) !== 'session' && !isSensitiveParameter(name)) return parameter;
  return `${name}=${cleaning.markFound(value, name)}`;
}

/** Of these, who knows the protocol knows what they hold; it is random, and no secret. */
const HARMLESS =
  /^(?:sec-websocket-(?:key|accept)|sec-ch-.*|alt-svc|report-to|nel|server-timing|user-agent|via|server)$/;
/** Their values are addresses, which are cleaned as such. */
const ADDRESSES = /^(?:location|content-location|referer|link|refresh|origin|host)$/;

/**
 * Header lines with marks in the place of secrets: of credentials and cookies, of what the user names, and of what looks
 * like a key.
 *
 * @param isNamed - does the user call a header, in lower case, a secret?
 * @param cleaningOf - the cleaning for a header of this name
 */
export function cleanHeaders(
  headers: RawHeaders,
  isNamed: (name: string) => boolean,
  cleaningOf: (header: string) => Cleaning,
): string[] {
  const clean: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    clean.push(name, cleanHeader(name, value, isNamed(name.toLowerCase()), cleaningOf(name)));
  }
  return clean;
}

function cleanHeader(name: string, value: string, isNamed: boolean, cleaning: Cleaning): string {
  if (value === '' || isMark(value)) return value;
  const lower = name.toLowerCase();
  if (isNamed) return cleaning.mask(value, { kind: 'header', name: lower, encoding: 'plain' });
  const [, masked = value] = cleaning.redaction.headers([name, value]);
  if (masked !== value || HARMLESS.test(lower)) return masked;
  if (ADDRESSES.test(lower)) return cleanQueries(cleanText(value, cleaning), cleaning);
  return cleanInner(lower.replace(/^x-/, ''), value, cleaning);
}
