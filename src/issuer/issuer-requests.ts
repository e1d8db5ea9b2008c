import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as OidcProvider from 'oidc-provider' with { 'resolution-mode': 'import' };
import { readBoundedBody } from '../core/http/bounded-body';
import type { AccessTokens } from './access-tokens';
import { GRANT_TYPES, secretIn } from './clients';
import { donePage, faultPage, type IssuerPage, PAGE_POLICY, pageText, signInPage } from './issuer-pages';
import type { IssuerUser, IssuerUsers } from './issuer-users';
import { ENDPOINTS, ISSUER_PATH } from './sign-in-places';

/** What of the mock a request of the issuer needs. */
interface RequestParts {
  readonly isAuto: boolean;
  readonly title: () => string;
  readonly users: (request: IncomingMessage) => IssuerUsers;
  readonly userNamed: (name: string, request: IncomingMessage) => IssuerUser | undefined;
  readonly tokens: AccessTokens;
}

/** The forms of OAuth are small. In bytes. */
const LARGEST_FORM = 56 * 1024;
const SIGN_IN = new RegExp(`^${ISSUER_PATH}/sign-in/[\\w-]+$`);
/** More users than these do not fit a page: they are named. */
const MOST_LISTED = 50;

/** Endpoints at which scopes are asked for. */
const ASKING: ReadonlySet<string> = new Set([ENDPOINTS.authorization, ENDPOINTS.device_authorization, ENDPOINTS.token]);
/** Grants of the token endpoint that ask for scopes; the others have those of what came before. */
const ASKING_GRANTS: ReadonlySet<string> = new Set([GRANT_TYPES.client, GRANT_TYPES.password]);

/**
 * What happens to a request before the issuer's library sees it, and the pages that the library leaves to others: who signs
 * in.
 */
export class IssuerRequests {
  private readonly parts: RequestParts;

  constructor(parts: RequestParts) {
    this.parts = parts;
  }

  /**
   * Reads a form, and fills in what software leaves out.
   *
   * @param path - of the endpoint
   * @param scopes - of the description
   * @returns the secret of the client, or that the request was answered
   */
  async prepare(
    path: string,
    scopes: readonly string[],
    request: IncomingMessage & { body?: unknown },
    response: ServerResponse,
  ): Promise<{ readonly value: string | undefined } | 'answered'> {
    const [, query = ''] = /\?(.*)$/s.exec(request.url ?? '') ?? [];
    const { authorization } = request.headers;
    if (request.method !== 'POST') {
      const asked = new URLSearchParams(query);
      if (path === ENDPOINTS.authorization) askForScopes(asked, scopes);
      request.url = withQuery(path, asked.toString());
      return { value: secretIn(authorization, new URLSearchParams()) };
    }
    request.url = withQuery(path, query);
    const text = await readBoundedBody(request, LARGEST_FORM);
    if (text === undefined) {
      refuse(response, 413, `A form of the issuer has at most ${LARGEST_FORM} bytes`);
      return 'answered';
    }
    const form = new URLSearchParams(text);
    const value = secretIn(authorization, form);
    if (path === ENDPOINTS.token && lacksProof(form, value)) {
      refuse(response, 400, NO_PROOF);
      return 'answered';
    }
    if (asksForScopes(path, form)) askForScopes(form, scopes);
    // The library knows tokens by their names.
    const id = this.parts.tokens.idOf(form.get('token') ?? '');
    if (id !== undefined) form.set('token', id);
    request.body = form.toString();
    return { value };
  }

  async answer(
    provider: OidcProvider.Provider,
    path: string,
    request: IncomingMessage & { body?: unknown },
    response: ServerResponse,
  ): Promise<void> {
    if (SIGN_IN.test(path)) await this.signIn(provider, request, response);
    else if (path === `${ISSUER_PATH}/`) show(response, 200, this.overview(provider));
    else await provider.callback()(request, response);
  }

  private async signIn(
    provider: OidcProvider.Provider,
    request: IncomingMessage & { body?: unknown },
    response: ServerResponse,
  ): Promise<void> {
    let interaction: Awaited<ReturnType<OidcProvider.Provider['interactionDetails']>>;
    try {
      interaction = await provider.interactionDetails(request, response);
    } catch {
      const facts = {
        error: 'invalid_request',
        error_description: 'This sign-in is over, or began in another browser',
      };
      show(response, 400, faultPage({ ...facts, hint: 'Go back to the application and sign in again.' }));
      return;
    }
    const { prompt, params } = interaction;
    // Whoever signs in consents.
    if (prompt.name !== 'login') {
      await provider.interactionFinished(request, response, { consent: {} });
      return;
    }
    const text = (name: string): string | undefined => {
      const value = params[name];
      return typeof value === 'string' ? value : undefined;
    };
    const hint = text('login_hint');
    const users = this.parts.users(request);
    const wanted = typeof request.body === 'string' ? (new URLSearchParams(request.body).get('user') ?? '') : undefined;
    const user = wanted === undefined ? this.atOnce(users, hint, request) : this.parts.userNamed(wanted, request);
    if (user !== undefined) {
      await provider.interactionFinished(request, response, { login: { accountId: user.id } });
      return;
    }
    const listed = users.first(MOST_LISTED + 1);
    const page = signInPage({
      api: this.parts.title(),
      client: text('client_id') ?? '',
      scopes: (text('scope') ?? '').split(' ').filter((scope) => scope !== ''),
      users: listed.slice(0, MOST_LISTED),
      hasMore: listed.length > MOST_LISTED,
      hint,
      unknown: wanted === '' ? undefined : wanted,
    });
    show(response, wanted === undefined ? 200 : 400, page);
  }

  /** Whom nobody needs to ask: the user that the client named, else the first. */
  private atOnce(users: IssuerUsers, hint: string | undefined, request: IncomingMessage): IssuerUser | undefined {
    if (!this.parts.isAuto) return undefined;
    return (
      (hint === undefined ? undefined : this.parts.userNamed(hint, request)) ??
      users.first(1)[0] ??
      this.parts.userNamed('user', request)
    );
  }

  private overview({ issuer }: OidcProvider.Provider): IssuerPage {
    return donePage(
      `Sign-in at ${this.parts.title()}`,
      `The issuer is ${issuer}, its discovery document ${issuer}/.well-known/openid-configuration. Any client id and secret will do.`,
    );
  }
}

const NO_PROOF =
  'A client without a secret must use PKCE (RFC 9700 section 2.1.1): send code_challenge to the authorization endpoint, and code_verifier here';

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}

function asksForScopes(path: string, form: URLSearchParams): boolean {
  return ASKING.has(path) && (path !== ENDPOINTS.token || ASKING_GRANTS.has(form.get('grant_type') ?? ''));
}

/** Who asks for no scope of the API gets them all; the response says which (RFC 6749 §3.3). */
function askForScopes(form: URLSearchParams, scopes: readonly string[]): void {
  const asked = (form.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  if (scopes.length > 0 && !asked.some((scope) => scopes.includes(scope)))
    form.set('scope', [...asked, ...scopes].join(' '));
}

function lacksProof(form: URLSearchParams, secret: string | undefined): boolean {
  return (
    form.get('grant_type') === GRANT_TYPES.code && secret === undefined && (form.get('code_verifier') ?? '') === ''
  );
}

function show(response: ServerResponse, status: number, page: IssuerPage): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': PAGE_POLICY,
    'Cache-Control': 'no-store',
  });
  response.end(pageText(page));
}

function refuse(response: ServerResponse, status: number, description: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify({ error: 'invalid_request', error_description: description }));
}
