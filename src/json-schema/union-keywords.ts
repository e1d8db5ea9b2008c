import { enumMessage } from './exact-keywords';
import type { Broken, JudgingKeyword } from './judging-keyword';

/** Refuses every value: the schema `false` (JSON Schema Core §4.3.2). With `false` it refuses none. */
export const neverKeyword: JudgingKeyword<boolean> = {
  keyword: 'exactNever',
  schemaType: 'boolean',
  judge(refuses) {
    const broken: Broken = { brokenKeyword: 'false', message: 'must not be there: no value is allowed here' };
    return () => (refuses ? broken : undefined);
  },
};

/** Stands where a `oneOf` or `anyOf` has failed already. */
export const unionKeyword: JudgingKeyword<readonly ['oneOf' | 'anyOf']> = {
  keyword: 'exactUnion',
  schemaType: 'array',
  judge([keyword]) {
    const many = keyword === 'oneOf' ? 'exactly one schema' : 'at least one schema';
    const broken: Broken = { brokenKeyword: keyword, message: `must match ${many} of "${keyword}"` };
    return () => broken;
  },
};

interface Hint {
  readonly keyword: 'oneOf' | 'anyOf';
  readonly property: string;
  readonly values: readonly string[];
}

/** Stands where a `oneOf` or `anyOf` has failed, and the value does not name the branch that it is meant for. */
export const hintKeyword: JudgingKeyword<Hint> = {
  keyword: 'exactHint',
  schemaType: 'object',
  judge({ keyword, property, values }) {
    const message = `must say in "${property}" what it is: ${enumMessage(values).replace(/^must be /, '')}`;
    const broken: Broken = { brokenKeyword: keyword, message };
    return () => broken;
  },
};
