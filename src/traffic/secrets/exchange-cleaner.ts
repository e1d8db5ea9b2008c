import { headerValue } from '../../core/http/headers';
import { decodePathSegment, splitPath } from '../../core/http/request-target';
import { isJsonNumber } from '../../core/json/exact-number';
import { rewriteJson } from '../../core/json/rewrite-json';
import { scalarText } from '../../core/json/stringify-json';
import { foldedName } from '../../core/text/inflection';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { sensitiveProperties } from '../../redaction/body-redaction';
import { createRedaction, type Redaction } from '../../redaction/redaction';
import type {
  CleanExchange,
  RecordedBody,
  RecordedExchange,
  RecordedRequest,
  RecordedResponse,
} from '../exchange/recorded-exchange';
import { cleanBody, omitted } from './clean-body';
import { unpackedFiles } from './unpacked-files';
import { cleanHeaders, cleanPath, cleanQuery } from './clean-message';
import { cleanText } from './clean-json';
import type { Cleaning } from './clean-value';
import { type AskedOperation, askedOperation } from './exchange-operation';
import { withoutMarks } from './secret-names';
import type { SecretStore } from './secret-store';
import { identifyingNames } from './value-names';

/** What the user calls secret beside what everybody does. */
export interface UserSecrets {
  /** Path of the target's URL. */
  readonly basePath: string | undefined;
  /** In lower case. */
  readonly headers: ReadonlySet<string>;
  readonly isPointed: (path: readonly string[]) => boolean;
}

/** Remembered of a recording; who has more of them has long forgotten the first. */
const MOST_IDS = 20_000;

/** Cleans the exchanges of one recording, one after the other. */
export class ExchangeCleaner {
  readonly #api: ApiModel;
  readonly #store: SecretStore;
  readonly #user: UserSecrets;
  readonly #redactions = new Map<Operation | undefined, Redaction>();
  readonly #ids = new Set<string>();
  /** What is being cleaned, for those who ask where a secret stands. */
  #header = '';
  #message = '';

  constructor(api: ApiModel, store: SecretStore, user: UserSecrets) {
    this.#api = api;
    this.#store = store;
    this.#user = user;
  }

