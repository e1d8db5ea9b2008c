import { challenge as formatChallenge, schemeOf } from '../core/http/authorization';
import type { SecurityScheme } from '../openapi/model/operation';
import { authorizationOf, rejected } from './credential-check';
import { IN_AUTHORIZATION, NO_NAMES, type SecuritySchemeKind } from './scheme';

/** `type: http` with another scheme, such as Digest: verified is only that something was sent for it. */
export const otherHttp: SecuritySchemeKind = {
  matches: ({ type }) => type === 'http',
  challenge: ({ scheme, realm }) => formatChallenge(nameOf(scheme), { realm }),
  verify({ scheme, input }, challenge) {
    const name = nameOf(scheme);
    const header = authorizationOf(input.head, `${name} …`, challenge);
    if (typeof header !== 'string') return header;
    const wanted = scheme.scheme ?? '';
    if (schemeOf(header) === wanted && header.slice(wanted.length).trim() !== '') {
      return { kind: 'accepted', key: header, principal: undefined };
    }
    return rejected('malformed_authorization', `The header Authorization is not "${name} …"`, challenge());
  },
  locations: () => IN_AUTHORIZATION,
  explain: (scheme) => `header Authorization: ${nameOf(scheme)} …`,
};

function nameOf({ scheme = '' }: SecurityScheme): string {
  return scheme.charAt(0).toUpperCase() + scheme.slice(1);
}

/** `type: mutualTLS` (OAS 3.1.0 §4.8.27): no HTTP message shows the certificate, so it is not enforced; a warning says so. */
export const mutualTls: SecuritySchemeKind = {
  matches: ({ type }) => type === 'mutualTLS',
  verify: () => ({ kind: 'accepted', key: '', principal: undefined }),
  locations: () => NO_NAMES,
  explain: () => 'a certificate of the connection: not asked for',
};
