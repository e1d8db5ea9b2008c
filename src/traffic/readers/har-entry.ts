import { headerValue } from '../../core/http/headers';
import type { RawHeaders } from '../../core/http/message';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { parseRfc3339 } from '../../core/time/date-time';
import type { RecordedBody, RecordedExchange, RecordedRequest, RecordedResponse } from '../exchange/recorded-exchange';
import {
  BOUNDARY,
  boundaryOf,
  bytesBody,
  type FormPart,
  multipartForm,
  omittedBody,
  pageAsset,
  textBody,
  urlEncodedForm,
} from './bodies';
import { cookiesOf, headersOf, known, lacksBody, lengthOf, nameType, typeOf } from './har-message';
import { itemsAt, numberAt, objectAt, objectsAt, textAt } from './loose-values';
import { readUrl } from './recorded-url';

/** An entry of `log.entries`, and what was not as HAR has it. */
export interface HarEntry {
  /** `undefined` where nothing of it can be used. */
  readonly exchange: RecordedExchange | undefined;
  /** Of the browser that made it. */
  readonly page: string | undefined;
  readonly problems: readonly EntryProblem[];
}

/** The rest of a {@link ReadProblem}, whose place is that of the entry. */
interface EntryProblem {
  readonly problem: string;
  readonly done: string;
}

/** Gives the bytes of a file that lies beside the HAR, as Playwright writes contents. */
type Attached = (name: string) => Uint8Array | undefined;

const LEFT_OUT = 'left out';

/**
 * Reads one entry (HAR 1.2 §entries). Of a status of 0 or less there was no response; sizes of -1 are unknown; bodies
 * are after content decoding, whatever `Content-Encoding` says; what begins with `_` is of one program, and is used
 * where several agree.
 *
 * @param source - where it was read, see {@link RecordedExchange.source}
 */
export function readHarEntry(value: JsonValue, source: string, attached: Attached): HarEntry {
  const skip = (problem: string): HarEntry => ({
    exchange: undefined,
    page: undefined,
    problems: [{ problem, done: LEFT_OUT }],
  });
  if (!isJsonObject(value)) return skip('The entry is not an object');
  const request = objectAt(value, 'request');
  const address = textAt(request, 'url');
  const method = textAt(request, 'method')?.trim().toUpperCase() ?? '';
  if (address === undefined || method === '') return skip('The entry has no request with a method and a URL');
  const url = readUrl(address);
  if (url === undefined) return skip(`The URL is not one of HTTP: ${schemeOf(address)}`);
  if (method === 'CONNECT') return skip('The entry opens a tunnel through a proxy, and holds no request');

  const reading = new EntryReading(value, attached);
  const startedAt = reading.startedAt();
  const response = reading.response(method);
  const sent = reading.request(method, url.target, url.authorization);
  const time = numberAt(value, 'time') ?? -1;
  return {
    exchange: {
      source,
      startedAt,
      endedAt: startedAt === undefined || response === undefined || time < 0 ? undefined : startedAt + time,
      origin: url.origin,
      request: sent,
      response,
      isRequestAlone: reading.isRequestAlone,
      notes: reading.notes,
      resourceType: reading.resourceType,
    },
    page: textAt(value, 'pageref'),
    problems: reading.problems,
  };
}

function schemeOf(address: string): string {
  return /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(address.trim())?.[0] ?? 'it has no scheme';
}

class EntryReading {
  readonly notes: string[] = [];
  readonly problems: EntryProblem[] = [];
  readonly resourceType: string | undefined;
  /** Is there no response, and nothing that says that it failed? */
  isRequestAlone: true | undefined;
  private readonly entry: JsonObject;
  private readonly attached: Attached;

  constructor(entry: JsonObject, attached: Attached) {
    this.entry = entry;
    this.attached = attached;
    this.resourceType = this.isWebSocket() ? 'websocket' : textAt(entry, '_resourceType')?.toLowerCase();
  }

  startedAt(): number | undefined {
    const text = textAt(this.entry, 'startedDateTime');
    const time = text === undefined ? undefined : readTime(text);
    if (time === undefined)
      this.tell('The entry has no startedDateTime that can be read', 'kept where it stands in the file');
    return time;
  }

  request(method: string, target: string, authorization: string | undefined): RecordedRequest {
    const request = objectAt(this.entry, 'request');
    const headers = [...headersOf(request)];
    if (headerValue(headers, 'cookie') === undefined) {
      const cookies = cookiesOf(request);
      if (cookies.length > 0) headers.push('Cookie', cookies.map(({ text }) => text).join('; '));
    }
    if (authorization !== undefined && headerValue(headers, 'authorization') === undefined)
      headers.push('Authorization', authorization);
    const postData = objectAt(request, 'postData');
    const body = this.requestBody(postData, headers);
    if (body !== undefined) nameType(headers, postData);
    return { method, target, headers, body };
  }

  response(method: string): RecordedResponse | undefined {
    const response = objectAt(this.entry, 'response');
    const status = numberAt(response, 'status') ?? 0;
    if (status < 100 || status > 999 || !Number.isInteger(status)) {
      this.tellMissing(response);
      return undefined;
    }
    const headers = [...headersOf(response)];
    if (headerValue(headers, 'set-cookie') === undefined)
      for (const { text, attributes } of cookiesOf(response)) headers.push('Set-Cookie', `${text}${attributes}`);
    if (this.resourceType === 'websocket') this.tellWebSocket();
    const content = objectAt(response, 'content');
    const body = this.responseBody(content, headers, status, method);
    if (body !== undefined) nameType(headers, content);
    if (status < 300) this.tellPage(typeOf(content, headers));
    return { status, headers, body };
  }