  clean(exchange: RecordedExchange): CleanExchange {
    const { request, response } = exchange;
    const asked = askedOperation(this.#api, request, this.#user.basePath);
    // Their names are taken before any is given.
    this.knowMarks(exchange);
    for (const { name, value } of exchange.declaredSecrets ?? []) this.#store.declare(name, value);
    this.#noteSegments(request.target);
    const location = headerValue(response?.headers ?? [], 'location');
    if (location !== undefined) this.#noteSegments(location.replace(/^[a-z]+:\/\/[^/]*/i, ''));
    // All places first: what one of them shows to be a secret may stand in another that was read before.
    const masked = this.#masked(exchange, asked);
    const declaredSecrets = exchange.declaredSecrets?.map(({ name }) => ({ name, value: '' }));
    return { ...this.#replaced(masked), ...(declaredSecrets && { declaredSecrets }), secrets: 'replaced' };
  }

  /** Takes the names of the marks of an exchange that was cleaned before. */
  knowMarks(exchange: RecordedExchange): void {
    for (const text of textsOf(exchange)) this.#store.knowMarks(text);
  }

  #masked(exchange: RecordedExchange, asked: AskedOperation | undefined): RecordedExchange {
    const { request, response, origin, source, name } = exchange;
    const asking = this.#cleaning(asked?.operation, false);
    // Not yet the path: it may hold a secret.
    this.#message = request.method;
    const [, written = '', query = ''] = /^([^?]*)(.*)$/s.exec(request.target) ?? [];
    const path = cleanPath(written, asked, asking);
    this.#message = `${request.method} ${asked?.match.route.path ?? path}`;
    const target = path + cleanQuery(query, asking);
    const sent = { ...request, target, ...this.#maskedParts(request, asking) };
    const told = { origin: cleanText(origin, asking), source: cleanText(source, asking) };
    const words = { ...told, ...(name === undefined ? {} : { name: cleanText(name, asking) }) };
    if (response === undefined) return { ...exchange, ...words, request: sent };
    this.#message = `the response to ${this.#message}`;
    const showing = this.#cleaning(asked?.operation, response.status >= 400);
    return { ...exchange, ...words, request: sent, response: { ...response, ...this.#maskedParts(response, showing) } };
  }

  #maskedParts(
    { headers, body }: Pick<RecordedRequest, 'headers' | 'body'>,
    cleaning: Cleaning,
  ): Pick<RecordedRequest, 'headers' | 'body'> {
    const clean = cleanHeaders(
      headers,
      (name) => this.#user.headers.has(name),
      (header) => {
        this.#header = header;
        return cleaning;
      },
    );
    this.#header = '';
    const mediaType = headerValue(headers, 'content-type');
    return { headers: clean, body: body === undefined ? body : cleanBody(body, mediaType, cleaning) };
  }

  #cleaning(operation: Operation | undefined, isFailure: boolean): Cleaning {
    const names = identifyingNames(this.#api);
    const { declared, has } = sensitiveProperties(this.#api, operation);
    return {
      redaction: this.#redactionOf(operation),
      properties: { declared, has: (name) => has(withoutMarks(name)) },
      isPointed: this.#user.isPointed,
      isId: (name, value) => names.has(foldedName(name)) || this.#ids.has(value),
      noteId: (value) => {
        this.#noteId(value);
      },
      isFailure,
      mask: (secret, place) => this.#store.markAt(secret, place, this.#header, () => this.#message),
      markFound: (secret, name) =>
        this.#store.mark(secret, {
          kind: 'value',
          name,
          where: () =>
            `${this.#header === '' ? `the value of ${name}` : `the header ${this.#header}`} in ${this.#message}`,
        }),
    };
  }

  /** One for each operation: the mask asks what is being cleaned. */
  #redactionOf(operation: Operation | undefined): Redaction {
    let redaction = this.#redactions.get(operation);
    if (redaction === undefined) {
      redaction = createRedaction(this.#api, operation, (secret, place) =>
        this.#store.markAt(secret, place, this.#header, () => this.#message),
      );
      this.#redactions.set(operation, redaction);
    }
    return redaction;
  }

  #noteSegments(target: string): void {
    for (const segment of splitPath(target.split(/[?#]/, 1)[0] ?? '')) this.#noteId(decodePathSegment(segment) ?? '');
  }

  #noteId(value: string): void {
    // Shorter ones look like no key.
    if (value.length < 12) return;
    if (this.#ids.size >= MOST_IDS) this.#ids.clear();
    this.#ids.add(value);
  }

  #replaced(exchange: RecordedExchange): RecordedExchange {
    const { request, response, source, origin, name, notes } = exchange;
    const replace = (text: string): string => this.#store.replace(text);
    return {
      ...exchange,
      source: replace(source),
      origin: replace(origin),
      notes: notes.map(replace),
      ...(name === undefined ? {} : { name: replace(name) }),
      request: { ...request, target: replace(request.target), ...this.#replacedParts(request) },
      response: response === undefined ? response : { ...response, ...this.#replacedParts(response) },
    };
  }

  #replacedParts({ headers, body }: Pick<RecordedResponse, 'headers' | 'body'>) {
    return {
      headers: headers.map((text) => this.#store.replace(text)),
      body: body === undefined ? body : this.#replacedBody(body),
    };
  }

  #replacedBody(body: RecordedBody): RecordedBody {
    if (body.kind === 'omitted') return { ...body, reason: this.#store.replace(body.reason) };
    if (body.kind === 'bytes') {
      const bytes = Buffer.from(body.base64, 'base64');
      const holds = (read: Uint8Array): boolean => this.#store.isInBytes(Buffer.from(read).toString('latin1'));
      return [bytes, ...unpackedFiles(bytes)].some(holds) ? omitted('its bytes hold a secret', bytes.length) : body;
    }
    const text = this.#store.replace(body.text);
    if (text === body.text) return body;
    return { kind: 'text', text: this.#replacedJson(body.text) ?? text };
  }

  /** Texts as they are read, so that what comes out is JSON as well; `undefined` where it is none, or a secret is left. */
  #replacedJson(text: string): string | undefined {
    try {
      const clean = rewriteJson(text, {
        scalar: (value) => {
          const written = isJsonNumber(value) ? scalarText(value) : value;
          const replaced = this.#store.replace(written);
          return replaced === written ? value : replaced;
        },
        name: (name) => this.#store.replace(name),
      });
      return this.#store.replace(clean) === clean ? clean : undefined;
    } catch {
      return undefined;
    }
  }
}

function textsOf({ request, response, source, origin, name = '', notes }: RecordedExchange): string[] {
  const bodies = [request.body, response?.body].map((body) => (body?.kind === 'text' ? body.text : ''));
  return [source, origin, name, ...notes, request.target, ...request.headers, ...(response?.headers ?? []), ...bodies];
}
