import type { Broken, JudgingKeyword } from './judging-keyword';
import { compilePattern } from './pattern/compile-pattern';

/** `pattern`, where the engine of Node alone could be kept busy for ever. */
export const exactPatternKeyword: JudgingKeyword<readonly [string]> = {
  keyword: 'exactPattern',
  schemaType: 'array',
  judge([source]) {
    const pattern = compilePattern(source);
    const message = `must match the pattern ${source}`;
    const differs: Broken = { brokenKeyword: 'pattern', message };
    const why = 'this one would take too long to tell';
    const undecided: Broken = { brokenKeyword: 'pattern', message: `${message}; ${why}` };
    return (value) => {
      if (typeof value !== 'string') return undefined;
      const verdict = pattern.judge(value);
      if (verdict === 'matches') return undefined;
      return verdict === 'differs' ? differs : undecided;
    };
  },
};
