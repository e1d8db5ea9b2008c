import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value';
import type { ApiModel } from '../openapi/model/api-model';

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

  constructor(api: ApiModel) {
    this.isDocumented = (path) => api.mounts.some(({ routes }) => routes.match(path) !== undefined);
    const schemes = [...api.securitySchemes.values()];
    const issuers = schemes.flatMap(({ openIdConnectUrl }) => {
      const path = pathOf(openIdConnectUrl);
      return path?.endsWith(DISCOVERY) === true ? [path.slice(0, -DISCOVERY.length)] : [];
    });
    this.issuers = [...new Set([...issuers, ''])].sort((one, other) => other.length - one.length);
    for (const flow of schemes.flatMap(({ flows }) => flows)) {
      this.name(flow.authorizationUrl, ENDPOINTS.authorization);
      this.name(flow.tokenUrl, ENDPOINTS.token);
      this.name(flow.refreshUrl, ENDPOINTS.token);
      this.name(flow.deviceAuthorizationUrl, ENDPOINTS.device_authorization);
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

  private name(url: string | undefined, endpoint: string): void {
    const path = pathOf(url);
    if (path !== undefined && path !== '/') this.endpoints.set(path, endpoint);
  }
}

/** The path of an address, or of one that is relative to the mock. */
function pathOf(url: string | undefined): string | undefined {
  const base = 'http://localhost/';
  return url === undefined || !URL.canParse(url, base) ? undefined : new URL(url, base).pathname;
}

/** Scopes of the description: those that flows explain, and those that operations ask for. */
export function scopesOf({ securitySchemes, operations }: ApiModel): readonly string[] {
  const explained = [...securitySchemes.values()].flatMap(({ flows }) => flows.flatMap(({ scopes }) => scopes));
  const asked = operations.flatMap(({ security }) => security.flat().flatMap(({ scopes }) => scopes));
  return [...new Set([...explained, ...asked])].filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
}

/** Addresses of an OAuth Flow Object, and the endpoint of the issuer that each is. */
const FLOW_ADDRESSES = {
  authorizationUrl: ENDPOINTS.authorization,
  tokenUrl: ENDPOINTS.token,
  refreshUrl: ENDPOINTS.token,
  deviceAuthorizationUrl: ENDPOINTS.device_authorization,
} as const;

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
