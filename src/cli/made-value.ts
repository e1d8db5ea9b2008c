import type { ServerParts } from '../adapters/create-mock-server';
import type { JsonValue } from '../json/json-value';
import type { Parameter, Schema } from '../openapi/model';
import { samplerOf } from '../payload/sampler/sampler';

/** A value that a parameter may have. @returns `undefined` where its schema allows none that could be made */
export function valueFor(parts: ServerParts, { schema }: Parameter): JsonValue | undefined {
  return schema === undefined ? 'x' : sampleOf(parts, schema);
}

/** The same of a schema, as a request has it. @param ordinal - another number, another value */
export function sampleOf({ api, mock }: ServerParts, schema: Schema, ordinal = 0): JsonValue | undefined {
  const made = samplerOf(api).sample(schema, { seed: mock.context.options.seed, direction: 'request', ordinal });
  // What several schemas of a `oneOf` allow is still the best that there is.
  return made.kind === 'made' ? made.value : made.ambiguous;
}
