import { problem, type Problem } from '../../core/http/problem';
import type { Warnings } from '../../checks/request/warnings';
import { negotiate } from '../../core/http/accept';
import type { RequestHead } from '../../core/http/message';
import type { OperationPlan } from '../plans/operation-plan';

/** The key of the success's `content` that a request is answered with; `undefined` where it does not say. */
interface ChosenType {
  readonly mediaType: string | undefined;
}

const NO_PREFERENCE: ChosenType = { mediaType: undefined };

/**
 * Looks for what Accept asks for. Where there is none of it, clients mostly mean what there is (RFC 9110 §12.5.1): they get
 * the nearest, with a warning. Rejected is what excludes every type by `q=0`, every mismatch where strict handling is asked
 * for, and where 406 is documented one of the syntax: a vendor's name for JSON is JSON all the same.
 */
export function negotiateResponse(head: RequestHead, plan: OperationPlan, warnings: Warnings): ChosenType | Problem {
  const accept = head.headers['accept'];
  if (typeof accept !== 'string' || plan.offered.length === 0) return NO_PREFERENCE;
  const found = negotiate(accept, plan.offered);
  if (found.kind === 'fits') return found;
  const all = plan.offered.join(' and ');
  const isDocumented = plan.accept === undefined && plan.operation.responses.has('406');
  const isRejected = isDocumented && !(found.kind === 'nearest' && isSameSyntax(accept, found.mediaType));
  if (found.kind === 'nearest' && !isRejected && warnings.allows('not_acceptable', all, found.mediaType)) return found;
  return problem('not_acceptable', `The header Accept leaves out ${all}, which is all there is`);
}

/** Is JSON asked for, under whatever name (RFC 6839 §3.1), and given? */
function isSameSyntax(accept: string, given: string): boolean {
  const isAsked = accept.split(',').some((range) => /[/+.]json\s*(?:;|$)/i.test(range.trim()));
  return isAsked && /[/+.]json\b/i.test(given);
}
