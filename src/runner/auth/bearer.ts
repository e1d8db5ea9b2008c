import {
  NO_CREDENTIALS,
  type CredentialScheme,
  type Disguise,
  type KeyMaterial,
  type ProbeExpectation,
  type ProbeKind,
  type RequestCredentials,
} from './scheme';
import { truncatedKey } from './truncated-key';

/** `standin:standin`; the scheme is what is wrong with it. */
const BASIC = 'Basic c3RhbmRpbjpzdGFuZGlu';

const header = (...values: readonly string[]): RequestCredentials => ({
  headers: values.flatMap((value) => ['Authorization', value]),
  query: [],
});
const inQuery = (name: string, key: string): RequestCredentials => ({
  headers: [],
  query: [`${name}=${encodeURIComponent(key)}`],
});
const unknownKey = ({ runId }: Pick<KeyMaterial, 'runId'>): string => `standin-unknown-key-${runId}`;

/** A kind that has nothing to do with the right key. */
const keyless = (title: string, make: (unknown: string) => RequestCredentials): ProbeKind => ({
  title,
  expects: 'refused',
  credentials: (material) => make(unknownKey(material)),
});

/** A kind that is made of the right key. */
const keyed = (
  title: string,
  expects: ProbeExpectation,
  make: (key: string, material: KeyMaterial) => RequestCredentials | undefined,
): ProbeKind => ({
  title,
  expects,
  credentials: (material) => (material.key === undefined ? undefined : make(material.key, material)),
});

const inUrl = (name: string): ProbeKind => {
  return { ...keyed(`with the key in the query as ${name}`, 'refused', (key) => inQuery(name, key)), isInUrl: true };
};

const KINDS: readonly ProbeKind[] = [
  keyless('without a key', () => NO_CREDENTIALS),
  keyless('with Bearer and nothing after it', () => header('Bearer')),
  keyless('with Bearer and a space after it', () => header('Bearer ')),
  keyless('with the scheme Basic', () => header(BASIC)),
  // RFC 6750 §2.1 allows several spaces, so that the right key after two of them may be let in; an unknown one never.
  keyless('with two spaces before an unknown key', (unknown) => header(`Bearer  ${unknown}`)),
  keyed('with characters after the key that no key has', 'refused', (key) => header(`Bearer ${key}!"`)),
  keyed('with the scheme Token', 'refused', (key) => header(`Token ${key}`)),
  keyless('with an unknown key', (unknown) => header(`Bearer ${unknown}`)),
  keyed('with the key cut by its last character', 'refused', (key) => {
    const cut = truncatedKey(key);
    return cut === undefined ? undefined : header(`Bearer ${cut}`);
  }),
  keyed('with two Authorization headers', 'refused-or-malformed', (key, material) =>
    header(`Bearer ${key}`, `Bearer ${unknownKey(material)}`),
  ),
  inUrl('access_token'),
  inUrl('api_key'),
  keyed('with bearer in lower case', 'accepted', (key) => header(`bearer ${key}`)),
];

/** `type: http, scheme: bearer`: `Authorization: Bearer <key>` (RFC 6750 §2.1). */
export const bearer: CredentialScheme = {
  covers: ({ type, scheme }) => type === 'http' && scheme === 'bearer',
  authenticate: (key) => header(`Bearer ${key}`),
  disguise,
  kinds: KINDS,
  headerNames: ['authorization'],
};

function disguise(mode: Disguise, key: string, runId: string): RequestCredentials {
  switch (mode) {
    case 'none':
      return NO_CREDENTIALS;
    case 'invalid':
      return header(`Bearer ${unknownKey({ runId })}`);
    case 'malformed':
      return header(BASIC);
    case 'empty':
      return header('Bearer');
    case 'doubled':
      return header(`Bearer ${key}`, `Bearer ${unknownKey({ runId })}`);
    case 'lower-case':
      return header(`bearer ${key}`);
    case 'query':
      return inQuery('access_token', key);
  }
}
