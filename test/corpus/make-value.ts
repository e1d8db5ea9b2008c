import type { ApiModel } from '../../src/openapi/model/api-model';
import { samplerOf } from '../../src/payload/sampler/sampler';
import type { MakeValue } from './request-for';

/** Makes what is sent; the sampler judges each value by its schema, so that a refusal is the mock's mistake. */
export function valueMaker(api: ApiModel): MakeValue {
  const sampler = samplerOf(api);
  return (schema, seed) => {
    const sample = sampler.sample(schema, { seed, direction: 'request' });
    return sample.kind === 'made' ? sample.value : undefined;
  };
}
