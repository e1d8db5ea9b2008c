import { joinPointer } from '../../core/json/json-pointer';
import type { JsonObject } from '../../core/json/json-value';

/**
 * A contract as it is made from traffic: the value that its file has, and the comments that stand beside it. Writing and
 * merging work on this; nothing in it is a secret.
 */
export interface ContractDraft {
  /** The whole file: `standin`, `name`, `variables`, `env`, `setup`, `steps`, `cleanup`, in this order. */
  readonly value: JsonObject;
  /** Lines before everything, without `#`. */
  readonly header: readonly string[];
  /** Why something is as it is, in the order of the file. */
  readonly comments: readonly DraftComment[];
}

export interface DraftComment {
  /** JSON pointer to what it is about: a step, or a property of one; it stands on lines of its own before that. */
  readonly pointer: string;
  /** Without `#`; may have several lines. */
  readonly text: string;
}

/** In the order of the file; several of one place become one. */
export function commentsInOrder(comments: readonly DraftComment[]): DraftComment[] {
  const byPlace = new Map<string, string[]>();
  for (const { pointer, text } of comments) byPlace.set(pointer, [...(byPlace.get(pointer) ?? []), text]);
  return [...byPlace].map(([pointer, texts]) => ({
    pointer,
    text: texts.toSorted((one) => (one.startsWith('—') ? -1 : 1)).join('\n'),
  }));
}

/** Comments of a step, which name its properties, as those of the whole file. */
export function commentsAt(
  at: string,
  comments: readonly { readonly property: string; readonly text: string }[],
): DraftComment[] {
  return comments.map(({ property, text }) => ({ pointer: property === '' ? at : joinPointer(at, property), text }));
}
