import { headerValue } from '../../core/http/headers';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import type { RecordedRequest } from '../exchange/recorded-exchange';
import { textAt } from './loose-values';
import { credentialsOf } from './postman-auth';
import { writePostmanBody } from './postman-body';
import { addressOf, headersOf } from './postman-url';
import type { PostmanContext, Tell } from './postman-variables';
import { readUrl, type RecordedUrl } from './recorded-url';
import { withKnownHost } from './variable-marks';

export interface PostmanRequest {
  /** `undefined` where it has no address of HTTP. */
  readonly sent: { readonly origin: string; readonly request: RecordedRequest } | undefined;
  /** In words, as of a `ReadProblem`. */
  readonly problems: readonly { readonly problem: string; readonly done: string }[];
}

/** Methods whose body Postman does not send. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'COPY', 'HEAD', 'PURGE', 'UNLOCK']);

/** Reads a request of a collection as it would be sent. @param value - an object, or the address alone */
export function readPostmanRequest(value: JsonValue, context: PostmanContext): PostmanRequest {
  const problems: { problem: string; done: string }[] = [];
  const tell: Tell = (problem, done) => void problems.push({ problem, done });
  const request = isJsonObject(value) ? value : {};
  const address = addressOf(isJsonObject(value) ? value['url'] : value, context.variables);
  const url = address === '' ? undefined : readUrl(withKnownHost(withScheme(address)));
  if (url === undefined) {
    tell(address === '' ? 'The request has no URL' : 'The URL of the request is not one of HTTP', 'left out');
    return { sent: undefined, problems };
  }
  const sent = { origin: url.origin, request: sentRequest(request, url, context, tell) };
  return { sent, problems };
}

function sentRequest(request: JsonObject, url: RecordedUrl, context: PostmanContext, tell: Tell): RecordedRequest {
  const method = (textAt(request, 'method') ?? 'GET').toUpperCase();
  const headers = [...headersOf(request, context.variables)];
  const addMissing = (name: string, value: string | undefined): void => {
    if (value !== undefined && headerValue(headers, name) === undefined) headers.push(name, value);
  };
  const credentials = credentialsOf(request, context, tell);
  for (const [name, value] of credentials.headers) addMissing(name, value);
  addMissing('Authorization', url.authorization);
  const isPruned = WITHOUT_BODY.has(method) && !context.keepsBody;
  const written = isPruned ? undefined : writePostmanBody(request, headers, context, tell);
  addMissing('Content-Type', written?.contentType);
  return { method, target: withQuery(url.target, credentials.query), headers, body: written?.body };
}

function withQuery(target: string, query: string): string {
  return query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;
}

function withScheme(address: string): string {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(address) ? address : `http://${address}`;
}
