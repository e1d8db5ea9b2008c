import { problem, type Problem } from '../checks/problem';
import { isJsonMediaType } from '../http/media-type';
import { bestMediaType } from '../http/accept';
import type { HttpResponse } from '../http/message';
import type { JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import type { MediaTypeEntry, Operation, ResponseSpec } from '../openapi/model';

/** Makes a body up from a schema. Loaded only when a response needs it. */
export interface PayloadGenerator {
  /** @returns a body for the response, or why none could be made */
  generate(operation: Operation, status: number): Promise<GeneratedPayload>;
}

export type GeneratedPayload =
  { readonly kind: 'generated'; readonly value: JsonValue } | { readonly kind: 'failed'; readonly reason: string };

/** The entry of a response that is answered with: the first JSON, else the first. */
export function chooseContent(response: ResponseSpec | undefined): MediaTypeEntry | undefined {
  return response?.content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? response?.content[0];
}

/** Answers operations that no state stands behind: from an example, else from a generator. */
export interface PayloadSource {
  /** @param accept - the Accept header, which was found satisfiable before */
  answer(
    operation: Operation,
    response: ResponseSpec | undefined,
    status: number,
    accept: string | undefined,
  ): Promise<HttpResponse | Problem>;
}

/**
 * @param generator - asked once, when the description first has no example; every body is judged by its schema before
 *   it is used
 */
export function createPayloadSource(generator: () => PayloadGenerator): PayloadSource {
  let made: PayloadGenerator | undefined;
  const load = (): PayloadGenerator => (made ??= generator());
  return {
    async answer(operation, response, status, accept) {
      if (response === undefined) {
        return problem('not_implemented', `${operation.id} documents no success to answer with; document one`);
      }
      const usual = chooseContent(response);
      const wanted = accept === undefined ? undefined : bestMediaType(accept, response.mediaTypes);
      const entry = response.content.find(({ mediaType }) => mediaType === wanted) ?? usual;
      if (entry === undefined) return { status, headers: ['Cache-Control', 'no-store'], body: undefined };
      const example = examplesOf(entry).find((value) => isValid(entry, value));
      if (example !== undefined) return toResponse(status, entry, example);
      if (entry !== usual) {
        return problem('not_implemented', `${operation.id} ${status} has no example in ${entry.mediaType}; add one`);
      }
      const payload = await generated(operation, status, entry, load);
      return 'code' in payload ? payload : toResponse(status, entry, payload.value);
    },
  };
}

function toResponse(status: number, { mediaType }: MediaTypeEntry, value: JsonValue): HttpResponse {
  const isText = typeof value === 'string' && !isJsonMediaType(mediaType);
  // A range describes what may come and is no Content-Type.
  const contentType = mediaType.includes('*') ? (isText ? 'text/plain' : 'application/json') : mediaType;
  const headers = ['Cache-Control', 'no-store', 'Content-Type', contentType];
  return { status, headers, body: isText ? value : stringifyJson(value) };
}

async function generated(
  operation: Operation,
  status: number,
  entry: MediaTypeEntry,
  generator: () => PayloadGenerator,
): Promise<{ value: JsonValue } | Problem> {
  const made = await generator().generate(operation, status);
  if (made.kind === 'failed') {
    return problem(
      'not_implemented',
      `No body could be made for ${operation.id} ${status}: ${made.reason}; add an example to the description`,
    );
  }
  const [violation] = entry.schema?.validate('response')(made.value) ?? [];
  if (violation === undefined) return made;
  return problem(
    'not_implemented',
    `The body made for ${operation.id} ${status} breaks its schema at "${violation.pointer}": ${violation.message}; add an example to the description`,
  );
}

/** Those of the Media Type Object come first: they override the one of the schema (OAS 3.0.3 §4.7.14). */
function examplesOf({ examples, schema }: MediaTypeEntry): JsonValue[] {
  const ofSchema = schema?.value['example'];
  return [...examples.map(({ value }) => value), ...(ofSchema === undefined ? [] : [ofSchema])];
}

function isValid(entry: MediaTypeEntry, value: JsonValue): boolean {
  return (entry.schema?.validate('response')(value) ?? []).length === 0;
}
