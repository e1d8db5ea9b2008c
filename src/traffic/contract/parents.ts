import { isSafe } from '../../core/http/message';
import { type Call, isSuccess } from '../flow/call';
import { keyMade, makesOne } from '../flow/producers';
import type { Flow } from '../flow/trace-flow';

/** Rejections that say that nothing was looked at. */
const AT_THE_DOOR: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 410, 415, 422, 429]);

export function changes({ method, status = 0 }: Call): boolean {
  return !isSafe(method) && !AT_THE_DOOR.has(status);
}

/**
 * What was there before, and below which the recording made or changed something: a contract says so, or mode `own` would
 * hold these steps back. By variable of the path.
 *
 * @param isPrepared - does the setup make it?
 */
export function parentsThere(
  calls: readonly Call[],
  { edges }: Flow,
  isPrepared: (resource: string, key: string) => boolean,
): Map<string, string> {
  const parents = new Map<string, string>();
  for (const { consumer, producer } of edges) {
    const { call, name, resource, text } = consumer;
    if (resource === undefined || consumer.in !== 'path' || !changes(call) || producer.nearness === 'creation')
      continue;
    if (call.binding?.scopeParameters.includes(name) !== true || isPrepared(resource, text)) continue;
    if (!calls.some((each) => madeBy(each, resource) === text)) parents.set(name, text);
  }
  return parents;
}

function madeBy(call: Call, resource: string): string | undefined {
  const isCreation = makesOne(call) && call.binding?.resource.path === resource;
  return isCreation && isSuccess(call) ? keyMade(call)?.key : undefined;
}
