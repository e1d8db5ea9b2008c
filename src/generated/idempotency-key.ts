import { createHash } from 'node:crypto';
import type { Operation, Parameter } from '../openapi/model/operation';

/** The header that tells a repetition from another request (draft-ietf-httpapi-idempotency-key-header §2). */
export function findKeyHeader({ parameters }: Operation): Parameter | undefined {
  return parameters.find(({ in: place, key }) => place === 'header' && key === 'idempotency-key');
}

/**
 * A value for that header that no other run has, nor another place of this one; `undefined` where its schema takes none.
 *
 * @param words - for what it is sent
 */
export function keyOfRun({ schema }: Parameter, words: string): string | undefined {
  const digits = createHash('sha256').update(words).digest('hex');
  const [first, second, third] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 18)];
  const timed = (runId: string, now: string): string => `${runId}-${first}-${now}`;
  const uuid = (runId: string): string => `${runId}-0000-4${first}-8${second}-${third}`;
  const keys = [
    { sample: timed('00000000', '2030-01-31T11:00:00Z'), key: timed('${runId}', '${now+0s}') },
    { sample: uuid('00000000'), key: uuid('${runId}') },
  ];
  return keys.find(({ sample }) => schema?.accepts(sample, 'request') !== false)?.key;
}
