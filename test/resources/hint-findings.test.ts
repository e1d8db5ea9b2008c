import { hintFindings } from '../../src/resources/overrides/statements';
import { description, loadText } from '../openapi/load-text';

test('mistyped names in x-standin are told with their place, and what was probably meant', () => {
  const get = (hint: string): string => `get: { x-standin: ${hint}, responses: { '200': { description: ok } } }`;
  const paths = `
  /books: { x-standin: { kee: isbn }, ${get('{ behaviour: lists }')} }
  /authors: { x-standin: { key: name }, ${get('false')} }`;
  expect(hintFindings(loadText(description({ paths })).api)).toMatchObject([
    { rule: 'hint-known', severity: 'warning', line: 4, hint: 'Did you mean "key"?' },
    { rule: 'hint-known', severity: 'warning', line: 4, hint: 'Did you mean "list"?' },
  ]);
});
