import { joinPointer } from './json-pointer';

/** What is wrong with an operation of a patch. */
export type PatchFaultKind = 'malformed' | 'conflict' | 'too-large';

export class PatchFault extends Error {
  readonly kind: PatchFaultKind;

  /** @param reason - the rest of a sentence about the operation */
  constructor(kind: PatchFaultKind, reason: string) {
    super(reason);
    this.name = 'PatchFault';
    this.kind = kind;
  }
}

/** A path as the pointer that it was read from; a long one is cut. */
export function shownPath(path: readonly string[]): string {
  const pointer = path.reduce(joinPointer, '');
  return pointer.length > 200 ? `${pointer.slice(0, 200)}…` : pointer;
}
