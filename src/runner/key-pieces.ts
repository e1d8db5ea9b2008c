import type { KeyForm } from './key-forms';

/** Marks of a place where a text was cut; `…` as the bytes of its UTF-8 form. */
const MARK = /\u00e2\u0080\u00a6|\.\.\./g;
/** An escape that lost its end. */
const BROKEN_END = /(?:%(?:25)*[\da-f]?|\\(?:u[\da-f]{0,3}|x[\da-f]?)?|&(?:#x?)?[\da-z]{0,7})$/i;
/** What is left of an escape that lost its beginning. */
const BROKEN_START = /^(?:[\da-z]{1,7};|[\da-f]{1,3})/i;

/** Where a beginning of the key stands before a cut, or an end of it after one: from and to, in bytes. */
export function piecesAtCuts(text: string, form: KeyForm): (readonly [number, number])[] {
  const pieces: (readonly [number, number])[] = [];
  const { core, shortestPiece } = form;
  if (!text.includes(core.slice(0, shortestPiece)) && !text.includes(core.slice(-shortestPiece))) return pieces;
  for (const { index, 0: mark } of text.matchAll(MARK)) {
    const left = text.slice(Math.max(0, index - core.length - 16), index);
    const before = beginningAt(left, form);
    if (before !== undefined) pieces.push([index - before, index]);
    const right = text.slice(index + mark.length, index + mark.length + core.length + 16);
    const after = endingAt(right, form);
    if (after !== undefined) pieces.push([index + mark.length, index + mark.length + after]);
  }
  return pieces;
}

/** @returns how many bytes before the cut are a piece */
function beginningAt(left: string, { core, shortestPiece }: KeyForm): number | undefined {
  const broken = BROKEN_END.exec(left)?.[0].length ?? 0;
  for (const lost of broken === 0 ? [0] : [0, broken]) {
    const kept = left.slice(0, left.length - lost);
    for (let length = Math.min(core.length - 1, kept.length); length >= shortestPiece; length--) {
      if (kept.endsWith(core.slice(0, length))) return length + lost;
    }
  }
  return undefined;
}

/** @returns how many bytes after the cut are a piece */
function endingAt(right: string, { core, shortestPiece }: KeyForm): number | undefined {
  const broken = BROKEN_START.exec(right)?.[0].length ?? 0;
  for (let lost = 0; lost <= broken; lost++) {
    for (let length = Math.min(core.length - 1, right.length - lost); length >= shortestPiece; length--) {
      if (right.startsWith(core.slice(-length), lost)) return length + lost;
    }
  }
  return undefined;
}
