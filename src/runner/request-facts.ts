import type { RequestFacts } from '../checks/response/response-check';
import { parseCookies } from '../http/cookies';
import type { HttpRequest } from '../http/message';
import { parseQuery } from '../http/request-target';
import type { CredentialPlaces } from '../openapi/credential-places';
import type { Interaction } from './interaction';

const GOOD = new Set(['valid', 'lower-case']);
const MODES_THAT_LACK = new Set(['none', 'invalid', 'malformed', 'empty', 'doubled', 'query']);

/** What the checks of a response may want to know of its request. */
export function requestFacts({ request, auth, phase, browser }: Interaction, places: CredentialPlaces): RequestFacts {
  const secrets = secretsOf(request, places);
  // Whatever is no word for something wrong, and one word, is the name of an identity.
  const isMeantGood = GOOD.has(auth) || (phase !== 'auth' && !MODES_THAT_LACK.has(auth) && !auth.includes(' '));
  return {
    requestHeaders: request.rawHeaders,
    requestBodyLength: request.body.length,
    isAuthenticated: isMeantGood && secrets.length > 0,
    secrets,
    browser,
  };
}

/** What stands in every place for credentials, without the scheme of an Authorization (RFC 9110 §11.4). */
function secretsOf({ rawHeaders, target }: HttpRequest, places: CredentialPlaces): string[] {
  const inHeaders = rawHeaders.flatMap((value, index) => {
    const name = index % 2 === 1 ? (rawHeaders[index - 1] ?? '').toLowerCase() : '';
    if (name === 'authorization') return [value.replace(/^\S+\s*/, '')];
    if (name === 'cookie') {
      return parseCookies(value).flatMap((cookie) => (places.cookies.has(cookie.name) ? [cookie.value] : []));
    }
    return places.headers.has(name) ? [value] : [];
  });
  const inQuery = parseQuery(target.split('?')[1] ?? '').flatMap(({ name, value }) =>
    name !== undefined && value !== undefined && places.query.has(name) ? [value] : [],
  );
  return [...inHeaders, ...inQuery].filter((secret) => secret !== '');
}
