import { type ContentChoice, checkContentType } from '../../checks/request/content-type';
import type { Warnings } from '../../checks/request/warnings';
import { isKnownCoding } from '../../core/http/content-coding';
import { bodyKind } from '../../core/http/media-type';
import type { RequestHead } from '../../core/http/message';
import { type Problem, problem } from '../../core/http/problem';
import type { MediaTypeEntry } from '../../openapi/model/operation';
import type { MockContext } from '../context/context';
import type { OperationPlan } from '../plans/operation-plan';

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

/**
 * The content of the description that a body is of. Without a body nothing is said about its type: an absent one that is
 * required is missed later.
 */
export function chooseRequestContent(
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
