import { errorRole } from '../../openapi/error-schema';
import type { Finding } from '../finding';
import { holdsHtml, internalText } from './internal-text';
import { textOfBody, type ObservedResponse, type ResponseCheck } from './response-check';
import { shownText } from './shown';
import { textsOfJson } from './texts-of-body';

/** An error tells the client what to do about it, and nobody what the server is made of. */
export const internals: ResponseCheck = {
  id: 'internals',
  source: 'WFC 209; RFC 9457 §5; OWASP API Security Top 10 2023, API8',
  run(observed) {
    const { status, body } = observed;
    if (status < 400 || body.kind === 'empty') return undefined;
    if (body.kind === 'not-json') return judgeText(observed);
    const findings: Finding[] = [];
    for (const { pointer, text, member } of textsOfJson(body.value)) {
      const role = member === undefined ? undefined : errorRole(member);
      // A code may be the name of a class that clients know.
      const slip = role === 'code' ? undefined : internalText(text);
      if (slip !== undefined) findings.push(finding(observed, pointer, `The error holds ${slip}`, text));
      else if (role === 'message' && holdsHtml(text)) {
        findings.push(finding(observed, pointer, 'The message is written in HTML', text));
      }
    }
    return findings;
  },
};

/** That it should have been JSON is for `error-contract`. */
function judgeText(observed: ObservedResponse): Finding[] {
  const text = textOfBody(observed);
  const slip = internalText(text);
  return slip === undefined ? [] : [finding(observed, '', `The error holds ${slip}`, text)];
}

function finding({ documented, operation }: ObservedResponse, pointer: string, message: string, text: string): Finding {
  return {
    check: 'internals',
    severity: 'error',
    at: `/response/body${pointer}`,
    message,
    expected: 'words for the client, in plain text',
    actual: shownText(text),
    spec: documented?.pointer ?? operation?.pointer,
    hint: 'Log it, and answer with what the client can do.',
  };
}
