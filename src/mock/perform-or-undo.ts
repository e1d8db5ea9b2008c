import type { Problem } from '../checks/problem';
import type { HttpResponse } from '../http/message';
import type { Admitted } from './admit';
import type { Call } from './call';
import type { MockContext } from './context';
import type { Draft } from './draft';
import { expandAnswer } from './expand-answer';
import { perform } from './perform';
import { renderOutcome } from './render';
import { showPresence } from './show-presence';
import { linkOwnTask, storeTasks } from './store-tasks';

/** What an operation on a resource led to. */
export type Done =
  | {
      readonly kind: 'done';
      readonly response: HttpResponse;
      /** How the response breaks the description. */
      readonly fault: Problem | undefined;
    }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Nothing stays of a request that was refused, or that met a defect, whatever its rule had done by then. */
export function performOrUndo(context: MockContext, admitted: Admitted, call: Call, draft: Draft, nowMs: number): Done {
  try {
    const outcome = linkOwnTask(
      context.api,
      admitted.plan,
      call,
      draft,
      perform(context, admitted, call, draft, nowMs),
    );
    if (outcome.kind !== 'refused') {
      showPresence(context, admitted.plan, call, draft, outcome);
      const rendered = renderOutcome(outcome, call, admitted.plan);
      const answer = storeTasks(context, admitted.plan, call, rendered, draft, outcome);
      const response = expandAnswer(context, admitted.plan, call, answer, draft);
      const broken = context.outgoing.check(admitted.plan, response, true);
      if (broken === undefined || !context.options.strict) return { kind: 'done', response, fault: broken };
      draft.undo();
      return { kind: 'refused', problem: broken };
    }
    draft.undo();
    return outcome;
  } catch (error) {
    draft.undo();
    throw error;
  }
}
