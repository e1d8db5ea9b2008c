/**
 * The candidate that a mistyped name probably meant.
 *
 * Written here because the packages that measure the edit distance are ESM-only or no longer kept, and twenty lines
 * do it. @returns `undefined` when nothing is near: more than a third of the letters differ
 */
export function similarName(name: string, candidates: readonly string[]): string | undefined {
  return nearest(name, candidates, Math.max(1, Math.floor(name.length / 3)));
}

/** A hint for a mistyped name; `undefined` when no candidate is near. */
export function didYouMean(name: string, candidates: readonly string[]): string | undefined {
  const near = similarName(name, candidates);
  return near === undefined ? undefined : `Did you mean "${near}"?`;
}

function nearest(name: string, candidates: readonly string[], mostEdits: number): string | undefined {
  let best: string | undefined;
  let bestDistance = mostEdits + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/**
 * The candidate that a name is beyond doubt a slip of: case, hyphens and underscores aside it is the same, or one slip of
 * the hand away.
 */
export function typoOf(name: string, candidates: readonly string[]): string | undefined {
  const same = candidates.find((candidate) => candidate !== name && folded(candidate) === folded(name));
  if (same !== undefined || name.length < SHORTEST_TYPO) return same;
  const near = candidates.filter((candidate) => editDistance(name.toLowerCase(), candidate.toLowerCase()) === 1);
  return near.length === 1 ? near[0] : undefined;
}

/** In shorter names one letter makes another word. */
const SHORTEST_TYPO = 4;

function folded(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

/**
 * The one of a few allowed words that is nearest to a value: the only one that it begins, as `int` does, else one that
 * differs in no more than half of its letters.
 */
export function nearestWord(value: string, words: readonly string[]): string | undefined {
  const begun = words.filter((word) => value.length > 2 && word.toLowerCase().startsWith(value.toLowerCase()));
  return begun.length === 1 ? begun[0] : nearest(value, words, Math.max(1, Math.floor(value.length / 2)));
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours, each counted as one: the optimal string alignment
 * distance. A swap is the slip of the hand that Levenshtein's distance counts as two.
 */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const substitution = (last[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swap = isSwap ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity;
      current.push(Math.min(substitution, swap, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
