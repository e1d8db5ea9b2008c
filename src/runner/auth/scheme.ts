import type { RawHeaders } from '../../http/message';

/** The part of a request that says who is asking, or pretends to. */
export interface RequestCredentials {
  readonly headers: RawHeaders;
  /** Pairs of the query, percent-encoded, such as `access_token=abc`. */
  readonly query: readonly string[];
}

/** How a request that is meant to be refused differs from one with the right key. */
export type Disguise = 'none' | 'invalid' | 'malformed' | 'empty' | 'doubled' | 'lower-case' | 'query';

/** What credentials are made from. */
export interface KeyMaterial {
  /** A key that is let in; `undefined` when none was given. */
  readonly key: string | undefined;
  readonly runId: string;
}

/** What must become of a request with such credentials. */
export type ProbeExpectation =
  /** 401. */
  | 'refused'
  /** 401, or 400 where the operation documents it. */
  | 'refused-or-malformed'
  /** 401, or a refusal of the method: who has no HEAD need not look at the key. */
  | 'not-let-in'
  /** Anything documented but a refusal. */
  | 'accepted';

/** One way to come with credentials that are not the right ones, or that look unusual and are right. */
export interface ProbeKind {
  /** Goes on after the name of an operation: `with an empty key`. */
  readonly title: string;
  readonly expects: ProbeExpectation;
  /**
   * Why a service that lets it in breaks no rule, for people; that is told as a warning then. `undefined` where one does.
   */
  readonly advice?: string | undefined;
  /** Does it put the right key into the URL? */
  readonly isInUrl?: boolean | undefined;
  /** Is one read of each scheme enough, because it tells how keys are compared and not where? */
  readonly isOnce?: boolean | undefined;
  /** @returns `undefined` where the kind needs a key and there is none that is fit for it */
  readonly credentials: (material: KeyMaterial) => RequestCredentials | undefined;
}

/** Everything that the runner knows about a type of security scheme: a type to add is one more of these. */
export interface CredentialScheme {
  /** Credentials that are let in. */
  authenticate(key: string): RequestCredentials;
  /** @param key - needed by `doubled`, `lower-case` and `query` alone */
  disguise(disguise: Disguise, key: string, runId: string): RequestCredentials;
  readonly kinds: readonly ProbeKind[];
  /** Lower-case names of the headers that hold credentials. */
  readonly headerNames: readonly string[];
  /** Names of the pairs of the query, and of the cookies, that do. */
  readonly queryNames: readonly string[];
  readonly cookieNames: readonly string[];
}

export const NO_CREDENTIALS: RequestCredentials = { headers: [], query: [] };
