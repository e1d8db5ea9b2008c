import { writeXml } from './xml-body';
import { problem, type Problem } from '../core/http/problem';
import { isJsonMediaType } from '../core/http/media-type';
import type { HttpResponse } from '../core/http/message';
import type { JsonValue } from '../core/json/json-value';
import { stringifyJson } from '../core/json/stringify-json';
import type { MediaTypeEntry, Operation, ResponseSpec, Schema } from '../openapi/model/operation';
import type { ApiModel } from '../openapi/model/api-model';
import {
  type BodyOrigin,
  chooseExample,
  type ChosenExample,
  contentInOrder,
  type WrittenOrigin,
} from './content-choice';
import {
  isTextMediaType,
  isXmlMediaType,
  plainSample,
  sequenceKind,
  sequenceValues,
  smallFile,
  streamEnd,
  writeSequence,
} from './media-body';
import { addDeclaredHeaders, declaredHeaders } from './response-headers';
import { samplerOf } from './sampler/sampler';

/** Makes a body up from a schema. Loaded only when it is asked for. */
export interface PayloadGenerator {
  /**
   * @param schema - what the body is to be of; left out: that of the content that is answered with
   * @param seed - the same seed gives the same body
   * @returns a body for the response, or why none could be made
   */
  generate(operation: Operation, status: number, schema?: Schema, seed?: string): Promise<GeneratedPayload>;
}

export type GeneratedPayload =
  { readonly kind: 'generated'; readonly value: JsonValue } | { readonly kind: 'failed'; readonly reason: string };

/** What makes bodies up: our own sampler, or Prism's generator with the sampler behind it. */
export type BodyMaker = 'sampler' | 'prism';

/** What a request says about the body that it wants. */
export interface BodyPreference {
  /** Name of an example of the description. */
  readonly example: string | undefined;
  /** A body from Prism's generator, whatever examples there are. */
  readonly isDynamic: boolean;
  readonly seed: string | undefined;
}

const NO_EXAMPLE: ChosenExample = { example: undefined, skipped: [] };
const NO_PREFERENCE: BodyPreference = { example: undefined, isDynamic: false, seed: undefined };

/** Answers operations that no state stands behind: from an example, else from a generator. */
export interface PayloadSource {
  /**
   * @param response - `undefined` for a status that nothing is documented for: the response has no body
   * @param accept - the Accept header, which was found satisfiable before
   */
  respond(
    operation: Operation,
    response: ResponseSpec | undefined,
    status: number,
    accept: string | undefined,
    preference?: BodyPreference,
  ): Promise<HttpResponse | Problem>;
  /** Where the body of such a response comes from. */
  originOf(
    operation: Operation,
    response: ResponseSpec | undefined,
    status: number,
    accept: string | undefined,
    preference?: BodyPreference,
  ): Promise<BodyOrigin>;
}

export interface PayloadSourceParts {
  readonly api: ApiModel;
  /** Asked once, when a body is first wanted of it. */
  readonly generator: () => PayloadGenerator;
  /** `sampler` when left out. */
  readonly maker?: BodyMaker | undefined;
  /** What chance follows from; `0` when left out. */
  readonly seed?: string | undefined;
}

