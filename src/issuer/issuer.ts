import type { KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as OidcProvider from 'oidc-provider' with { 'resolution-mode': 'import' };
import { ConfigError } from '../core/errors/standin-error';
import type { JsonValue } from '../core/json/json-value';
import { once } from '../core/text/memoize';
import { similarName } from '../core/text/similar-name';
import type { Mock } from '../mock/create-mock';
import { MAIN_ID, sandboxOf } from '../mock/sandbox/sandbox-selection';
import { serverUrls } from '../openapi/model/base-paths';
import type { ApiModel } from '../openapi/model/api-model';
import type { IssuerTokens, KnownCaller, SignedIn } from '../security/credential-check';
import { AccessTokens } from './access-tokens';
import { withSecret } from './clients';
import { GrantStore } from './grant-store';
import { IssuerRequests } from './issuer-requests';
import { type IssuerUser, IssuerUsers, unknownUser } from './issuer-users';
import { createProvider, type IssuerParts, LIFETIMES } from './provider';
import { scopesOf, type SignInPlace, SignInPlaces, withIssuerAddresses } from './sign-in-places';
import { newSigningKey, signingKeys } from './signing-keys';

/** How people sign in at the mock. */
export interface IssuerOptions {
  /** `auto`: the first user is signed in, or whom the client named, and no page is shown. */
  readonly mode: 'page' | 'auto';
  /** Where a browser may be led with a code, beside this machine. */
  readonly hosts: readonly string[];
  /** It signs; a new one where there is none. */
  readonly key: KeyObject | undefined;
  /** Origins of web pages that may call; `*` for any. */
  readonly corsOrigins: readonly string[];
}

/** Whom a token is for. */
export interface TokenRequest {
  /** Id, user name or e-mail address of a user. Default: the first one. */
  readonly user?: string | undefined;
  /** Default: all of the description. */
  readonly scopes?: readonly string[] | undefined;
  /** Seconds, by the clock of the mock; less than 0 for a token that has expired. Default: an hour. */
  readonly expiresIn?: number | undefined;
}

/** The addresses that clients know an issuer by are few. */
const MOST_PROVIDERS = 20;
/** So many users a mistyped name is compared with. */
const MOST_COMPARED = 100;
const CLIENT = 'standin';
/** What a token says of its issuer before any client named it. */
const UNNAMED = 'http://localhost';

/**
 * An issuer of OAuth 2.0 (RFC 6749) and OpenID Connect Core 1.0 beside the API. Users are the people that the mock has stored;
 * each client name is a client; tokens have the scopes of the description. The address of the issuer is that of the mock, as
 * the client names it: browsers and services in containers know one mock by several.
 */
export class Issuer implements IssuerTokens {
  private readonly current: () => Mock;
  private readonly tokens: AccessTokens;
  private readonly parts: Omit<IssuerParts, 'scopes'>;
  private readonly requests: IssuerRequests;
  private readonly providers = new Map<string, OidcProvider.Provider>();
  private known:
    | { readonly api: ApiModel; readonly places: SignInPlaces; readonly scopes: readonly string[] }
    | undefined;
  private lastNamed = UNNAMED;

  /** @param current - the mock that answers now */
  constructor(current: () => Mock, options: IssuerOptions, reportDefect: (error: unknown) => void) {
    this.current = current;
    // A key takes a while to make: it is made when it is first needed.
    const keys = once(() => signingKeys(options.key ?? newSigningKey()));
    this.tokens = new AccessTokens(keys, () => serverUrls(current().context.api.document));
    const now = (): number => current().engine.sandboxes.main.clock.now();
    this.parts = {
      keys,
      tokens: this.tokens,
      grants: new GrantStore(this.tokens, now),
      now,
      isAuto: options.mode === 'auto',
      hosts: options.hosts,
      origins: options.corsOrigins,
      userOf: (subject, request) => this.users(request).find(subject) ?? unknownUser(subject),
      userNamed: (name, request) => this.userNamed(name, this.users(request)),
      reportDefect,
    };
    this.requests = new IssuerRequests({
      isAuto: this.parts.isAuto,
      title: () => current().context.api.title,
      users: (request) => this.users(request),
      userNamed: this.parts.userNamed,
      tokens: this.tokens,
    });
  }

  /** @param path - of a request, below where the mock is mounted. @returns `undefined` for a request of the API */
  placeOf(path: string): SignInPlace | undefined {
    return this.facts().places.find(path);
  }

  /** The components of a description with the addresses of the issuer in them. */
  withAddresses(components: JsonValue, address: string): JsonValue {
    return withIssuerAddresses(components, address);
  }

  /** Answers a request. */
  async handle(place: SignInPlace, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const issuer = issuerOf(request, place.issuerPath);
    this.lastNamed = issuer;
    const provider = this.provider(issuer);
    const { scopes } = this.facts();
    const secret = await this.requests.prepare(place.path, scopes, request, response);
    if (secret === 'answered') return;
    await withSecret(secret.value, () => this.requests.answer(provider, place.path, request, response));
  }

  byKey(key: string): KnownCaller | undefined {
    return this.tokens.byKey(key);
  }

  whyUnknown(key: string): string | undefined {
    return this.tokens.whyUnknown(key);
  }

  revokeToken(token: string): void {
    this.tokens.revokeToken(token);
  }

  signIn({ name, lifetimeS, nowMs, sandbox }: SignedIn): string {
    const user = name === undefined ? undefined : (this.usersIn(sandbox).find(name) ?? unknownUser(name));
    return this.sign(user ?? unknownUser(CLIENT), this.facts().scopes, nowMs, lifetimeS ?? LIFETIMES.access);
  }

  /** @throws ConfigError for a user that nobody is */
  tokenFor({ user: name, scopes, expiresIn = LIFETIMES.access }: TokenRequest): string {
    const users = this.users(undefined);
    const [first = unknownUser(CLIENT)] = name === undefined ? users.first(1) : [];
    const user = name === undefined ? first : this.userNamed(name, users);
    if (user === undefined) {
      const known = users.first(MOST_COMPARED).flatMap(({ id, claims }) => [id, ...signsOf(claims)]);
      const near = similarName(name ?? '', known);
      throw new ConfigError(
        'CONFIG_INVALID',
        `No user is called ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean "${near}"?`}`,
        { hint: 'Give the id, user name or e-mail address of a user that is stored.' },
      );
    }
    return this.sign(user, scopes ?? this.facts().scopes, this.parts.now(), expiresIn);
  }

  private sign({ id, claims }: IssuerUser, scopes: readonly string[], nowMs: number, lifetimeS: number): string {
    const issuedAt = Math.floor(nowMs / 1000);
    const { roles } = claims;
    return this.tokens.sign({
      issuer: this.lastNamed,
      subject: id,
      clientId: CLIENT,
      scopes,
      audience: new URL(this.lastNamed).origin,
      issuedAt,
      expiresAt: issuedAt + lifetimeS,
      more: roles === undefined ? {} : { roles },
    });
  }

  /** Where nobody is stored, everybody may sign in. */
  private userNamed(name: string, users: IssuerUsers): IssuerUser | undefined {
    return users.find(name) ?? (users.first(1).length === 0 ? unknownUser(name) : undefined);
  }

  /** The people of the sandbox that a request names. */
  private users(request: IncomingMessage | undefined): IssuerUsers {
    const { sandboxes } = this.current().context.options;
    return this.usersIn(request === undefined ? undefined : sandboxOf(sandboxes, headOf(request)));
  }

  private usersIn(id = MAIN_ID): IssuerUsers {
    const { resources, engine } = this.current();
    const { sandboxes } = engine;
    return new IssuerUsers(resources, id === MAIN_ID ? sandboxes.main.snapshot() : sandboxes.stateOf(id));
  }

  private provider(issuer: string): OidcProvider.Provider {
    const known = this.providers.get(issuer);
    if (known !== undefined) return known;
    const made = createProvider(issuer, { ...this.parts, scopes: this.facts().scopes });
    const [oldest] = this.providers.size >= MOST_PROVIDERS ? this.providers.keys() : [];
    if (oldest !== undefined) this.providers.delete(oldest);
    this.providers.set(issuer, made);
    return made;
  }

  /** What the description says of sign-in; another description says something else. */
  private facts(): NonNullable<Issuer['known']> {
    const { api, mounts } = this.current().context;
    if (this.known?.api !== api) {
      this.known = { api, places: new SignInPlaces(api, mounts), scopes: scopesOf(api) };
      this.providers.clear();
    }
    return this.known;
  }
}

function headOf({ method = 'GET', url = '/', headers, rawHeaders }: IncomingMessage): Parameters<typeof sandboxOf>[1] {
  return { method, target: url, headers, rawHeaders };
}

/** The address of the issuer as the client names it; a proxy says what it was asked for. */
function issuerOf(request: IncomingMessage, issuerPath: string): string {
  const { headers, socket } = request;
  const { baseUrl = '' } = request as { baseUrl?: string };
  const forwarded = (name: string): string | undefined =>
    String(headers[name] ?? '')
      .split(',')[0]
      ?.trim() || undefined;
  const isEncrypted =
    (socket as { encrypted?: boolean }).encrypted === true || forwarded('x-forwarded-proto') === 'https';
  const host = forwarded('x-forwarded-host') ?? headers.host ?? 'localhost';
  return new URL(`${isEncrypted ? 'https' : 'http'}://${host}${baseUrl}${issuerPath}`).href.replace(/\/$/, '');
}

function signsOf({ email, preferred_username: userName }: IssuerUser['claims']): string[] {
  return [email, userName].filter((each) => typeof each === 'string');
}
