import { headerValue } from '../../core/http/headers';
import { bodyKind } from '../../core/http/media-type';
import { decodePathSegment, decodeQueryComponent } from '../../core/http/request-target';
import { isJsonNumber, type JsonNumber, numberFromLexeme } from '../../core/json/exact-number';
import type { JsonValue } from '../../core/json/json-value';
import { rewriteJson } from '../../core/json/rewrite-json';
import { scalarText } from '../../core/json/stringify-json';
import type { ApiModel } from '../../openapi/model/api-model';
import type { MediaTypeEntry, Schema } from '../../openapi/model/operation';
import { jsonEntry } from '../../openapi/view/operation-bodies';
import { findResponse } from '../../openapi/view/responses';
import { shapeOf } from '../../openapi/view/schema-shape';
import type { CleanExchange, RecordedBody, RecordedRequest } from '../exchange/recorded-exchange';
import { writeComponent } from './clean-value';
import { type AskedOperation, askedOperation } from './exchange-operation';
import { MadeUpPersons, type ReplacedData } from './made-up-persons';
import { personalKind } from './personal-data';
import { isMark, markedNames } from './secret-names';

/** Replaces what belongs to persons by made-up values, in all exchanges of one recording. */
export interface Anonymiser {
  anonymise(exchange: CleanExchange): CleanExchange;
  /** How much was replaced, for people. */
  replaced(): readonly ReplacedData[];
}

/** Where a message stands, and what its description says of it. */
interface Place {
  /** What is asked for: `users` of `/users/7`. */
  readonly of: string;
  readonly direction: 'request' | 'response';
  readonly schemas: readonly Schema[];
}

/**
 * Personal data is told by the names of properties, parameters and variables, and by forms that nothing else has: e-mail
 * addresses, bank accounts. The same value becomes the same made-up one wherever it stands, so that what is carried from
 * one exchange to another still is; a made-up value is valid where the original was, as far as its kind allows, and values
 * that the description lists (`enum`, `const`) stay.
 */
export function createAnonymiser(api: ApiModel, basePath?: string): Anonymiser {
  const persons = new MadeUpPersons();
  const once = (exchange: CleanExchange): CleanExchange => {
    return new ExchangeAnonymiser(api, persons, exchange, basePath).anonymised();
  };
  return {
    anonymise(exchange) {
      // What a response shows may stand in the path that was asked for: first all of it is learnt.
      once(exchange);
      return once(exchange);
    },
    replaced: () => persons.replaced(),
  };
}

class ExchangeAnonymiser {
  readonly #api: ApiModel;
  readonly #persons: MadeUpPersons;
  readonly #exchange: CleanExchange;
  readonly #asked: AskedOperation | undefined;
  readonly #of: string;

  constructor(api: ApiModel, persons: MadeUpPersons, exchange: CleanExchange, basePath: string | undefined) {
    this.#api = api;
    this.#persons = persons;
    this.#exchange = exchange;
    this.#asked = askedOperation(api, exchange.request, basePath);
    this.#of = subjectOf(this.#asked?.match.route.path ?? exchange.request.target);
  }

