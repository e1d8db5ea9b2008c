import {
  isSameSegment,
  lastLiteral,
  parseTemplate,
  pathText,
  variablesOf,
} from '../../../src/openapi/view/path-template';

test.each([
  ['/users/{id}', '/users/{}', ['id'], 'users'],
  ['/users/{id}/', '/users/{}', ['id'], 'users'],
  ['/users/{id}.json', '/users/{}', ['id'], 'users'],
  ['/users/{id}.{format}', '/users/{}', ['id'], 'users'],
  ['/users/{id}:cancel', '/users/{}/cancel', ['id'], 'cancel'],
  ['/users:search', '/users/search', [], 'search'],
  ["/Users('{id}')/Friends({friend})", '/Users/{}/Friends/{}', ['id', 'friend'], 'Friends'],
  ['/', '', [], ''],
])('%s is %s', (path, shape, variables, literal) => {
  const template = parseTemplate(path)!;
  expect([template.shape, variablesOf(template.segments), lastLiteral(template.segments)]).toEqual([
    shape,
    variables,
    literal,
  ]);
});

test.each(['/{base}...{head}', '/files/{name', '/a/{x}-{y}/b'])('%s names no item', (path) => {
  expect(parseTemplate(path)).toBeUndefined();
});

test('a variable is the same as any other variable, and as no literal', () => {
  const [variable, other, me, you] = parseTemplate('/{id}/{name}/me/you')!.segments;
  expect(isSameSegment(variable!, other)).toBe(true);
  expect(isSameSegment(variable!, me)).toBe(false);
  expect(isSameSegment(me!, variable)).toBe(false);
  expect(isSameSegment(me!, me)).toBe(true);
  expect(isSameSegment(me!, you)).toBe(false);
  expect(isSameSegment(variable!, undefined)).toBe(false);
});

test('segments are written as a path again', () => {
  expect(pathText(parseTemplate('/users/{id}:cancel')!.segments)).toBe('/users/{id}/cancel');
});
