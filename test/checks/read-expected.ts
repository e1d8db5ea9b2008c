import { FormatJudge } from '../../src/formats/member-reader';
import type { Matcher } from '../../src/formats/matcher';
import { readMatcher } from '../../src/formats/read-matcher';
import type { JsonValue } from '../../src/json/json-value';
import { readSource } from '../../src/openapi/read-source';

/** What a contract expects, read as `expect.body` is, or as a header. Throws when it is refused. */
export function readExpected(value: JsonValue, isText = false): Matcher {
  const judge = new FormatJudge(readSource('a: 1', 'c.yaml'), 'contract-format');
  const matcher = readMatcher({ value, pointer: '' }, { judge, isText, isGiven: false });
  if (matcher === undefined || judge.findings.length > 0) throw new Error(JSON.stringify(judge.findings));
  return matcher;
}
