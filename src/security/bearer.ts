import { bearerChallenge, parseBearer } from '../core/http/authorization';
import { authorizationOf, checkKnownCaller, rejected } from './credential-check';
import {
  createSender,
  type CredentialSender,
  IN_AUTHORIZATION,
  inAuthorization,
  inQuery,
  MISSING_KEY,
  otherCaseKind,
  probeFromKey,
  type ProbeKind,
  probeWithoutKey,
  type SecuritySchemeKind,
  type SendKeys,
  similarKinds,
  truncatedKind,
  unknownKey,
  unknownKeyProbe,
  withWord,
} from './scheme';

/** `standin:standin`; the scheme is what is wrong with it. */
const BASIC = 'Basic c3RhbmRpbjpzdGFuZGlu';

const put: SendKeys = (...keys) => inAuthorization(...keys.map((key) => withWord('Bearer', key)));

const inUrl = (name: string): ProbeKind => {
  return {
    ...probeFromKey(`the key in the query as ${name}`, 'refused', (key) => inQuery(name, key)),
    isInUrl: true,
  };
};

const PROBES: readonly ProbeKind[] = [
  MISSING_KEY,
  probeWithoutKey('Bearer and nothing after it', () => inAuthorization('Bearer')),
  probeWithoutKey('Bearer and a space after it', () => inAuthorization('Bearer ')),
  probeWithoutKey('the scheme Basic', () => inAuthorization(BASIC)),
  // RFC 6750 §2.1 allows several spaces, so that the right key after two of them may be let in; an unknown one never.
  probeWithoutKey('two spaces before an unknown key', (unknown) => inAuthorization(`Bearer  ${unknown}`)),
  probeFromKey('characters after the key that no key has', 'refused', (key) => inAuthorization(`Bearer ${key}!"`)),
  probeFromKey('the scheme Token', 'refused', (key) => inAuthorization(`Token ${key}`)),
  unknownKeyProbe(put),
  truncatedKind(put),
  ...similarKinds(put),
  // Values are case sensitive (RFC 6749 §1.8).
  otherCaseKind(put),
  {
    ...probeFromKey('two Authorization headers', 'refused-or-malformed', (key, material) =>
      put(key, unknownKey(material)),
    ),
    // No sender may do so (RFC 9110 §5.3); what becomes of it is left open, and node:http, for one, takes the first.
    advice: 'The service uses one of the two, a proxy in between may use the other. Reject such a request.',
  },
  inUrl('access_token'),
  inUrl('api_key'),
  probeFromKey('bearer in lower case', 'accepted', (key) => inAuthorization(`bearer ${key}`)),
];

/** Also sent where a description has no scheme and a step wants a wrong key. */
export const BEARER_SENDER: CredentialSender = createSender({
  locations: IN_AUTHORIZATION,
  put,
  putUnusually: (key) => inAuthorization(`bearer ${key}`),
  malformed: () => inAuthorization(BASIC),
  empty: inAuthorization('Bearer'),
  probes: PROBES,
});

/**
 * `type: http, scheme: bearer`: `Authorization: Bearer <key>` (RFC 6750 §2.1). Tokens of OAuth 2.0 and OpenID Connect
 * are sent as any other.
 */
export const bearer: SecuritySchemeKind = {
  matches: ({ type, scheme }) =>
    type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && scheme === 'bearer'),
  challenge: ({ realm, required }, error) =>
    bearerChallenge({
      realm,
      ...(error === undefined ? {} : { error }),
      ...(error === 'insufficient_scope' ? { scopes: required.scopes } : {}),
    }),
  verify(context, challenge) {
    const header = authorizationOf(context.input.head, 'Bearer <API_KEY>', challenge);
    if (typeof header !== 'string') return header;
    const sent = parseBearer(header);
    if (sent.kind === 'malformed') {
      const message = `The header Authorization is not "Bearer <API_KEY>": ${sent.reason}`;
      return rejected('malformed_authorization', message, challenge());
    }
    return checkKnownCaller(context, sent.token, 'The API key', context.accepted?.byKey(sent.token), challenge);
  },
  sender: () => BEARER_SENDER,
  locations: () => IN_AUTHORIZATION,
  explain: () => 'header Authorization: Bearer …',
  curlOption: (_, key) => `-H "Authorization: Bearer ${key}"`,
};
