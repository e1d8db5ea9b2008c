import type { ApiModel } from '../../openapi/model';
import type { PayloadGenerator } from '../../payload/payload-source';

export function createPrismGenerator(_api: ApiModel): PayloadGenerator {
  return { generate: () => Promise.resolve({ kind: 'failed', reason: 'not built' }) };
}