/** Every body that is generated is checked by its schema before it is used. */
export function createPayloadSource(parts: PayloadSourceParts): PayloadSource {
  const { api, generator, maker = 'sampler', seed = '0' } = parts;
  let made: PayloadGenerator | undefined;
  return {
    async respond(operation, response, status, accept, preference = NO_PREFERENCE) {
      if (response === undefined) return { status, headers: ['Cache-Control', 'no-store'], body: undefined };
      const body = await bodyFor(response, accept, { operation, status, preference });
      if (body?.kind !== 'none') return respond(response, status, body);
      return problem(
        'not_implemented',
        `No body could be made for ${operation.id} ${status}: ${body.reason}; add an example to the description`,
      );
    },
    async originOf(operation, response, status, accept, preference = NO_PREFERENCE) {
      const body = response && (await bodyFor(response, accept, { operation, status, preference }));
      if (body === undefined) return { kind: 'no-body' };
      return body.kind === 'none' ? { kind: 'impossible', reason: body.reason } : body.origin;
    },
  };

  /** @returns `undefined` for a response that has none; where none can be made, why not for the first media type */
  async function bodyFor(
    response: ResponseSpec,
    accept: string | undefined,
    asked: BodyRequest,
  ): Promise<Body | undefined> {
    let first: Body | undefined;
    for (const entry of contentInOrder(response, accept)) {
      const body = await bodyOf(entry, asked);
      if (body.kind === 'written') return body;
      first ??= body;
    }
    return first;
  }

  function respond(response: ResponseSpec, status: number, body: Written | undefined): HttpResponse {
    const headers = ['Cache-Control', 'no-store'];
    if (body !== undefined) headers.push('Content-Type', body.mediaType);
    addDeclaredHeaders(headers, declaredHeaders(api, response), false);
    return { status, headers, body: body?.text };
  }

  async function bodyOf(entry: MediaTypeEntry, asked: BodyRequest): Promise<Body> {
    const { mediaType } = entry;
    const { example, skipped } = asked.preference.isDynamic
      ? NO_EXAMPLE
      : chooseExample(entry, asked.preference.example);
    if (example !== undefined) {
      const { name, pointer, value, serialized } = example;
      const origin = { kind: 'example', mediaType, name, pointer, skipped } as const;
      if (serialized !== undefined) return { kind: 'written', mediaType, text: serialized, origin };
      // An object is the value of the XML, a text the XML itself.
      if (isXmlMediaType(mediaType) && typeof value !== 'string')
        return {
          kind: 'written',
          mediaType: concreteMediaType(mediaType, true),
          text: writeXml(api, entry.schema, value),
          origin,
        };
      return writeValue(mediaType, value, origin);
    }
    const body = await madeBody(entry, asked);
    return body.kind === 'none' ? body : { ...body, origin: { ...body.origin, skipped } };
  }

  async function madeBody(entry: MediaTypeEntry, asked: BodyRequest): Promise<Body> {
    const { mediaType } = entry;
    const kind = sequenceKind(mediaType);
    if (kind !== undefined) return sequence(entry, asked);
    if (isJsonMediaType(mediaType) || mediaType.includes('*/*') || !mediaType.includes('/'))
      return toBody(entry, await generated(entry.schema, asked));
    const file = smallFile(mediaType);
    if (file !== undefined)
      return { kind: 'written', mediaType: file.mediaType, text: file.body, origin: generatedOrigin(entry) };
    return textBody(entry, asked);
  }

  async function textBody(entry: MediaTypeEntry, asked: BodyRequest): Promise<Body> {
    const { mediaType, schema } = entry;
    const origin = generatedOrigin(entry);
    if (schema === undefined && isTextMediaType(mediaType)) {
      return { kind: 'written', mediaType: concreteMediaType(mediaType, true), text: plainSample(mediaType), origin };
    }
    const payload = await generated(schema, asked);
    if (payload.kind === 'generated' && schema !== undefined && isXmlMediaType(mediaType)) {
      if (typeof payload.value !== 'string') {
        const text = writeXml(api, schema, payload.value);
        return { kind: 'written', mediaType: concreteMediaType(mediaType, true), text, origin };
      }
    }
    return toBody(entry, payload);
  }

  function sequence(entry: MediaTypeEntry, asked: BodyRequest): Body {
    const { mediaType } = entry;
    const kind = sequenceKind(mediaType) ?? 'lines';
    const made = sequenceValues(api, entry, kind, seedOf(asked));
    if (made.kind === 'failed') return { kind: 'none', reason: made.reason };
    const end = kind === 'events' ? streamEnd(api, asked.operation) : undefined;
    const values = end === undefined ? made.values : [...made.values, end];
    return { kind: 'written', mediaType, text: writeSequence(kind, values), origin: generatedOrigin(entry) };
  }

  async function generated(schema: Schema | undefined, asked: BodyRequest): Promise<GeneratedPayload> {
    if (schema === undefined) return failed('the description has neither a schema nor an example for it');
    if (asked.preference.isDynamic || maker === 'prism') {
      made ??= generator();
      const { operation, status, preference } = asked;
      const ownSeed = preference.seed ?? (seed === '0' ? undefined : seed);
      const payload = await made.generate(operation, status, schema, ownSeed);
      const isShown = payload.kind === 'generated' && !isEmptyList(payload.value);
      if (isShown && schema.accepts(payload.value, 'response')) return payload;
    }
    // Prism makes no items of a list that may be empty, and such a list shows nothing.
    const sample = samplerOf(api).sample(schema, { seed: seedOf(asked), direction: 'response' });
    if (sample.kind === 'made') return { kind: 'generated', value: sample.value };
    // What cannot be made otherwise is of use all the same; that it breaks the schema is reported where answers are checked.
    return sample.ambiguous === undefined ? failed(sample.reason) : { kind: 'generated', value: sample.ambiguous };
  }

  function seedOf({ operation, status, preference }: BodyRequest): string {
    return `${preference.seed ?? seed}\n${operation.id}\n${status}`;
  }
}

function isEmptyList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0;
}

interface BodyRequest {
  readonly operation: Operation;
  readonly status: number;
  readonly preference: BodyPreference;
}

interface Written {
  readonly kind: 'written';
  readonly mediaType: string;
  readonly text: string | Uint8Array;
  readonly origin: WrittenOrigin;
}

type Body = Written | { readonly kind: 'none'; readonly reason: string };

function failed(reason: string): GeneratedPayload {
  return { kind: 'failed', reason };
}

function toBody(entry: MediaTypeEntry, payload: GeneratedPayload): Body {
  if (payload.kind === 'failed') return { kind: 'none', reason: payload.reason };
  return writeValue(entry.mediaType, payload.value, generatedOrigin(entry));
}

/** Of a body that no example gave. */
function generatedOrigin({ mediaType, schema, itemSchema }: MediaTypeEntry): WrittenOrigin {
  return { kind: 'generated', mediaType, pointer: (schema ?? itemSchema)?.pointer, skipped: [] };
}

function writeValue(mediaType: string, value: JsonValue, origin: WrittenOrigin): Written {
  const kind = sequenceKind(mediaType);
  if (kind !== undefined && Array.isArray(value))
    return { kind: 'written', mediaType, text: writeSequence(kind, value), origin };
  const isText = typeof value === 'string' && !isJsonMediaType(mediaType);
  const text = isText ? value : stringifyJson(value);
  return { kind: 'written', mediaType: concreteMediaType(mediaType, isText), text, origin };
}

/** A range describes what may come and is not a Content-Type; nor is a key such as `error`. */
function concreteMediaType(mediaType: string, isText: boolean): string {
  if (!mediaType.includes('*') && mediaType.includes('/')) return mediaType;
  return isText ? 'text/plain' : 'application/json';
}
