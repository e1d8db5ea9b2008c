import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value';
import type { ApiModel } from '../openapi/model/api-model';
import { matchBelow, type Mount } from '../openapi/model/base-paths';

/** Where the issuer answers, below the address of the mock. */
export const ISSUER_PATH = '/__standin/issuer';

/** Each endpoint of the issuer, by the name that its library has for the route. */
export const ENDPOINTS = {
  authorization: `${ISSUER_PATH}/authorize`,
  token: `${ISSUER_PATH}/token`,
  userinfo: `${ISSUER_PATH}/userinfo`,
  jwks: `${ISSUER_PATH}/jwks`,
  introspection: `${ISSUER_PATH}/introspect`,
  revocation: `${ISSUER_PATH}/revoke`,
  device_authorization: `${ISSUER_PATH}/device`,
  code_verification: `${ISSUER_PATH}/activate`,
  end_session: `${ISSUER_PATH}/logout`,
} as const;

/** Addresses of an OAuth Flow Object, and the endpoint of the issuer that each is. */
const FLOW_ADDRESSES = {
  authorizationUrl: ENDPOINTS.authorization,
  tokenUrl: ENDPOINTS.token,
  refreshUrl: ENDPOINTS.token,
  deviceAuthorizationUrl: ENDPOINTS.device_authorization,
} as const;

const DISCOVERY = '/.well-known/openid-configuration';
/** The same of OAuth without OpenID Connect, which stands before the path of the issuer (RFC 8414 §3). */
const OAUTH_DISCOVERY = '/.well-known/oauth-authorization-server';

/** What of the issuer a request is for. */
export interface SignInPlace {
  /** Path of the issuer that the client knows: `''`, or `/realms/shop`. */
  readonly issuerPath: string;
  /** Path below that. */
  readonly path: string;
}

/** The paths at which the mock signs people in: its own, and those that the description says. */
export class SignInPlaces {
  /** Longest first. */
  private readonly issuers: readonly string[];
  private readonly endpoints = new Map<string, string>();
  private readonly isDocumented: (path: string) => boolean;

  /** @param mounts - what of the description answers where */
  constructor(api: ApiModel, mounts: readonly Mount[]) {
    this.isDocumented = (path) => matchBelow(mounts, path) !== undefined;
    const schemes = [...api.securitySchemes.values()];
    const issuers = schemes.flatMap(({ openIdConnectUrl }) => {
      const path = pathOf(openIdConnectUrl);
      return path?.endsWith(DISCOVERY) === true ? [path.slice(0, -DISCOVERY.length)] : [];
    });
    this.issuers = [...new Set([...issuers, ''])].sort((one, other) => other.length - one.length);
    for (const flow of schemes.flatMap(({ flows }) => flows)) {
      for (const [name, endpoint] of Object.entries(FLOW_ADDRESSES))
        for (const path of pathsOf(flow[name as keyof typeof FLOW_ADDRESSES], mounts))
          this.endpoints.set(path, endpoint);
    }
  }

  /** An operation of the description at such a path comes first. @returns `undefined` for what is not for the issuer */
  find(path: string): SignInPlace | undefined {
    for (const issuerPath of this.issuers) {
      if (path.startsWith(`${issuerPath}${ISSUER_PATH}/`)) return { issuerPath, path: path.slice(issuerPath.length) };
      const isDiscovery = path === `${issuerPath}${DISCOVERY}` || path === `${OAUTH_DISCOVERY}${issuerPath}`;
      if (isDiscovery && !this.isDocumented(path)) return { issuerPath, path: DISCOVERY };
    }
    const endpoint = this.endpoints.get(path);
    return endpoint === undefined || this.isDocumented(path) ? undefined : { issuerPath: '', path: endpoint };
  }

  /** Paths of the description at which the issuer answers beside its own. */
  get named(): readonly string[] {
    const discovery = this.issuers.filter((path) => path !== '').map((path) => `${path}${DISCOVERY}`);
    return [...this.endpoints.keys(), ...discovery].filter((path) => !this.isDocumented(path));
  }
}

/** The path of an address, or of one that is relative to the mock. */
function pathOf(url: string | undefined): string | undefined {
  const base = 'http://localhost/';
  return url === undefined || !URL.canParse(url, base) ? undefined : new URL(url, base).pathname;
}

/** The paths that an address may mean: one without a slash at its beginning stands below the server as well. */
function pathsOf(url: string | undefined, mounts: readonly Mount[]): readonly string[] {
  const path = pathOf(url);
  if (url === undefined || path === undefined || path === '/') return [];
  const isRelative = !/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(url);
  return isRelative ? [path, ...mounts.map(({ basePath }) => `${basePath}${path}`)] : [path];
}

/** Scopes of the description: those that flows explain, and those that operations ask for. */
export function scopesOf({ securitySchemes, operations }: ApiModel): readonly string[] {
  const explained = [...securitySchemes.values()].flatMap(({ flows }) => flows.flatMap(({ scopes }) => scopes));
  const asked = operations.flatMap(({ security }) => security.flat().flatMap(({ scopes }) => scopes));
  return [...new Set([...explained, ...asked])].filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
}

/**
 * The components of a description, whose security schemes lead to the issuer of a mock: who reads them there signs in there.
 *
 * @param address - of the mock, as its client knows it
 */
export function withIssuerAddresses(components: JsonValue, address: string): JsonValue {
  if (!isJsonObject(components) || !isJsonObject(components['securitySchemes'])) return components;
  const schemes = Object.entries(components['securitySchemes']).map(([name, scheme]): [string, JsonValue] => {
    if (!isJsonObject(scheme)) return [name, scheme];
    if (scheme['type'] === 'openIdConnect') return [name, { ...scheme, openIdConnectUrl: `${address}${DISCOVERY}` }];
    const { flows } = scheme;
    return [name, isJsonObject(flows) ? { ...scheme, flows: flowsAt(flows, address) } : scheme];
  });
  return { ...components, securitySchemes: Object.fromEntries(schemes) };
}

function flowsAt(flows: JsonObject, address: string): JsonObject {
  const moved = Object.entries(flows).map(([kind, flow]): [string, JsonValue] => {
    if (!isJsonObject(flow)) return [kind, flow];
    const urls = Object.entries(FLOW_ADDRESSES).filter(([name]) => Object.hasOwn(flow, name));
    return [kind, { ...flow, ...Object.fromEntries(urls.map(([name, path]) => [name, address + path])) }];
  });
  return Object.fromEntries(moved);
}
