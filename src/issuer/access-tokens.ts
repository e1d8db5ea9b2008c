import { randomUUID } from 'node:crypto';
import type * as JsonWebToken from 'jsonwebtoken';
import type { JsonObject } from '../core/json/json-value';
import { once } from '../core/text/memoize';
import type { KnownCaller } from '../security/credential-check';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys';

/** What a token says (RFC 9068 §2.2). */
export interface TokenGrant {
  readonly issuer: string;
  /** Whom it stands for: a user, or a client itself. */
  readonly subject: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly audience: string;
  /** Epoch seconds, by the clock of the mock. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** A new one when left out. */
  readonly id?: string | undefined;
  /** Further claims, such as roles. */
  readonly more?: JsonObject | undefined;
}

/** What became of a token that was looked at. */
type Judgement =
  | { readonly kind: 'good'; readonly id: string; readonly caller: KnownCaller }
  | { readonly kind: 'bad'; readonly why: string };

/** The media type that an access token says of itself (RFC 9068 §2.1). */
const ACCESS_TOKEN_TYPE = 'at+jwt';
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** So many are remembered: those that were looked at, and those that were revoked. Oldest first out. */
const MOST_REMEMBERED = 10_000;

// oxlint-disable-next-line typescript/no-require-imports -- loaded only where there is an issuer
const library = once(() => require('#vendor/jsonwebtoken') as typeof JsonWebToken);

/**
 * Access tokens as JSON Web Tokens (RFC 9068): signed here, and checked without asking anybody. Whether one has expired is for
 * who looks at the clock of the request.
 */
export class AccessTokens {
  private readonly keys: () => SigningKeys;
  private readonly audiences: () => readonly string[];
  private readonly judged = new Map<string, Judgement>();
  private readonly revoked = new Set<string>();

  /** @param audiences - what this API is called in tokens, beside the origin of the issuer that signed one */
  constructor(keys: () => SigningKeys, audiences: () => readonly string[]) {
    this.keys = keys;
    this.audiences = audiences;
  }

  sign({ issuer, subject, clientId, scopes, audience, issuedAt, expiresAt, id, more }: TokenGrant): string {
    const claims = {
      iss: issuer,
      sub: subject,
      aud: audience,
      exp: expiresAt,
      iat: issuedAt,
      jti: id ?? randomUUID(),
      client_id: clientId,
      ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
      ...more,
    };
    return library().sign(claims, this.keys().privateKey, {
      algorithm: SIGNING_ALGORITHM,
      header: { alg: SIGNING_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid: this.keys().id },
    });
  }

  byKey(key: string): KnownCaller | undefined {
    const judgement = this.judge(key);
    return judgement?.kind === 'good' && !this.revoked.has(judgement.id) ? judgement.caller : undefined;
  }

  whyUnknown(key: string): string | undefined {
    const judgement = this.judge(key);
    if (judgement === undefined) return undefined;
    return judgement.kind === 'bad' ? judgement.why : 'The token was revoked';
  }

  /** @returns its `jti`, of a token that was signed here; `undefined` for every other text */
  idOf(token: string): string | undefined {
    const judgement = this.judge(token);
    return judgement?.kind === 'good' ? judgement.id : undefined;
  }

  revokeToken(token: string): void {
    const id = this.idOf(token);
    if (id !== undefined) this.revoke(id);
  }

  /** @param id - the `jti` of a token */
  revoke(id: string): void {
    this.revoked.add(id);
    const [oldest] = this.revoked.size > MOST_REMEMBERED ? this.revoked : [];
    if (oldest !== undefined) this.revoked.delete(oldest);
  }

  /** @returns `undefined` for a text that is no JSON Web Token */
  private judge(text: string): Judgement | undefined {
    const known = this.judged.get(text);
    if (known !== undefined || !JWT.test(text)) return known;
    const judgement = this.look(text);
    if (this.judged.size >= MOST_REMEMBERED) this.judged.clear();
    if (judgement !== undefined) this.judged.set(text, judgement);
    return judgement;
  }

  private look(text: string): Judgement | undefined {
    const { decode, verify } = library();
    const decoded = decode(text, { complete: true });
    if (decoded === null) return undefined;
    const { alg, typ } = decoded.header;
    if (alg === 'none') return bad('The token is not signed: its header says "alg": "none"');
    if (alg !== SIGNING_ALGORITHM)
      return bad(`The token is signed by ${alg}; this issuer signs by ${SIGNING_ALGORITHM}`);
    const options = { algorithms: [SIGNING_ALGORITHM], ignoreExpiration: true, ignoreNotBefore: true } as const;
    let claims: JsonWebToken.JwtPayload;
    try {
      claims = verify(text, this.keys().publicKey, {
        ...options,
        algorithms: [...options.algorithms],
      }) as typeof claims;
    } catch {
      return bad('The token was not signed by this issuer');
    }
    if (typ?.toLowerCase() !== ACCESS_TOKEN_TYPE)
      return bad('This is an ID token, which tells a client who signed in; send the access token');
    return this.callerOf(claims);
  }

  private callerOf({ iss, sub, aud = [], exp, jti = '', scope }: JsonWebToken.JwtPayload): Judgement {
    const wanted = [aud].flat();
    const own = [...(iss === undefined ? [] : [originOf(iss)]), ...this.audiences()];
    if (!wanted.some((each) => own.some((name) => isSameAudience(each, name))))
      return bad(`The token is for ${wanted.join(' and ')}; this API is ${own.join(' or ')}`);
    const scopes = new Set(typeof scope === 'string' ? scope.split(' ') : []);
    const expiresAt = exp === undefined ? undefined : exp * 1000;
    return { kind: 'good', id: jti, caller: { principal: sub, scopes, expiresAt } };
  }
}

const bad = (why: string): Judgement => ({ kind: 'bad', why });

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}

/** A slash at the end means nothing. */
function isSameAudience(one: string, other: string): boolean {
  return one.replace(/\/+$/, '') === other.replace(/\/+$/, '');
}
