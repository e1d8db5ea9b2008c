import type { JsonObject } from '../../core/json/json-value';
import type { ApiModel } from '../../openapi/model/api-model';
import { itemRouteOf } from '../../runner/ownership/item-routes';
import { type Call, isSuccess } from '../flow/call';
import { inWords, withArticle } from './names';
import type { OwnThing } from './own-things';
import { isLogin, isLogout } from './secret-sources';
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
  const leaves = reasonToStay(context.api, call, made);
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

/** Why what a step made is not removed; `undefined` where it is, or nothing was made. */
function reasonToStay(api: ApiModel, call: Call, made: OwnThing | undefined): string | undefined {
  const { operation, binding, status } = call;
  const makes = made !== undefined || status === 201 || (binding?.behaviour === 'create-many' && isSuccess(call));
  if (operation?.method !== 'POST' || !makes) return undefined;
  if (itemRouteOf(api, operation)?.route.operations.has('DELETE') === true) return undefined;
  return `the description has no way to remove ${binding === undefined ? 'it' : withArticle(inWords(binding.resource.name))}`;
}
