import type { JsonValue } from '../json/json-value';
import type { ApiModel, Property } from '../openapi/model';
import { chanceOf } from '../payload/sampler/chance';
import { wordsOf } from '../resources/inflection';
import type { Binding } from '../resources/resource-model';
import { typesOf } from '../resources/schema-reader';
import { effectOf } from '../resources/verbs';
import { isSecretName } from './new-item/member-meaning';
import type { Key } from './order';
import type { SampleSchema } from './sample-schema';

/** What an answer tells of what was done, where items have no such member: `{ id, deleted: true }`. */
export type ToldByAnswer = (property: Property, key: Key | undefined) => JsonValue | undefined;

const SUCCESS = /^(?:ok|success|succeeded|successful)$/i;
const GONE = /^(?:deleted|removed)$/;

/** @returns `undefined` where an operation does nothing that its answer could tell */
export function planTold({ behaviour, action }: Binding): ToldByAnswer | undefined {
  const verbs =
    behaviour === 'remove' ? ['delete', 'remove'] : behaviour === 'act' && action !== undefined ? [action.verb] : [];
  if (verbs.length === 0) return undefined;
  return (property, key) => {
    const { name, schema } = property;
    const types = typesOf(schema);
    if (types.includes('boolean')) {
      if (SUCCESS.test(name)) return true;
      const members = new Map([[name, property]]);
      return verbs.map((verb) => effectOf(verb, members)?.value).find((value) => value !== undefined);
    }
    const words = wordsOf(name);
    const areKeys = types.includes('array') && GONE.test(words[0] ?? '') && words.at(-1) === 'ids';
    return areKeys && behaviour === 'remove' && key !== undefined ? [String(key)] : undefined;
  };
}

/**
 * Secrets that items do not have and the answer that makes one shows once, whether they must be there or not.
 *
 * @returns `undefined` where an operation makes nothing
 */
export function planSecrets({ behaviour }: Binding, api: ApiModel, sample: SampleSchema): ToldByAnswer | undefined {
  if (behaviour !== 'create') return undefined;
  return ({ name, schema, pointer, writeOnly }, key) => {
    const isText = typesOf(schema).includes('string') && schema['enum'] === undefined && schema['const'] === undefined;
    const place = isText && !writeOnly && isSecretName(name) ? api.schemaAt(pointer) : undefined;
    return place && sample(place, chanceOf(String(key ?? '')), name);
  };
}
