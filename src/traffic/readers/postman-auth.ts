import { isJsonObject, type JsonObject } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { isSensitiveHeader, isSensitiveParameter } from '../../security/credential-locations';
import { objectAt, objectsAt, textAt } from './loose-values';
import { encoded } from './postman-url';
import type { PostmanContext, PostmanVariables, Tell } from './postman-variables';
import { basicAuthorization } from './recorded-url';

/** What is sent for an `auth`. */
export interface Credentials {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Of the target, to be added. */
  readonly query: string;
}

const NO_CREDENTIALS: Credentials = { headers: [], query: '' };

/** @param value - a parameter of the `auth`, filled in; empty where it is missing */
type ReadAuth = (value: (name: string) => string, tell: Tell, variables: PostmanVariables) => Credentials;

/** The kinds whose credentials stand in the collection; others are computed for each request, or asked for. */
const KINDS: Readonly<Record<string, ReadAuth>> = {
  noauth: () => NO_CREDENTIALS,
  inherit: () => NO_CREDENTIALS,
  bearer: (value) => authorization(`Bearer ${value('token')}`),
  basic: (value) => authorization(basicAuthorization(value('username'), value('password'))),
  apikey(value, _, variables) {
    const [name, given] = [value('key'), value('value')];
    if (name === '') return NO_CREDENTIALS;
    // Another name says nothing of a secret.
    const isCalledSo = isSensitiveHeader(name) || isSensitiveParameter(name);
    const key = isCalledSo ? given : variables.secret(name, given);
    if (value('in') === 'query') return { headers: [], query: `${encoded(name)}=${encoded(key)}` };
    return { headers: [[name, key]], query: '' };
  },
  oauth2(value, tell) {
    const token = value('accessToken');
    if (token === '') {
      tell('The OAuth 2 token of a request was not saved', 'kept without credentials');
      return NO_CREDENTIALS;
    }
    if (value('addTokenTo') === 'queryParams') return { headers: [], query: `access_token=${encoded(token)}` };
    const prefix = value('headerPrefix').trim();
    return authorization(`${prefix === '' ? 'Bearer' : prefix} ${token}`);
  },
};

function authorization(text: string): Credentials {
  return { headers: [['Authorization', text]], query: '' };
}

/** What `auth` sends; the request's own comes before what stands above it. */
export function credentialsOf(
  request: JsonObject,
  { auth: inherited, variables }: PostmanContext,
  tell: Tell,
): Credentials {
  const own = request['auth'];
  const auth = isJsonObject(own) ? own : inherited;
  if (auth === undefined) return NO_CREDENTIALS;
  const type = textAt(auth, 'type') ?? 'noauth';
  const read = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (read !== undefined) return read((name) => variables.fill(authValue(auth, type, name)), tell, variables);
  tell(`The kind of authorization ${type} cannot be computed`, 'kept without credentials');
  return NO_CREDENTIALS;
}

/** A list of `key` and `value` in version 2.1, an object in 2.0. */
function authValue(auth: JsonObject, type: string, name: string): string {
  const listed = objectsAt(auth, type).find((each) => textAt(each, 'key') === name)?.['value'];
  const value = Array.isArray(auth[type]) ? listed : objectAt(auth, type)[name];
  return value === undefined || value === null || typeof value === 'object' ? '' : scalarText(value);
}
