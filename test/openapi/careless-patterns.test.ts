import { carelessPatterns } from '../../src/openapi/careless-patterns';
import { readSource } from '../../src/openapi/read-source';
import { visitedObjects } from '../../src/openapi/visit-objects';

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
  expect(carelessPatterns(document, visitedObjects(document))).toMatchObject([
    { rule: 'pattern-bounded', severity: 'warning', pointer: '/components/schemas/Bad/properties/a', line: 4 },
  ]);
});
