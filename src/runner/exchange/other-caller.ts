import { isSafe } from '../../core/http/message';
import type { Verdict } from '../result/run-result';
import type { Interaction } from './interaction';
import { isAbsentStatus, isSuccess, type ItemLookup, lookUpItem } from './item-lookup';
import { modeFor, modeViolation, pathOf, thingOfOther } from './request-guard';
import type { Run } from './run-state';

/** With these nothing of his own stands there for a caller. */
const KEPT: ReadonlySet<number> = new Set([401, 403]);

/**
 * Why another caller does not change what the run made. A service may have a space for each caller, in which the same path
 * names another thing: what he finds there has to be the run's own, or nothing.
 *
 * @returns `undefined` when it may be sent
 */
export async function strangerAt(run: Run, interaction: Interaction): Promise<Verdict | undefined> {
  const { request, auth, touches } = interaction;
  if (isSafe(request.method) || (modeFor(run, interaction) !== 'own' && touches !== 'own')) return undefined;
  const creation = thingOfOther(run, interaction);
  if (creation === undefined || modeViolation(run, interaction) !== undefined) return undefined;
  const path = pathOf(run, request);
  const look = await lookUpItem(run, { ...creation, auth, session: undefined }, path);
  const seen = doubtIn(look, auth === 'valid' ? 'the run' : auth, path);
  return seen === undefined
    ? undefined
    : { kind: 'skipped', reason: `${seen}, and it would be changed`, cause: 'mode' };
}

function doubtIn(look: ItemLookup | undefined, who: string, path: string): string | undefined {
  const { status = 0, evidence = 'none' } = look ?? {};
  if (KEPT.has(status) || isAbsentStatus(status)) return undefined;
  if (!isSuccess(status)) return `whether ${who} has something else at ${path} cannot be seen`;
  const isOwn = evidence !== 'foreign' && evidence !== 'none';
  return isOwn ? undefined : `what ${who} finds at ${path} does not show that this run made it`;
}
