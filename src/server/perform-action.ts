import { rejectionOf } from './admin-response';
import type { Action, ActionCall, ActionResult, AdminTarget, Rejection } from './actions/action';
import type { Decoded } from './actions/decode';

/** What the routes need to answer, beside what they do. */
export interface AdminServer extends AdminTarget {
  reportDefect(error: unknown): void;
  /** What a body may have: a whole state, and no less than one of the API. */
  maxBytes(): number;
}

/**
 * Does one action of the table, in its turn, and tells those who listen what it changed. Never rejects: what goes wrong is a
 * rejection.
 *
 * @param decode - reads the input
 */
export async function performAction(
  action: Action,
  target: AdminServer,
  facts: Pick<ActionCall, 'address' | 'lastEventId'>,
  decode: () => Decoded | Rejection,
): Promise<ActionResult> {
  try {
    const decoded = decode();
    if ('code' in decoded) return decoded;
    const { sandbox } = decoded;
    const isForAll = action.isForAll === true && sandbox === '*';
    const act = (): ActionResult | Promise<ActionResult> => {
      const controls = isForAll ? target.controlsOfAll() : target.controlsOf(sandbox, action.mayBeGone === true);
      if ('code' in controls) return controls;
      return action.run({ target, controls, ...facts, ...decoded });
    };
    if (action.looksAtRequests === true) await target.requests.catchUp();
    const result = await (action.isOutOfTurn === true ? act() : target.inTurn(isForAll ? undefined : sandbox, act));
    if (action.changes !== undefined && !('code' in result)) target.events.announce(action.changes);
    return result;
  } catch (error) {
    const rejection = rejectionOf(error);
    if (rejection.code === 'internal_error') target.reportDefect(error);
    return rejection;
  }
}