  anonymised(): CleanExchange {
    const { request, response, name, notes } = this.#exchange;
    const operation = this.#asked?.operation;
    const sent = this.#place('request', operation?.requestBody?.content);
    const shown =
      operation === undefined || response === undefined ? undefined : findResponse(operation, response.status);
    const got = this.#place('response', shown?.content);
    return {
      ...this.#exchange,
      ...(name === undefined ? {} : { name: this.#persons.inText(name) }),
      notes: notes.map((note) => this.#persons.inText(note)),
      request: { ...request, target: this.#target(request.target), ...this.#parts(request, sent) },
      response: response === undefined ? response : { ...response, ...this.#parts(response, got) },
    };
  }

  #place(direction: Place['direction'], content: readonly MediaTypeEntry[] = []): Place {
    const schema = jsonEntry(content)?.schema ?? content[0]?.schema;
    return { of: this.#of, direction, schemas: schema === undefined ? [] : [schema] };
  }

  #parts({ headers, body }: Pick<RecordedRequest, 'headers' | 'body'>, place: Place) {
    const mediaType = headerValue(headers, 'content-type');
    return {
      headers: headers.map((value, index) => (index % 2 === 0 ? value : this.#header(headers[index - 1] ?? '', value))),
      body: body?.kind === 'text' ? this.#body(body, mediaType, place) : body,
    };
  }

  #header(name: string, value: string): string {
    // A list of addresses (RFC 7239 §5.2).
    if (/^(?:x-)?forwarded|(?:client|real|connecting|true-client)-ip$/i.test(name))
      return value.replace(/[\da-f.:]{7,}/gi, (address) => this.#scalar(['ip'], address, NOWHERE));
    return /^(?:location|content-location|referer|link)$/i.test(name)
      ? this.#target(value)
      : this.#persons.inText(value);
  }

  /** A target or an address. */
  #target(target: string): string {
    const [, head = '', path = '', query = ''] = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?]*)(.*)$/is.exec(target) ?? [];
    const variables = new Map(
      Object.entries(this.#asked?.match.rawPathParameters ?? {}).map(([name, raw]) => [raw, name]),
    );
    const segments = path.split('/').map((segment) => {
      const name = variables.get(segment);
      return this.#component(
        segment,
        name === undefined ? [] : [name],
        decodePathSegment,
        this.#parameter('path', name),
      );
    });
    const pairs = query
      .slice(1)
      .split('&')
      .map((pair) => this.#pair(pair, NOWHERE));
    return `${head}${segments.join('/')}${query.slice(0, 1)}${pairs.join('&')}`;
  }

  #parameter(where: string, name: string | undefined): Place {
    const found = this.#asked?.operation?.parameters.find((each) => each.in === where && each.name === name);
    return found?.schema === undefined ? NOWHERE : { ...NOWHERE, schemas: [found.schema] };
  }

  #pair(pair: string, place: Place): string {
    const end = pair.indexOf('=');
    const name = end === -1 ? undefined : decodeQueryComponent(pair.slice(0, end));
    if (name === undefined) return pair;
    const path = name.split(/[[\].]/).filter((part) => part !== '');
    const at = place === NOWHERE ? this.#parameter('query', name) : this.#below(place, path);
    return `${pair.slice(0, end)}=${this.#component(pair.slice(end + 1), path, decodeQueryComponent, at)}`;
  }

  #component(
    written: string,
    path: readonly string[],
    decode: (text: string) => string | undefined,
    place: Place,
  ): string {
    const text = decode(written);
    if (text === undefined || text === '') return written;
    const made = this.#scalar(path, text, place);
    return made === text ? written : writeComponent(made);
  }

  #body(
    body: Extract<RecordedBody, { readonly kind: 'text' }>,
    mediaType: string | undefined,
    place: Place,
  ): RecordedBody {
    const kind = mediaType === undefined ? 'json' : bodyKind(mediaType);
    const text =
      kind === 'form'
        ? body.text
            .split('&')
            .map((pair) => this.#pair(pair, place))
            .join('&')
        : kind === 'xml'
          ? this.#persons.inText(
              body.text.replace(ELEMENT, (whole, head: string, name: string, value: string) =>
                value.includes('&') ? whole : head + this.#scalar([name], value, NOWHERE),
              ),
            )
          : (this.#json(body.text, place) ?? this.#persons.inText(body.text));
    return text === body.text ? body : { kind: 'text', text };
  }

  /** @returns `undefined` for what is no JSON */
  #json(text: string, place: Place): string | undefined {
    try {
      return rewriteJson(text, { scalar: (value, path) => this.#value(value, path, place) });
    } catch {
      return undefined;
    }
  }

  #value(value: string | JsonNumber, path: readonly string[], place: Place): JsonValue {
    const text = scalarText(value);
    if (isJsonNumber(value) && !/^\d{5,}$/.test(text)) return value;
    const made = this.#scalar(path, text, place.schemas.length === 0 ? place : this.#below(place, path), value);
    // What begins with zeros is a text and no number.
    return isJsonNumber(value) ? (/^[1-9]\d*$/.test(made) ? numberFromLexeme(made) : value) : made;
  }

  #scalar(path: readonly string[], text: string, place: Place, value: JsonValue = text): string {
    if (isMark(text) || markedNames(text).length > 0) return this.#persons.inText(text);
    const kind = personalKind(path, text, this.#of);
    const known = this.#persons.known(text);
    if (kind === undefined) return known ?? this.#persons.inText(text);
    const { schemas, direction } = place;
    if (schemas.some(({ value: said }) => said['enum'] !== undefined || said['const'] !== undefined)) return text;
    const holding = schemas.filter((schema) => schema.accepts(value, direction));
    const asValue = (made: string): JsonValue => (isJsonNumber(value) ? numberOr(made) : made);
    return (
      known ??
      this.#persons.replace(kind, text, (made) => holding.every((each) => each.accepts(asValue(made), direction)))
    );
  }

  /** What a description says of a part of a body. */
  #below(place: Place, path: readonly string[]): Place {
    let schemas = place.schemas;
    for (const segment of path) {
      const { properties, items, others } = shapeOf(this.#api, schemas);
      const inner = properties.get(segment) ?? (/^\d+$/.test(segment) && items.length > 0 ? items : others);
      schemas = inner.map((located) => this.#api.schemaOf(located));
    }
    return { ...place, schemas };
  }
}

const NOWHERE: Place = { of: '', direction: 'request', schemas: [] };
const ELEMENT = /(<(?:[\w-]{1,30}:)?([\w.-]{2,60})(?:\s[^<>]{0,200})?>)([^<>]{2,200})(?=<\/)/g;

function numberOr(text: string): JsonValue {
  return /^[1-9]\d*$/.test(text) ? numberFromLexeme(text) : text;
}

/** The last segment of a path that is a word and no id: of `/v1/users/7` it is `users`. */
function subjectOf(path: string): string {
  const [plain = ''] = path.split('?', 1);
  return plain.split('/').findLast((segment) => /^[A-Za-z][A-Za-z_-]*$/.test(segment)) ?? '';
}
