import { NO_NAMES, type SecuritySchemeKind } from './scheme';

/** `type: mutualTLS` (OAS 3.1.0 §4.8.27): no HTTP message shows the certificate, so it is not enforced; a warning says so. */
export const mutualTls: SecuritySchemeKind = {
  matches: ({ type }) => type === 'mutualTLS',
  verify: () => ({ kind: 'accepted', key: '', principal: undefined }),
  locations: () => NO_NAMES,
  explain: () => 'a certificate of the connection: not asked for',
};
