import { lintDocument } from '../../src/openapi/load-document';
import { readSource } from '../../src/openapi/read/read-source';
import { SchemaRegistry } from '../../src/openapi/schemas/schema-registry';

test('patterns that only a clock can stop are warned of, and no others', () => {
  const document = readSource(
    [
      'openapi: 3.0.3',
      'components:',
      '  schemas:',
      "    Bad: { type: object, properties: { a: { pattern: '^(a+)+\\1$' } } }",
      "    Slow: { pattern: '^(a+)+$' }",
      "    Fine: { pattern: '^(?=.*[A-Z]).{8,}$' }",
      "    None: { pattern: '(' }",
    ].join('\n'),
    'openapi.yaml',
  );
  const findings = lintDocument(document, new SchemaRegistry(document));
  expect(findings.filter(({ rule }) => rule === 'pattern-bounded')).toMatchObject([
    { rule: 'pattern-bounded', severity: 'warning', pointer: '/components/schemas/Bad/properties/a', line: 4 },
  ]);
});
