import { LIST_CONVENTIONS } from '../../src/lists/registry';

test('each convention has an id of its own', () => {
  const ids = LIST_CONVENTIONS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  ['limit', 'integer', 'counts'],
  ['page', 'integer', 'page-number'],
  ['skip', 'integer', 'offset'],
  ['pagetoken', 'string', 'cursor'],
  ['orderby', 'any', 'selection'],
  ['pagenumber', 'integer', 'json-api'],
])('the parameter %s of type %s is one of the convention %s alone', (name, type, id) => {
  const found = LIST_CONVENTIONS.filter(({ parameters = [] }) =>
    parameters.some(([pattern, wanted]) => wanted === type && pattern.test(name)),
  );
  expect(found.map((convention) => convention.id)).toStrictEqual([id]);
});

test.each([
  ['total', 'number', 'counts'],
  ['next', 'number', 'page-number'],
  ['next', 'string', 'links'],
  ['first', 'string', 'links'],
  ['first', 'boolean', 'spring'],
  ['nextcursor', 'string', 'cursor'],
])('the property %s of type %s is one of the convention %s alone', (name, type, id) => {
  const found = LIST_CONVENTIONS.filter(({ pageProperties = [] }) =>
    pageProperties.some(([pattern, wanted]) => wanted === type && pattern.test(name)),
  );
  expect(found.map((convention) => convention.id)).toStrictEqual([id]);
});

test('what is told in a property of each role stands in one convention', () => {
  const roles = LIST_CONVENTIONS.flatMap(({ pageProperties = [], nestedProperties = [], headers = {} }) => [
    ...pageProperties.map(([, , role]) => role),
    ...nestedProperties.map(([, role]) => role),
    ...Object.values(headers).filter((told) => typeof told === 'string'),
  ]);
  for (const role of new Set(roles)) {
    expect([role, LIST_CONVENTIONS.filter(({ values }) => values?.[role] !== undefined).length]).toStrictEqual([
      role,
      1,
    ]);
  }
});

test.each([
  ['link', 'headers'],
  ['contentrange', 'headers'],
  ['xtotalcount', 'counts'],
])('the header %s is one of the convention %s alone', (name, id) => {
  const found = LIST_CONVENTIONS.filter(({ headers = {} }) => Object.hasOwn(headers, name));
  expect(found.map((convention) => convention.id)).toStrictEqual([id]);
});
