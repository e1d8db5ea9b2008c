import type { Adapter, AdapterPayload } from 'oidc-provider' with { 'resolution-mode': 'import' };
import type { AccessTokens } from './access-tokens';
import { invitedClient } from './clients';

/** Something that the issuer remembers, with the time from which on it does not. */
interface Stored {
  readonly payload: AdapterPayload;
  /** Epoch milliseconds of the mock's clock; `undefined` for what does not end. */
  readonly endsAt: number | undefined;
}

/** Sessions, codes and tokens of each kind; oldest first out. */
const MOST_STORED = 10_000;
const TOKENS: ReadonlySet<string> = new Set(['AccessToken', 'ClientCredentials']);

/**
 * What the issuer remembers: sign-ins that go on, codes, tokens. It ends by the clock of the mock, while the library of the
 * issuer looks at the real one: what it is given ends after as long as is left.
 */
export class GrantStore {
  private readonly stored = new Map<string, Stored>();
  private readonly tokens: AccessTokens;
  private readonly now: () => number;

  /** @param now - the mock's clock, in epoch milliseconds */
  constructor(tokens: AccessTokens, now: () => number) {
    this.tokens = tokens;
    this.now = now;
  }

  /** @param kind - what the library calls it: `Session`, `AuthorizationCode`, … */
  adapterFor(kind: string): Adapter {
    const isToken = TOKENS.has(kind);
    const keyOf = (id: string): string => `${kind}:${(isToken ? this.tokens.idOf(id) : undefined) ?? id}`;
    const found = (id: string | undefined): AdapterPayload | undefined =>
      id === undefined ? undefined : this.read(keyOf(id));
    // The library asks for promises, and takes an `undefined` for what is not there.
    const later = <Value>(value: Value): Promise<Value> => Promise.resolve(value);
    return {
      upsert: (id, payload, expiresIn) => {
        this.write(keyOf(id), payload, expiresIn);
        return later(undefined);
      },
      find: (id) => later(kind === 'Client' ? invitedClient(id) : found(id)),
      findByUid: (uid) => later(this.search(kind, (payload) => payload.uid === uid)),
      findByUserCode: (code) => later(this.search(kind, (payload) => payload.userCode === code)),
      consume: (id) => {
        const key = keyOf(id);
        const entry = this.stored.get(key);
        if (entry !== undefined)
          this.stored.set(key, { ...entry, payload: { ...entry.payload, consumed: seconds(Date.now()) } });
        return later(undefined);
      },
      destroy: (id) => {
        this.remove(keyOf(id), isToken);
        return later(undefined);
      },
      revokeByGrantId: (grantId) => {
        for (const [key, { payload }] of this.stored)
          if (key.startsWith(`${kind}:`) && payload.grantId === grantId) this.remove(key, isToken);
        return later(undefined);
      },
    };
  }

  private write(key: string, payload: AdapterPayload, expiresIn: number | undefined): void {
    // Taken out first, so that what is written again is the newest.
    this.stored.delete(key);
    const endsAt = expiresIn !== undefined && expiresIn > 0 ? this.now() + expiresIn * 1000 : undefined;
    this.stored.set(key, { payload, endsAt });
    const [oldest] = this.stored.size > MOST_STORED ? this.stored.keys() : [];
    if (oldest !== undefined) this.stored.delete(oldest);
  }

  private read(key: string): AdapterPayload | undefined {
    const entry = this.stored.get(key);
    if (entry === undefined) return undefined;
    const { payload, endsAt } = entry;
    if (endsAt === undefined) return payload;
    const left = endsAt - this.now();
    if (left > 0) return { ...payload, exp: seconds(Date.now() + left) };
    this.stored.delete(key);
    return undefined;
  }

  private search(kind: string, isWanted: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const [key, { payload }] of this.stored)
      if (key.startsWith(`${kind}:`) && isWanted(payload)) return this.read(key);
    return undefined;
  }

  private remove(key: string, isToken: boolean): void {
    const jti = this.stored.get(key)?.payload.jti;
    if (isToken && jti !== undefined) this.tokens.revoke(jti);
    this.stored.delete(key);
  }
}

function seconds(epochMs: number): number {
  return Math.floor(epochMs / 1000);
}
