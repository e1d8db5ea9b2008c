import { problem, type Problem } from '../../core/http/problem';
import { type ContentChoice, checkContentType } from '../../checks/request/content-type';
import type { Warnings } from '../../checks/request/warnings';
import { negotiate } from '../../core/http/accept';
import { bodyKind } from '../../core/http/media-type';
import { isKnownCoding } from '../../core/http/content-coding';
import type { RequestHead } from '../../core/http/message';
import type { MediaTypeEntry } from '../../openapi/model/operation';
import type { OperationPlan } from '../plans/operation-plan';
import type { MockContext } from '../context/context';

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

/** How many bytes a body of this content may have. @param content - `undefined` where none is declared */
export function maxBodyBytes({ options: { limits } }: MockContext, content: MediaTypeEntry | undefined): number {
  const kind = content === undefined ? undefined : bodyKind(content.mediaType);
  return kind === 'multipart' || kind === 'opaque' || kind === 'binary' ? limits.uploadBytes : limits.bodyBytes;
}

export function bodyTooLarge(context: MockContext, content: MediaTypeEntry | undefined): Problem {
  const message = `The body has more than ${maxBodyBytes(context, content)} bytes`;
  const hint = 'body_too_large: --max-body raises the limit of the mock';
  return problem('body_too_large', message, { headers: ['Connection', 'close', 'X-Standin-Problem', hint] });
}

/** Without a body nothing is said about its type: an absent one that is required is missed later. */
export function chooseContent(
  context: MockContext,
  { operation, accept }: OperationPlan,
  head: RequestHead,
  bodyLength: number | undefined,
  warnings: Warnings,
): ContentChoice {
  if (bodyLength === 0) {
    const entry = operation.requestBody?.content[0];
    return entry === undefined ? { kind: 'no-body-declared' } : { kind: 'chosen', entry };
  }
  const choice = checkContentType(operation, head, { warnings, isLenient: accept === 'lenient' });
  if (choice.kind !== 'chosen' || (bodyLength ?? 0) <= maxBodyBytes(context, choice.entry)) return choice;
  return { kind: 'refused', problem: bodyTooLarge(context, choice.entry) };
}

export function checkEncoding(head: RequestHead): Problem | undefined {
  const coding = head.headers['content-encoding'];
  if (typeof coding !== 'string' || isKnownCoding(coding)) return undefined;
  return problem('unsupported_content_encoding', 'The Content-Encoding is not known; send gzip, deflate, br or none', {
    headers: ['Accept-Encoding', 'gzip, deflate, br'],
  });
}
