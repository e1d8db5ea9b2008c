import { problem, type Problem } from '../checks/problem';
import type { Warnings } from '../checks/warnings';
import { negotiate } from '../http/accept';
import type { RequestHead } from '../http/message';
import type { OperationPlan } from './operation-plan';

/** The key of the success's `content` that a request is answered with; `undefined` where it does not say. */
export interface ChosenType {
  readonly mediaType: string | undefined;
}

const UNSAID: ChosenType = { mediaType: undefined };

/**
 * Looks for what Accept asks for. Where there is none of it, clients mostly mean what there is (RFC 9110 §12.5.1): they get
 * the nearest, with a warning. Refused is what excludes every type by `q=0`, and every mismatch where 406 is documented
 * or strict handling asked for.
 */
export function negotiateAnswer(head: RequestHead, plan: OperationPlan, warnings: Warnings): ChosenType | Problem {
  const accept = head.headers['accept'];
  if (typeof accept !== 'string' || plan.offered.length === 0) return UNSAID;
  const found = negotiate(accept, plan.offered);
  if (found.kind === 'fits') return found;
  const all = plan.offered.join(' and ');
  const isDocumented = plan.accept === undefined && plan.operation.responses.has('406');
  if (found.kind === 'nearest' && !isDocumented) {
    const { mediaType } = found;
    const message = `The header Accept leaves out ${all}, which is all there is; answered with ${mediaType}`;
    if (warnings.allows('not_acceptable', message)) return found;
  }
  return problem('not_acceptable', `The header Accept leaves out ${all}, which is all there is`);
}
