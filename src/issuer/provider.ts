import type * as OidcProvider from 'oidc-provider' with { 'resolution-mode': 'import' };
import type { IncomingMessage } from 'node:http';
import { once } from '../core/text/memoize';
import type { AccessTokens } from './access-tokens';
import { GRANT_TYPES, mayReturnTo, RESPONSE_TYPES } from './clients';
import type { GrantStore } from './grant-store';
import {
  deviceCodePage,
  deviceConfirmPage,
  donePage,
  faultPage,
  type IssuerPage,
  PAGE_POLICY,
  pageText,
  signOutPage,
} from './issuer-pages';
import type { IssuerUser } from './issuer-users';
import { ENDPOINTS, ISSUER_PATH } from './sign-in-places';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys';

type Provider = OidcProvider.Provider;
type Context = OidcProvider.KoaContextWithOIDC;

/** What an issuer is made of. */
export interface IssuerParts {
  readonly keys: () => SigningKeys;
  readonly tokens: AccessTokens;
  readonly grants: GrantStore;
  /** The mock's clock, in epoch milliseconds. */
  readonly now: () => number;
  /** Of the description. */
  readonly scopes: readonly string[];
  /** Is nobody asked anything? */
  readonly isAuto: boolean;
  /** Where a browser may be led with a code, beside this machine. */
  readonly hosts: readonly string[];
  /** Origins of web pages that may call; `*` for any. */
  readonly origins: readonly string[];
  /** Of the user of whom tokens say this `sub`. */
  readonly userOf: (subject: string, request: IncomingMessage | undefined) => IssuerUser;
  /** The user of this name; `undefined` where nobody is called so. */
  readonly userNamed: (name: string, request: IncomingMessage) => IssuerUser | undefined;
  readonly reportDefect: (error: unknown) => void;
}

/** Scopes that say what a client learns of a user (OpenID Connect Core 1.0 §5.4, §11). */
const OPENID_SCOPES = ['openid', 'offline_access', 'profile', 'email', 'phone'] as const;

/** In seconds. What of it an app meets can be tried by setting the clock of the mock. */
export const LIFETIMES = { access: 3600, code: 600, signIn: 14 * 24 * 3600 } as const;

// oxlint-disable-next-line typescript/no-require-imports -- loaded only where there is an issuer
const library = once(() => require('#vendor/oidc-provider') as typeof OidcProvider);

/** @param issuer - its address, as the client knows it */
export function createProvider(issuer: string, parts: IssuerParts): Provider {
  const provider = new (library().Provider)(issuer, configuration(issuer, parts));
  signTokens(provider, issuer, parts);
  const { Client } = provider;
  const hostOf = (): string => new URL(issuer).host;
  Client.prototype.redirectUriAllowed = (address) => mayReturnTo(address, hostOf(), parts.hosts);
  Client.prototype.postLogoutRedirectUriAllowed = (address) => mayReturnTo(address, hostOf(), parts.hosts);
  takePasswords(provider, parts);
  provider.on('server_error', (_, error) => {
    parts.reportDefect(error);
  });
  return provider;
}

function configuration(issuer: string, parts: IssuerParts): OidcProvider.Configuration {
  const { grants, origins, userOf } = parts;
  const keys = parts.keys();
  const path = new URL(issuer).pathname.replace(/\/$/, '');
  const jwk = { ...keys.privateKey.export({ format: 'jwk' }), kid: keys.id, use: 'sig', alg: SIGNING_ALGORITHM };
  return {
    adapter: (kind) => grants.adapterFor(kind),
    jwks: { keys: [jwk] },
    routes: ENDPOINTS,
    scopes: [...OPENID_SCOPES, ...parts.scopes],
    claims: {
      openid: ['sub'],
      profile: PROFILE_CLAIMS,
      email: ['email', 'email_verified'],
      phone: ['phone_number'],
    },
    // As most issuers do: who signed in stands in the ID token, too.
    conformIdTokenClaims: false,
    responseTypes: [...RESPONSE_TYPES],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientBasedCORS: (_, origin) => origins.includes('*') || origins.includes(origin),
    // Which client has a secret is known when it redeems a code; one without a challenge is refused then.
    pkce: { required: () => false },
    issueRefreshToken: () => true,
    cookies: {
      keys: [keys.id],
      // Browsers send cookies to every port of a host: two mocks must not take each other's.
      names: {
        session: `standin_session_${keys.id.slice(0, 6)}`,
        interaction: 'standin_sign_in',
        resume: 'standin_resume',
      },
      long: { path: `${path}${ISSUER_PATH}` },
    },
    interactions: { url: (_, { uid }) => `${path}${ISSUER_PATH}/sign-in/${uid}` },
    findAccount: (ctx, sub) => {
      const user = userOf(sub, ctx.req);
      return { accountId: user.id, claims: () => ({ ...user.claims, sub: user.id }) };
    },
    loadExistingGrant: (ctx) => grantEverything(ctx, parts),
    renderError: (ctx, facts) => {
      show(ctx, faultPage(facts.error === 'invalid_redirect_uri' ? { ...facts, hint: WHERE_TO } : { ...facts }));
    },
    ttl: {
      AccessToken: LIFETIMES.access,
      ClientCredentials: LIFETIMES.access,
      IdToken: LIFETIMES.access,
      AuthorizationCode: LIFETIMES.code,
      DeviceCode: LIFETIMES.code,
      Interaction: LIFETIMES.access,
      RefreshToken: LIFETIMES.signIn,
      Session: LIFETIMES.signIn,
      Grant: LIFETIMES.signIn,
    },
    features: features(parts),
  };
}

/** Nobody registers addresses here, of which the library speaks. */
const WHERE_TO =
  'A browser is led to this machine, to the host of the mock, to an app by a scheme of its own, and to hosts that --issuer-allow names.';

