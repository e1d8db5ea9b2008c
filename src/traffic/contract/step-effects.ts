import { isJsonObject, type JsonObject } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { type Call, isSuccess } from '../flow/call';
import type { OwnThing } from './own-things';
import { isLogin, isLogout } from './secret-sources';
import { irremovable } from './staying-things';
import type { StepContext } from './step-context';

/**
 * What a step does beyond its request, as far as its path does not say it.
 *
 * @param changed - the own thing that its body names
 * @param made - the own thing that its response showed first
 */
export function writeEffects(
  context: StepContext,
  call: Call,
  changed: OwnThing | undefined,
  made: OwnThing | undefined,
): JsonObject {
  const makes =
    made !== undefined || call.status === 201 || (call.binding?.behaviour === 'create-many' && isSuccess(call));
  const leaves = context.staying.get(call) ?? (makes ? irremovable(context.api, call) : undefined);
  const touches = touchedBy(context, call, changed, made);
  return { ...(leaves === undefined ? {} : { leaves }), ...(touches === undefined ? {} : { touches }) };
}

/** What a step touches, for mode `own`; `undefined` where its path says it. */
function touchedBy(
  { api, secrets }: StepContext,
  call: Call,
  changed: OwnThing | undefined,
  made: OwnThing | undefined,
): 'own' | 'nothing' | undefined {
  if (changed !== undefined) return 'own';
  const leavesSomething = made !== undefined || call.status === 201;
  if (leavesSomething) return undefined;
  return isLogin(secrets, call) || isLogout(api, secrets, call) ? 'nothing' : undefined;
}

/** What a reader has to know of what a contract leaves at a service each time. */
export function leavingNotes({ setup = [], steps = [] }: JsonObject): string[] {
  return [setup, steps].flat().flatMap((step): string[] => {
    if (!isJsonObject(step) || typeof step['leaves'] !== 'string') return [];
    return [`"${scalarText(step['name'] ?? null)}" leaves something at the service in each run: ${step['leaves']}`];
  });
}
