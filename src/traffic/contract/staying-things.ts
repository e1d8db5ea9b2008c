import { addToList } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import { itemRouteOf, keyText } from '../../runner/ownership/item-routes';
import { type Call, isFailure, isSuccess } from '../flow/call';
import { keyOwner } from '../flow/key-owner';
import { keyMade, makesOne } from '../flow/producers';
import type { Flow } from '../flow/trace-flow';
import { inWords, withArticle } from './names';

/** Statuses with which a removal is rejected for what the thing is, and not for who asks or whether it is there. */
const REFUSED = new Set([400, 403, 405, 409, 412, 422, 423]);

/**
 * What stays at the service each time the session is replayed, and why: the description has no way to remove it, the
 * service refused to when the session tried, or something that stays refers to it. By the call that makes it.
 */
export function stayingThings(api: ApiModel, calls: readonly Call[], flow: Flow): ReadonlyMap<Call, string> {
  const session = new MadeThings(api, calls);
  const reasons = new Map<Call, string>();
  for (const call of calls) {
    const why = (session.makes(call) ? irremovable(api, call) : undefined) ?? session.refusalToRemove(call);
    if (why !== undefined) reasons.set(call, why);
  }
  // What others refer to mostly cannot go before them; a map gives what is added while it is read as well.
  for (const [call] of reasons) {
    const noun = withArticle(inWords(call.binding?.resource.name ?? 'thing'));
    for (const needed of session.neededBy(call, flow))
      if (!reasons.has(needed)) reasons.set(needed, `${noun} that refers to it stays`);
  }
  return reasons;
}

/** What a session made, and what became of its removals. */
class MadeThings {
  private readonly api: ApiModel;
  private readonly byThing = new Map<string, Call>();
  /** Removals, by what they are about. */
  private readonly removals = new Map<string, Call[]>();

  constructor(api: ApiModel, calls: readonly Call[]) {
    this.api = api;
    for (const call of calls) {
      const made = makesOne(call) && isSuccess(call) ? this.idMade(call) : undefined;
      if (made !== undefined) this.byThing.set(made, call);
      const id = removed(api, call);
      if (id !== undefined && !isFailure(call)) addToList(this.removals, id, call);
    }
  }

  makes(call: Call): boolean {
    const isCreation = call.binding?.behaviour === 'create' || call.binding?.behaviour === 'create-many';
    return isSuccess(call) && (isCreation || call.status === 201);
  }

  /** What the session made and did not remove, and a call that makes something refers to. */
  neededBy(call: Call, { edges }: Flow): Call[] {
    return edges.flatMap(({ consumer: { call: user, resource, text } }) => {
      const needed =
        user !== call || resource === undefined ? undefined : this.byThing.get(thing(this.api, resource, text));
      return needed === undefined || needed === call || this.removalsOf(needed).some(isSuccess) ? [] : [needed];
    });
  }

  /** Did the session try to remove what a call made, and never could? */
  refusalToRemove(call: Call): string | undefined {
    const attempts = this.removalsOf(call);
    const status = attempts.at(-1)?.status ?? 0;
    if (!REFUSED.has(status) || attempts.some(isSuccess)) return undefined;
    return `the service refused to remove it when it was recorded (${status})`;
  }

  private removalsOf(call: Call): readonly Call[] {
    const id = makesOne(call) ? this.idMade(call) : undefined;
    return (id === undefined ? undefined : this.removals.get(id)) ?? [];
  }

  private idMade(call: Call): string | undefined {
    const key = keyMade(call)?.key;
    return call.binding === undefined || key === undefined
      ? undefined
      : thing(this.api, call.binding.resource.path, key);
  }
}

function thing(api: ApiModel, resource: string, key: string): string {
  return `${keyOwner(api, resource)} ${key}`;
}

/** What a call would remove. */
function removed(api: ApiModel, { binding, parameters }: Call): string | undefined {
  if (binding?.behaviour !== 'remove' || binding.keyParameter === undefined) return undefined;
  const sent = parameters.find(
    ({ parameter: { in: place, name } }) => place === 'path' && name === binding.keyParameter,
  );
  const key = keyText(sent?.value);
  return key === undefined ? undefined : thing(api, binding.resource.path, key);
}

/** Why nothing removes what a call makes; `undefined` where something does. */
export function irremovable(api: ApiModel, { operation, binding }: Call): string | undefined {
  if (operation?.method !== 'POST') return undefined;
  if (itemRouteOf(api, operation)?.route.operations.has('DELETE') === true) return undefined;
  return `the description has no way to remove ${binding === undefined ? 'it' : withArticle(inWords(binding.resource.name))}`;
}
