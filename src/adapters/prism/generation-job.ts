import type { ResponseDocument } from './response-document';

/**
 * How a body is made: at random with every optional member, at random with the required ones alone, or by Prism's
 * static generator, which takes the same value for each type.
 */
export type Strategy = 'full' | 'required-only' | 'static';

/** What the worker is asked for. Plain data: it is cloned on its way. */
export interface GenerationJob {
  readonly document: ResponseDocument;
  readonly strategy: Strategy;
  /** The same seed and document give the same body. */
  readonly seed: string;
}

/** What the worker says: that Prism is loaded, once, then an answer for each job. */
export type WorkerMessage = { readonly kind: 'ready' } | GenerationAnswer;

export type GenerationAnswer =
  /** JSON text, so that nothing but JSON can come over. */
  { readonly kind: 'made'; readonly text: string } | { readonly kind: 'refused'; readonly reason: string };
