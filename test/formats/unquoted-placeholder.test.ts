import { explainUnquotedPlaceholders } from '../../src/formats/contract/placeholders';
import type { SourceFinding } from '../../src/core/errors/standin-error';
import { readSource } from '../../src/openapi/read/read-source';
import { thrownBy } from '../openapi/load-text';

function explain(text: string): SourceFinding[] {
  return explainUnquotedPlaceholders(text, thrownBy(() => readSource(text, 'contract.yaml')).findings);
}

test.each([
  ['a flow mapping', 'a: { petId: ${petId} }\nb: 1\n', 1, 14, '${petId}'],
  ['a flow mapping with more', 'a: { petId: ${petId}, b: 1 }\n', 1, 14, '${petId}'],
  ['a flow sequence', 'a: [ ${petId} ]\n', 1, 7, '${petId}'],
  ['a mapping in a mapping', "a: { body: { petId: ${petId} } }\nb: '${x}'\n", 1, 22, '${petId}'],
  ['a mapping of several lines', 'a: {\r\n  petId: ${petId}\r\n}\r\nb: 1\r\n', 2, 11, '${petId}'],
  ['a longer value', "a: '${b}'\nc: { d: '${b}', path: /pets/${petId}/x }\n", 2, 30, '/pets/${petId}/x'],
  ['a URL', 'a: { d: http://a/${b} }\n', 1, 19, 'http://a/${b}'],
  ['two in one value', 'a: { d: ${b}-${c} }\n', 1, 10, '${b}-${c}'],
])('an unquoted placeholder in %s is the one fault, and the hint is to quote it', (_, text, line, column, value) => {
  expect(explain(text)).toStrictEqual([
    {
      rule: 'yaml-syntax',
      severity: 'error',
      file: 'contract.yaml',
      pointer: '',
      line,
      column,
      message: expect.stringContaining('no quotes'),
      expected: `'${value}'`,
      hint: `Quote the whole value: '${value}'`,
    },
  ]);
});

test('every one of them is told, as far as the parser comes', () => {
  const findings = explain('a:\n  - { b: ${c} }\nd:\n  - { e: ${f} }\n');
  expect(findings[0]?.hint).toContain("'${c}'");
  for (const { hint } of findings) expect(hint).toMatch(/^Quote/);
});

test.each(['a: { b: c\n', "a: '${b}\n", 'a: ${b}\n\tc: 1\n', 'a: { ${b: 1 }\n'])(
  'what else is wrong in %j stays as the parser says it',
  (text) => {
    expect(explain(text)).toStrictEqual(thrownBy(() => readSource(text, 'contract.yaml')).findings);
  },
);
