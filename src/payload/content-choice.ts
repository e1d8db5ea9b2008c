import { bestMediaType, negotiate } from '../core/http/accept';
import { isJsonMediaType } from '../core/http/media-type';
import { joinPointer } from '../core/json/json-pointer';
import type { JsonValue } from '../core/json/json-value';
import type { Example, MediaTypeEntry, ResponseSpec, Schema } from '../openapi/model/operation';

/** Where a body comes from that no state stands behind. */
export type BodyOrigin =
  | WrittenOrigin
  | { readonly kind: 'no-body' }
  /** Nothing that the schema allows could be made: the request is rejected with 501. */
  | { readonly kind: 'impossible'; readonly reason: string };

/** The same of one that there is. */
export type WrittenOrigin =
  | {
      readonly kind: 'example';
      /** Key of `content`. */
      readonly mediaType: string;
      /** `undefined` for one without a name. */
      readonly name: string | undefined;
      readonly pointer: string;
      /** Examples before it that break the schema. */
      readonly skipped: readonly Example[];
    }
  /** Generated: from the schema, or for the media type where there is none. */
  | {
      readonly kind: 'generated';
      readonly mediaType: string;
      /** Of the schema. */
      readonly pointer: string | undefined;
      /** Examples that break the schema. */
      readonly skipped: readonly Example[];
    };

/** The entry of a response that is answered with: the first JSON, else the first. */
export function chooseResponseContent(response: ResponseSpec | undefined): MediaTypeEntry | undefined {
  return response?.content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? response?.content[0];
}

const OFFERED = new WeakMap<ResponseSpec, readonly string[]>();
const NO_TYPES: readonly string[] = [];

/** The keys of `content`, that of {@link chooseResponseContent} first, so that it wins a tie; always the same array. */
export function offeredTypes(response: ResponseSpec | undefined): readonly string[] {
  if (response === undefined) return NO_TYPES;
  let offered = OFFERED.get(response);
  if (offered === undefined) {
    const usual = chooseResponseContent(response)?.mediaType;
    const others = response.mediaTypes.filter((mediaType) => mediaType !== usual);
    OFFERED.set(response, (offered = usual === undefined ? others : [usual, ...others]));
  }
  return offered;
}

/**
 * The entries of a response in the order in which they are tried: the one that Accept prefers, then the others that it
 * lets through. Where it lets none through, all of them, the nearest first.
 */
export function contentInOrder(response: ResponseSpec, accept: string | undefined): readonly MediaTypeEntry[] {
  const offered = offeredTypes(response);
  const all = offered.flatMap((key) => response.content.find(({ mediaType }) => mediaType === key) ?? []);
  if (accept === undefined || all.length === 0) return all;
  const found = negotiate(accept, offered);
  if (found.kind === 'excluded') return all;
  const first = all.find(({ mediaType }) => mediaType === found.mediaType);
  const accepted = all.filter(({ mediaType }) => bestMediaType(accept, [mediaType]) !== undefined);
  const rest = (accepted.length === 0 ? all : accepted).filter((entry) => entry !== first);
  return first === undefined ? rest : [first, ...rest];
}

/** The example that a body is written from, and those before it that were not fit for that. */
export interface ChosenExample {
  /** `undefined` where there is none, or none that its schema allows. */
  readonly example: Example | undefined;
  /** Examples that break the schema. */
  readonly skipped: readonly Example[];
}

/** The example of a name, else the first that is valid. */
export function chooseExample(entry: MediaTypeEntry, name?: string): ChosenExample {
  const named = name === undefined ? undefined : entry.examples.find((example) => example.name === name);
  if (named !== undefined) return { example: named, skipped: [] };
  const all = examplesOf(entry);
  const first = all.findIndex(({ value }) => isValid(entry, value));
  return first === -1 ? { example: undefined, skipped: all } : { example: all[first], skipped: all.slice(0, first) };
}

/** Those of the Media Type Object come first: they override the one of the schema (OAS 3.0.3 §4.7.14). */
export function examplesOf({ examples, schema }: MediaTypeEntry): Example[] {
  return [...examples, ...(schema === undefined ? [] : schemaExamples(schema))];
}

/** `example` of a Schema Object, and the `examples` of JSON Schema (Validation §9.5). */
export function schemaExamples({ value: { example, examples }, pointer }: Schema): Example[] {
  const several: JsonValue[] = Array.isArray(examples) ? examples : [];
  return [
    ...(example === undefined ? [] : [{ name: undefined, value: example, pointer: joinPointer(pointer, 'example') }]),
    ...several.map((value, index) => ({ name: undefined, value, pointer: `${pointer}/examples/${index}` })),
  ];
}

function isValid({ mediaType, schema }: MediaTypeEntry, value: JsonValue): boolean {
  // What is not JSON is shown as the text that goes over the wire, which its schema may describe as an object.
  const isWire = typeof value === 'string' && !isJsonMediaType(mediaType) && schema?.value['type'] !== 'string';
  return isWire || schema?.accepts(value, 'response') !== false;
}
