import type { RequestFacts } from '../checks/response/response-check';
import type { HttpRequest } from '../http/message';
import type { Interaction } from './interaction';

const GOOD = new Set(['valid', 'lower-case']);
const MODES_THAT_LACK = new Set(['none', 'invalid', 'malformed', 'empty', 'doubled', 'query']);

/** What the checks of a response may want to know of its request. */
export function requestFacts({ request, auth, phase }: Interaction): RequestFacts {
  const secrets = secretsOf(request);
  // Whatever is no word for something wrong, and one word, is the name of an identity.
  const isMeantGood = GOOD.has(auth) || (phase !== 'auth' && !MODES_THAT_LACK.has(auth) && !auth.includes(' '));
  return {
    requestHeaders: request.rawHeaders,
    requestBodyLength: request.body.length,
    isAuthenticated: isMeantGood && secrets.length > 0,
    secrets,
  };
}

/** The credentials of every Authorization line, without the scheme (RFC 9110 §11.4). */
function secretsOf({ rawHeaders }: HttpRequest): string[] {
  return rawHeaders.flatMap((value, index) => {
    const isValue = index % 2 === 1 && (rawHeaders[index - 1] ?? '').toLowerCase() === 'authorization';
    const secret = isValue ? value.replace(/^\S+\s*/, '') : '';
    return secret === '' ? [] : [secret];
  });
}