  /** Only one of `text` and `params` is there, says HAR; where both are, the text is what was sent. */
  private requestBody(postData: JsonObject, headers: RawHeaders): RecordedBody | undefined {
    const contentType = headerValue(headers, 'content-type') ?? textAt(postData, 'mimeType') ?? '';
    const written = this.writtenContent(postData, contentType);
    if (written !== undefined) return written;
    const params = objectsAt(postData, 'params');
    if (params.length > 0) return formOf(params, contentType);
    const size = Math.max(numberAt(objectAt(this.entry, 'request'), 'bodySize') ?? 0, lengthOf(headers));
    if (size <= 0) return undefined;
    this.tell('The file has no content for the body of a request', 'kept without that body');
    return omittedBody('the file has no content for it', size);
  }

  private responseBody(
    content: JsonObject,
    headers: RawHeaders,
    status: number,
    method: string,
  ): RecordedBody | undefined {
    const contentType = typeOf(content, headers);
    const text = textAt(content, 'text');
    const size = numberAt(content, 'size') ?? -1;
    const asset = pageAsset(contentType, this.resourceType);
    if (asset !== undefined && (text !== undefined || size > 0)) return omittedBody(`${asset} of a page`, known(size));
    const written = this.writtenContent(content, contentType);
    if (written !== undefined) return written;
    const length = Math.max(size, lengthOf(headers));
    const isNone = length === 0 || (length < 0 && text !== undefined);
    if (isNone || lacksBody(method, status)) return undefined;
    this.tell('The file has no content for the body of a response', 'kept without that body');
    return omittedBody('the file has no content for it', known(length));
  }

  /** Text as it is, or in base64; else what is in a file of its own. */
  private writtenContent(place: JsonObject, contentType: string): RecordedBody | undefined {
    const text = textAt(place, 'text') ?? '';
    if (text === '') return this.attachedContent(place, contentType);
    const encoding = (textAt(place, 'encoding') ?? textAt(place, '_encoding') ?? '').toLowerCase();
    return encoding === 'base64' ? bytesBody(Buffer.from(text, 'base64'), contentType) : textBody(text);
  }

  /** Playwright and its like write contents to files, and name them here. */
  private attachedContent(place: JsonObject, contentType: string): RecordedBody | undefined {
    const name = textAt(place, '_file') ?? textAt(place, '_sha1');
    if (name === undefined) return undefined;
    const bytes = this.attached(name);
    if (bytes !== undefined) return bytesBody(bytes, contentType);
    this.tell('A file with the content of a body is not beside the HAR', 'kept without that body');
    return omittedBody(`its content was in the file ${name}, which is not there`, undefined);
  }

  private isWebSocket(): boolean {
    const isNamed = textAt(this.entry, '_resourceType')?.toLowerCase() === 'websocket';
    const scheme = textAt(objectAt(this.entry, 'request'), 'url') ?? '';
    return isNamed || /^wss?:/i.test(scheme) || itemsAt(this.entry, '_webSocketMessages').length > 0;
  }

  private tellMissing(response: JsonObject): void {
    const reason = textAt(response, '_error') ?? textAt(this.entry, '_error') ?? textAt(response, '_failureText') ?? '';
    if (reason === '') this.isRequestAlone = true;
    this.notes.push(reason === '' ? 'no response was recorded' : `no response came: ${reason}`);
    this.tell('The entry has no response', 'kept as a request alone');
  }

  /** Scripts do ask for pages, but an address that is wrong gives one as well. */
  private tellPage(contentType: string): void {
    const isOfScript = this.resourceType === 'fetch' || this.resourceType === 'xhr';
    if (!isOfScript || !/^text\/html\b/i.test(contentType)) return;
    this.notes.push('a script asked for it, and the response is a page of HTML');
    this.tell('The response to a call of a script is a page of HTML', 'kept: see whether that is what the API gives');
  }

  private tellWebSocket(): void {
    this.notes.push('an upgrade to websocket: what came behind it is not recorded');
    this.tell('The entry is a WebSocket', 'kept as the request that opened it, without its messages');
  }

  private tell(problem: string, done: string): void {
    this.problems.push({ problem, done });
  }
}

/** ISO 8601 as HAR wants it; older programs leave out the colon of the offset. */
function readTime(text: string): number | undefined {
  const withColon = text.trim().replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
  return parseRfc3339(withColon);
}

/** A form of which only the fields are known, written as it was sent. */
function formOf(params: readonly JsonObject[], contentType: string): RecordedBody | undefined {
  if (!/^multipart\//i.test(contentType))
    return textBody(urlEncodedForm(params.map((param) => [textAt(param, 'name') ?? '', textAt(param, 'value') ?? ''])));
  const parts = params.map((param): FormPart => {
    const [value, fileName] = [textAt(param, 'value') ?? '', textAt(param, 'fileName')];
    return {
      name: textAt(param, 'name') ?? '',
      value: fileName === undefined ? value : { fileName, bytes: Buffer.from(value) },
      contentType: textAt(param, 'contentType'),
    };
  });
  return bytesBody(multipartForm(parts, boundaryOf(contentType) ?? BOUNDARY), contentType);
}