const PROFILE_CLAIMS = [
  'name',
  'given_name',
  'family_name',
  'nickname',
  'preferred_username',
  'picture',
  'website',
  'birthdate',
  'gender',
  'locale',
  'zoneinfo',
  'roles',
];

function features({ scopes, isAuto }: IssuerParts): OidcProvider.Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    // What the mock does not check is not offered.
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    revocation: { enabled: true },
    userinfo: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, audience) => ({
        audience,
        scope: scopes.join(' '),
        accessTokenFormat: 'opaque',
        accessTokenTTL: LIFETIMES.access,
      }),
    },
    deviceFlow: {
      enabled: true,
      charset: 'base-20',
      mask: '****-****',
      userCodeInputSource: (ctx, form, _, error) => {
        show(ctx, deviceCodePage(form, error && 'There is no such code, or it is over.'));
      },
      userCodeConfirmSource: (ctx, form, client, _, code) => {
        show(ctx, deviceConfirmPage(form, client.clientId, code));
      },
      successSource: (ctx) => {
        show(ctx, donePage('The device is connected', 'You can close this page.'));
      },
    },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => {
        if (isAuto) sendAtOnce(ctx, form);
        else show(ctx, signOutPage(form));
      },
      postLogoutSuccessSource: (ctx) => {
        show(ctx, donePage('You are signed out', 'You can close this page.'));
      },
    },
  };
}

function show(ctx: Context, page: IssuerPage): void {
  ctx.type = 'html';
  ctx.set('Content-Security-Policy', PAGE_POLICY);
  ctx.body = pageText(page);
}

/** A form that needs no hand. */
function sendAtOnce(ctx: Context, form: string): void {
  ctx.type = 'html';
  ctx.body = `${form}<button form="op.logoutForm" name="logout" value="yes">Sign out</button><script>document.querySelector('button').click()</script>`;
}

/** Whoever signs in consents: a mock has nothing to keep from a client. */
async function grantEverything(ctx: Context, { scopes }: IssuerParts): Promise<OidcProvider.Grant | undefined> {
  const { provider, session, client, params } = ctx.oidc;
  if (session?.accountId === undefined || client === undefined) return undefined;
  const { accountId } = session;
  const { clientId } = client;
  const id = session.grantIdFor(clientId);
  const grant =
    (id === undefined ? undefined : await provider.Grant.find(id)) ?? new provider.Grant({ clientId, accountId });
  grant.addOIDCScope([...OPENID_SCOPES, ...scopes].join(' '));
  for (const resource of [params?.['resource']].flat())
    if (typeof resource === 'string') grant.addResourceScope(resource, scopes.join(' '));
  await grant.save();
  return grant;
}

/**
 * Tokens of the library are names of what it remembers. Here the same token is a JSON Web Token whose `jti` is that name: an
 * app may read it, the mock checks it without asking, and it opens the userinfo endpoint as well.
 */
function signTokens(provider: Provider, issuer: string, { tokens, now, userOf }: IssuerParts): void {
  const { origin } = new URL(issuer);
  const sign = (token: OidcProvider.AccessToken | OidcProvider.ClientCredentials): string => {
    const { clientId = '', scope = '', jti, aud = origin } = token;
    const subject = 'accountId' in token ? token.accountId : undefined;
    const issuedAt = Math.floor(now() / 1000);
    const roles = subject === undefined ? undefined : userOf(subject, undefined).claims['roles'];
    return tokens.sign({
      issuer,
      subject: subject ?? clientId,
      clientId,
      scopes: scope.split(' ').filter((each) => each !== ''),
      audience: String(aud),
      issuedAt,
      expiresAt: issuedAt + token.expiration,
      id: jti,
      more: roles === undefined ? {} : { roles },
    });
  };
  for (const { prototype } of [provider.AccessToken, provider.ClientCredentials]) {
    const model = prototype as unknown as TokenModel;
    const { getValueAndPayload } = model;
    model.getValueAndPayload = async function asJwt(this: OidcProvider.AccessToken) {
      const { payload } = await getValueAndPayload.call(this);
      return { value: sign(this), payload };
    };
  }
}

/** How the library writes a token. */
interface TokenModel {
  getValueAndPayload: (this: OidcProvider.AccessToken) => Promise<{ value: string; payload: unknown }>;
}

/** The grant of RFC 6749 §4.3, for descriptions that have it: any password is right. */
function takePasswords(provider: Provider, { userNamed }: IssuerParts): void {
  const handler = async (ctx: Context): Promise<void> => {
    const { errors } = library();
    const { client, params } = ctx.oidc;
    const { username, password, scope } = params as Readonly<Record<string, string | undefined>>;
    if (client === undefined || username === undefined || password === undefined)
      throw new errors.InvalidRequest('missing required parameter(s): username, password');
    const user = userNamed(username, ctx.req);
    if (user === undefined) throw new errors.InvalidGrant(`nobody is called ${username}`);
    const grant = new provider.Grant({ clientId: client.clientId, accountId: user.id });
    grant.addOIDCScope(scope ?? '');
    const grantId = await grant.save();
    const shared = { accountId: user.id, client, grantId, gty: 'password', scope: scope ?? '' };
    const token = new provider.AccessToken({ ...shared, expiresWithSession: false });
    const refresh = new provider.RefreshToken({ ...shared, expiresWithSession: false, rotations: 0 });
    ctx.body = {
      access_token: await token.save(),
      expires_in: token.expiration,
      refresh_token: await refresh.save(),
      scope: token.scope ?? '',
      token_type: 'Bearer',
    };
  };
  provider.registerGrantType(GRANT_TYPES.password, handler, ['username', 'password', 'scope']);
}
