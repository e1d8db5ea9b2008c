import type { HttpRequest } from '../http/message';
import type { Run } from './run';

/** Headers by which many frameworks take a request for one with another method. */
const OVERRIDES: ReadonlySet<string> = new Set(['x-http-method-override', 'x-http-method', 'x-method-override']);

/**
 * Why a request that asks to be taken for one with another method must not be sent to a target that is not ours: what
 * it does cannot be told by its own method. `undefined` for all others.
 */
export function refusedOverride(
  { mode }: Pick<Run, 'mode'>,
  { rawHeaders }: Pick<HttpRequest, 'rawHeaders'>,
): string | undefined {
  if (mode === 'full') return undefined;
  const name = rawHeaders.find((each, index) => index % 2 === 0 && OVERRIDES.has(each.toLowerCase()));
  return name === undefined ? undefined : `its header ${name} asks for another method; --mode full sends it`;
}
