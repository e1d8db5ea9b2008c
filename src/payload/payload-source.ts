import { writeXml } from './xml-body';
import { problem, type Problem } from '../core/http/problem';
import type { HttpResponse } from '../core/http/message';
import type { JsonValue } from '../core/json/json-value';
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
  concreteMediaType,
  isOfAnyValue,
  isTextMediaType,
  isXmlMediaType,
  plainSample,
  sequenceKind,
  sequenceValues,
  smallFile,
  streamEnd,
  writeSequence,
  writeValue,
  type WrittenBody,
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
  | { readonly kind: 'generated'; readonly value: JsonValue }
  | { readonly kind: 'failed'; readonly reason: string };

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
  /** The same at once: what no example gives is sampled here, whatever else would make it up. */
  sample(
    operation: Operation,
    response: ResponseSpec | undefined,
    status: number,
    accept: string | undefined,
    preference?: BodyPreference,
  ): HttpResponse | Problem;
  /**
   * The response with a body that is given, in the media type that Accept prefers of those named.
   *
   * @param mediaTypes - keys of its `content` that the body may be sent as
   */
  withBody(
    response: ResponseSpec | undefined,
    status: number,
    body: JsonValue,
    mediaTypes: readonly string[],
    accept: string | undefined,
  ): HttpResponse;
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
  let generatorInUse: PayloadGenerator | undefined;
  return {
    async respond(operation, response, status, accept, preference = NO_PREFERENCE) {
      const asked = { operation, status, preference };
      return respond(response, response && (await bodyFor(response, accept, asked)), asked);
    },
    sample(operation, response, status, accept, preference = NO_PREFERENCE) {
      const asked = { operation, status, preference };
      const bodies = response && contentInOrder(response, accept).map((entry) => bodyOf(entry, asked, undefined));
      return respond(response, bodies?.find(({ kind }) => kind === 'written') ?? bodies?.[0], asked);
    },
    withBody(response, status, body, mediaTypes, accept) {
      const entry =
        response && contentInOrder(response, accept).find(({ mediaType }) => mediaTypes.includes(mediaType));
      const mediaType = entry?.mediaType ?? mediaTypes[0] ?? (typeof body === 'string' ? 'text/plain' : '*/*');
      return written(response, status, writeContent({ mediaType, schema: entry?.schema }, body));
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
      const body = bodyOf(entry, asked, await generated(entry, asked));
      if (body.kind === 'written') return body;
      first ??= body;
    }
    return first;
  }

  function respond(
    response: ResponseSpec | undefined,
    body: Body | undefined,
    { operation, status }: BodyRequest,
  ): HttpResponse | Problem {
    if (body?.kind !== 'none') return written(response, status, body);
    return problem(
      'not_implemented',
      `No body could be made for ${operation.id} ${status}: ${body.reason}; add an example to the description`,
    );
  }

  function written(response: ResponseSpec | undefined, status: number, body: WrittenBody | undefined): HttpResponse {
    const headers = ['Cache-Control', 'no-store'];
    if (body !== undefined) headers.push('Content-Type', body.mediaType);
    if (response !== undefined) addDeclaredHeaders(headers, declaredHeaders(api, response), false);
    return { status, headers, body: body?.text };
  }

  function bodyOf(entry: MediaTypeEntry, asked: BodyRequest, made: JsonValue | undefined): Body {
    const { mediaType } = entry;
    const { example, skipped } = asked.preference.isDynamic
      ? NO_EXAMPLE
      : chooseExample(entry, asked.preference.example);
    if (example !== undefined) {
      const { name, pointer, value, serialized } = example;
      const origin = { kind: 'example', mediaType, name, pointer, skipped } as const;
      if (serialized !== undefined) return { kind: 'written', mediaType, text: serialized, origin };
      return { kind: 'written', ...writeContent(entry, value), origin };
    }
    const body = madeBody(entry, asked, made);
    return body.kind === 'none' ? body : { ...body, origin: { ...body.origin, skipped } };
  }

  /** An object is the value of the XML, a text the XML itself. */
  function writeContent({ mediaType, schema }: Content, value: JsonValue): WrittenBody {
    if (!isXmlMediaType(mediaType) || typeof value === 'string') return writeValue(mediaType, value);
    return { mediaType: concreteMediaType(mediaType, true), text: writeXml(api, schema, value) };
  }

  function madeBody(entry: MediaTypeEntry, asked: BodyRequest, made: JsonValue | undefined): Body {
    const { mediaType, schema } = entry;
    const origin = generatedOrigin(entry);
    const kind = sequenceKind(mediaType);
    if (kind !== undefined) return sequence(entry, asked);
    if (!isOfAnyValue(mediaType)) {
      const file = smallFile(mediaType);
      if (file !== undefined) return { kind: 'written', mediaType: file.mediaType, text: file.body, origin };
      if (schema === undefined && isTextMediaType(mediaType))
        return { kind: 'written', mediaType: concreteMediaType(mediaType, true), text: plainSample(mediaType), origin };
    }
    const payload = made === undefined ? sampled(schema, asked) : { kind: 'generated' as const, value: made };
    if (payload.kind === 'failed') return { kind: 'none', reason: payload.reason };
    return { kind: 'written', ...writeContent(entry, payload.value), origin };
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

  /** A body by Prism; `undefined` where it is not asked, and where it makes none that the schema allows. */
  async function generated(entry: MediaTypeEntry, asked: BodyRequest): Promise<JsonValue | undefined> {
    const { schema } = entry;
    const { operation, status, preference } = asked;
    if (schema === undefined || !(preference.isDynamic || maker === 'prism') || !isMade(entry, preference))
      return undefined;
    generatorInUse ??= generator();
    const ownSeed = preference.seed ?? (seed === '0' ? undefined : seed);
    const payload = await generatorInUse.generate(operation, status, schema, ownSeed);
    // Prism makes no items of a list that may be empty, and such a list shows nothing.
    const isUseful = payload.kind === 'generated' && !isEmptyList(payload.value);
    return isUseful && schema.accepts(payload.value, 'response') ? payload.value : undefined;
  }

  function sampled(schema: Schema | undefined, asked: BodyRequest): GeneratedPayload {
    if (schema === undefined) return failed('the description has neither a schema nor an example for it');
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

interface Written extends WrittenBody {
  readonly kind: 'written';
  readonly origin: WrittenOrigin;
}

type Body = Written | { readonly kind: 'none'; readonly reason: string };

type Content = Pick<MediaTypeEntry, 'mediaType' | 'schema'>;

/** Is the body made up as one value, rather than shown by an example or made for its media type? */
function isMade(entry: MediaTypeEntry, { isDynamic, example }: BodyPreference): boolean {
  const { mediaType } = entry;
  if (!isDynamic && chooseExample(entry, example).example !== undefined) return false;
  return sequenceKind(mediaType) === undefined && (isOfAnyValue(mediaType) || smallFile(mediaType) === undefined);
}

function failed(reason: string): GeneratedPayload {
  return { kind: 'failed', reason };
}

/** Of a body that no example gave. */
function generatedOrigin({ mediaType, schema, itemSchema }: MediaTypeEntry): WrittenOrigin {
  return { kind: 'generated', mediaType, pointer: (schema ?? itemSchema)?.pointer, skipped: [] };
}
