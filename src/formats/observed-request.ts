import { headerValue } from '../http/headers';
import type { HttpRequest } from '../http/message';
import { decodeUtf8 } from '../json/decode-utf8';
import { JsonSyntaxError } from '../json/json-syntax-error';
import type { JsonValue } from '../json/json-value';
import { parseJson } from '../json/parse-json';

/** The parts of a request that a runtime expression can name (OAS 3.0.3 §4.7.20.4). */
export interface ObservedRequest {
  /** Absolute. */
  readonly url: string;
  readonly method: string;
  /** `undefined` when there is none or it is no JSON. */
  readonly body: JsonValue | undefined;
  header(name: string): string | undefined;
  /** The decoded text of a path parameter; `undefined` when the path has none of the name. */
  pathParameter(name: string): string | undefined;
  /** The decoded text of the first parameter of the name in the query. */
  queryParameter(name: string): string | undefined;
}

/**
 * @param origin - scheme, host and port that the request went to; no slash at the end
 * @param template - path of the operation below the host, with its parameters in braces; `undefined` for a request that
 *   no operation describes
 */
export function observeRequest(
  { method, target, rawHeaders, body }: Pick<HttpRequest, 'method' | 'target' | 'rawHeaders' | 'body'>,
  origin: string,
  template: string | undefined,
): ObservedRequest {
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  return {
    url: `${origin}${target}`,
    method,
    body: parseBody(body),
    header: (name) => headerValue(rawHeaders, name),
    pathParameter: (name) => (template === undefined ? undefined : parameterOf(template, pathname, name)),
    queryParameter: (name) => searchParams.get(name) ?? undefined,
  };
}

function parseBody(body: HttpRequest['body']): JsonValue | undefined {
  if (body.length === 0) return undefined;
  try {
    return parseJson(typeof body === 'string' ? body : decodeUtf8(body));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function parameterOf(template: string, path: string, name: string): string | undefined {
  const pattern = template
    .split(/(\{[^{}]*\})/)
    .map((part) => {
      if (part === `{${name}}`) return '([^/]*)';
      return part.startsWith('{') ? '[^/]*' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    })
    .join('');
  const [, text] = new RegExp(`^${pattern}$`).exec(path) ?? [];
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}
