import { MAX_DEPTH, parseJson } from '../json/parse-json';
import { exactConstKeyword, exactEnumKeyword, exactTypeKeyword, exactUniqueItemsKeyword } from './exact-keywords';
import type { Judge, JudgingKeyword } from './judging-keyword';
import { exactNumberKeyword } from './number-keyword';
import { exactPatternKeyword } from './pattern-keyword';
import { hintKeyword, neverKeyword, unionKeyword } from './union-keywords';

/** Keywords of our own that a translated schema may have. */
export const EXACT_KEYWORDS: readonly JudgingKeyword[] = [
  exactTypeKeyword,
  exactNumberKeyword,
  exactEnumKeyword,
  exactConstKeyword,
  exactUniqueItemsKeyword,
  exactPatternKeyword,
  neverKeyword,
  unionKeyword,
  hintKeyword,
];

/**
 * The judge of a keyword, made from the text of its operand.
 *
 * @param operand - exact JSON
 */
export function judgeOf(name: string, operand: string): Judge {
  const found = EXACT_KEYWORDS.find(({ keyword }) => keyword === name);
  if (found === undefined) throw new Error(`there is no keyword ${name}`);
  return found.judge(parseJson(operand, { maxDepth: MAX_DEPTH }) as never);
}
