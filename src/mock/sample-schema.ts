import type { JsonValue } from '../json/json-value';
import type { ApiModel, Schema } from '../openapi/model';
import { samplerOf } from '../payload/sampler/sampler';

/**
 * Makes a value up that a schema accepts in a response, or would but for a `oneOf` whose schemas the description does not
 * tell apart; `undefined` when there is none. The same one every time.
 *
 * @param ordinal - another value for each number, from 0
 * @param name - of the member that it is for, by which it is made plausible
 */
export type SampleSchema = (schema: Schema, ordinal?: number, name?: string) => JsonValue | undefined;

/** Values for what must be there and nobody has said, the same ones for the same seed. */
export function sampleWith(api: ApiModel, seed: string): SampleSchema {
  return (schema, ordinal, name) => {
    const sample = samplerOf(api).sample(schema, { seed, direction: 'response', rich: false, ordinal, name });
    return sample.kind === 'made' ? sample.value : sample.ambiguous;
  };
}
