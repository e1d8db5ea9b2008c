import { basicAuthorization, challenge as formatChallenge, parseBasic } from '../core/http/authorization';
import { authorizationOf, checkKnownCaller, rejected } from './credential-check';
import {
  createSender,
  IN_AUTHORIZATION,
  inAuthorization,
  MISSING_KEY,
  probeFromKey,
  probeWithoutKey,
  type RequestCredentials,
  type SecuritySchemeKind,
  type SendKeys,
  similarKinds,
  splitKey,
  truncatedKind,
} from './scheme';

/** User name of a key that has none itself, and the base64 of it alone, as it stands before a key in a header. */
export const BASIC_USER = { name: 'user', base64: 'dXNlcj' };

const put: SendKeys = (...keys) => inAuthorization(...keys.map(valueOf));

const putInLowerCase = (key: string): RequestCredentials => inAuthorization(valueOf(key).replace(/^Basic/, 'basic'));

function valueOf(key: string): string {
  if (splitKey(key).word?.toLowerCase() === 'basic') return key;
  const colon = key.indexOf(':');
  return colon === -1
    ? basicAuthorization(BASIC_USER.name, key)
    : basicAuthorization(key.slice(0, colon), key.slice(colon + 1));
}

const SENDER = createSender({
  locations: IN_AUTHORIZATION,
  put,
  putUnusually: putInLowerCase,
  malformed: (unknown) => inAuthorization(`Bearer ${unknown}`),
  empty: inAuthorization('Basic'),
  unknownKey: (unknown) => `${unknown}:${unknown}`,
  probes: [
    MISSING_KEY,
    probeWithoutKey('Basic and nothing after it', () => inAuthorization('Basic')),
    probeWithoutKey('Basic and no base64 after it', () => inAuthorization('Basic !')),
    probeWithoutKey('the scheme Bearer', (unknown) => inAuthorization(`Bearer ${unknown}`)),
    probeWithoutKey('an unknown user and password', (unknown) => put(`${unknown}:${unknown}`)),
    truncatedKind(put, 'password'),
    ...similarKinds(put, 'password'),
    probeFromKey('basic in lower case', 'accepted', putInLowerCase),
  ],
});

/** `type: http, scheme: basic` (RFC 7617): the key is `user:password`, or the password of `user`. */
export const basic: SecuritySchemeKind = {
  matches: ({ type, scheme }) => type === 'http' && scheme === 'basic',
  challenge: ({ realm }) => formatChallenge('Basic', { realm, charset: 'UTF-8' }),
  verify(context, challenge) {
    const header = authorizationOf(context.input.head, 'Basic <base64 of user:password>', challenge);
    if (typeof header !== 'string') return header;
    const sent = parseBasic(header);
    if (sent.kind === 'malformed') {
      const message = `The header Authorization is not "Basic <base64 of user:password>": ${sent.reason}`;
      return rejected('malformed_authorization', message, challenge());
    }
    const { username, password } = sent;
    const known = context.accepted?.byPassword(username, password);
    const what = 'The user name or the password';
    const check = checkKnownCaller(context, `${username}:${password}`, what, known, challenge);
    return check.kind === 'accepted' ? { ...check, userName: username } : check;
  },
  sender: () => SENDER,
  locations: () => IN_AUTHORIZATION,
  explain: () => 'header Authorization: Basic …',
  curlOption: (_, key) => `-u user:${key}`,
};
