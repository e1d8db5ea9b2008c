import type { HttpRequest } from '../../http/message';

/** What was seen of a write that was rejected. */
export type Effect =
  | { readonly kind: 'none' }
  /** Nothing can be said; `reason` goes on after "its effect cannot be seen: ". */
  | { readonly kind: 'unseen'; readonly reason: string }
  /** It was done all the same: what there was, and what there is now; `hint`: what else to know. */
  | { readonly kind: 'changed'; readonly before: string; readonly after: string; readonly hint?: string | undefined };

/** A write to be sent without a key, and a way to see whether it was done. */
export interface Watch {
  readonly request: HttpRequest;
  /** To be called once the request was answered. */
  readonly look: () => Promise<Effect>;
}

/** A watch that sees nothing. */
export function blindWatch(request: HttpRequest, reason: string): Watch {
  return { request, look: () => Promise.resolve({ kind: 'unseen', reason }) };
}
