import type { PathTemplate } from './path-template';

/**
 * What an operation does in the plain words of HTTP: which method at which place. Most paths say it themselves;
 * `POST /things/create` is `POST /things`, `GET /things/{id}/json` is `GET /things/{id}`, `/thing/{id}` beside `/things` is
 * `/things/{id}`, and `POST /thing/get {thing_id}` is `GET /thing/{thing_id}`.
 */
export interface Reading {
  readonly method: string;
  readonly template: PathTemplate;
  /** Variables of the template that stand elsewhere than in the path. */
  readonly elsewhere: ReadonlyMap<string, Elsewhere>;
  /** For people: why it is not read as it is written; `undefined` where it is. */
  readonly reason: string | undefined;
}

/**
 * Where the value of a variable stands that is not in the path: a member of the body, a query parameter, or a member of
 * the record of whoever asks.
 */
export type Elsewhere =
  | { readonly in: 'body' | 'query'; readonly name: string }
  | { readonly in: 'caller'; readonly name: string; /** Path of the record. */ readonly record: string };
