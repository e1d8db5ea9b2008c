import { problem, type Problem } from '../checks/problem';
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

/** Answers operations that no state stands behind: from an example, else from a generator. */
export interface PayloadSource {
  answer(operation: Operation, response: ResponseSpec | undefined, status: number): Promise<HttpResponse | Problem>;
}

/**
 * @param generator - asked for a body when the description has no example; every body is judged by its schema before
 *   it is used
 */
export function createPayloadSource(generator: () => Promise<PayloadGenerator>): PayloadSource {
  return {
    async answer(operation, response, status) {
      const entry = response?.content.find(({ mediaType }) => /[/+]json\b/.test(mediaType)) ?? response?.content[0];
      if (entry === undefined) return { status, headers: ['Cache-Control', 'no-store'], body: undefined };
      const example = entry.examples.find(({ value }) => isValid(entry, value));
      const payload = example ?? (await generated(operation, status, entry, generator));
      if ('code' in payload) return payload;
      const headers = ['Cache-Control', 'no-store', 'Content-Type', entry.mediaType];
      const { value } = payload;
      const isText = typeof value === 'string' && !/[/+]json\b/.test(entry.mediaType);
      return { status, headers, body: isText ? value : stringifyJson(value) };
    },
  };
}

async function generated(
  operation: Operation,
  status: number,
  entry: MediaTypeEntry,
  generator: () => Promise<PayloadGenerator>,
): Promise<{ value: JsonValue } | Problem> {
  const made = await (await generator()).generate(operation, status);
  if (made.kind === 'failed') {
    return problem('not_implemented', `No body could be made for ${operation.id} ${status}: ${made.reason}`);
  }
  const [violation] = entry.schema?.validate('response')(made.value) ?? [];
  if (violation === undefined) return made;
  return problem(
    'not_implemented',
    `The body made for ${operation.id} ${status} breaks its schema at "${violation.pointer}": ${violation.message}; add an example to the description`,
  );
}

function isValid(entry: MediaTypeEntry, value: JsonValue): boolean {
  return (entry.schema?.validate('response')(value) ?? []).length === 0;
}
