import { isJsonObject, type JsonValue } from '../json/json-value';
import type { ApiModel, MediaTypeEntry, Operation, Schema } from '../openapi/model';
import type { SequenceKind } from './media-body';
import { samplerOf } from './sampler/sampler';

/** More kinds of events are not sent in one stream. */
const MOST_KINDS = 20;
const TROUBLE = /error|fail|cancel|expire|incomplete/i;
const SENTINEL = '[DONE]';

/**
 * The schemas of the events of a stream, in their order: each branch of a union is a kind of event, and anything else a
 * chunk of which there are several.
 */
function eventSchemas(api: ApiModel, schema: Schema): readonly Schema[] {
  const union = ['oneOf', 'anyOf'].find((keyword) => Array.isArray(schema.value[keyword]));
  const branches = union === undefined ? undefined : schema.value[union];
  if (union === undefined || !Array.isArray(branches)) return [schema, schema, schema];
  return branches.slice(0, MOST_KINDS).flatMap((_, index) => api.schemaAt(`${schema.pointer}/${union}/${index}`) ?? []);
}

/** Values of a sequence, or why there are none. */
export type SequenceValues =
  | { readonly kind: 'made'; readonly values: readonly JsonValue[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** Three values one after the other; of a stream whose events are of several kinds, one of each that tells no trouble. */
export function sequenceValues(
  api: ApiModel,
  { schema, itemSchema }: MediaTypeEntry,
  kind: SequenceKind,
  seed: string,
): SequenceValues {
  const of = itemSchema ?? schema;
  if (of === undefined) return { kind: 'made', values: ['sample'] };
  const isList = itemSchema === undefined && (kind !== 'events' || of.value['type'] === 'array');
  const schemas = schemasOf(api, of, kind, isList);
  const values: JsonValue[] = [];
  for (const [ordinal, each] of schemas.entries()) {
    const amount = isList ? { items: 3 } : { ordinal };
    const sample = samplerOf(api).sample(each, { seed, direction: 'response', ...amount });
    if (sample.kind === 'failed') return sample;
    if (kind !== 'events' || !tellsOfTrouble(sample.value)) values.push(sample.value);
  }
  const [only] = values;
  return { kind: 'made', values: isList && Array.isArray(only) ? only : values };
}

function schemasOf(api: ApiModel, schema: Schema, kind: SequenceKind, isList: boolean): readonly Schema[] {
  if (isList) return [schema];
  return kind === 'events' ? eventSchemas(api, schema) : [schema, schema, schema];
}

/** Does an event tell that something went wrong? A client would stop there. */
function tellsOfTrouble(event: JsonValue): boolean {
  if (!isJsonObject(event)) return false;
  return [event['event'], event['type']].some((name) => typeof name === 'string' && TROUBLE.test(name));
}

/** Do the words of an operation say that its streams end with the data `[DONE]`? @returns that data */
export function streamEnd(api: ApiModel, { description, summary, requestBody }: Operation): string | undefined {
  const told = (requestBody?.content ?? []).flatMap(({ schema }) => {
    const property = schema === undefined ? undefined : api.propertiesOf(schema).get('stream');
    const text = property?.schema['description'];
    return typeof text === 'string' ? [text] : [];
  });
  return [description, summary, ...told].some((text) => text.includes(SENTINEL)) ? SENTINEL : undefined;
}
