import { hintFindings } from '../../src/resources/overrides/hint-findings';
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

test('those of events are told as well, and what is right is not', () => {
  const sent = (hint: string): string => `post: { x-standin: ${hint}, responses: { '200': { description: ok } } }`;
  const text = description({}).replace('3.0.3', '3.1.0');
  const webhooks = `
webhooks:
  good: { ${sent('{ sent: created, resource: /books }')} }
  never: { x-standin: false, ${sent('{ sent: removed, resource: /books }')} }
  mistyped: { ${sent('{ sendt: created, resource: /books }')} }
  unknown: { ${sent('{ sent: creates, resource: /books }')} }
`;
  expect(hintFindings(loadText(`${text}${webhooks}`).api).map(({ message, hint }) => [message, hint])).toEqual([
    ['x-standin has no "sendt" here', 'Did you mean "sent"?'],
    ['Nothing is sent when something is "creates"', 'Did you mean "created"?'],
  ]);
});
