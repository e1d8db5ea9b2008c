import { isJsonObject, type JsonValue, ownProperty } from '../../../src/core/json/json-value';
import { type Answer, smallMock } from '../behaviours/small-mock';

const FILTER = `
      type: object
      required: [propertyName, operator]
      properties:
        propertyName: { type: string }
        operator: { type: string, enum: [EQ, NEQ, LT, GT, IN, BETWEEN, CONTAINS_TOKEN, HAS_PROPERTY, NOT_HAS_PROPERTY] }
        value: { type: string }
        highValue: { type: string }
        values: { type: array, items: { type: string } }`;

const crews = (group: string, holder: string): string => `paths:
  /crews:
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Crew' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Crew' } } } } }
    get:
      responses: { '200': { description: all, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Crew' } } } } } }
  /crews/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/Crew' } } } } }
  /crews/search:
    post:
      summary: Search crews
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [after, limit]
              properties:
                ${holder}: { type: array, items: { $ref: '#/components/schemas/Group' } }
                limit: { type: integer }
                after: { type: string, description: A paging cursor token }
      responses:
        '200':
          description: found
          content:
            application/json:
              schema:
                type: object
                properties:
                  total: { type: integer }
                  results: { type: array, items: { $ref: '#/components/schemas/Crew' } }
                  paging: { type: object, properties: { next: { type: object, properties: { after: { type: string } } } } }
components:
  schemas:
    Group: { type: object, properties: { ${group}: { type: array, items: { $ref: '#/components/schemas/Filter' } } } }
    Filter:${FILTER}
    Crew:
      type: object
      properties: { id: { type: string, readOnly: true }, properties: { type: object, additionalProperties: { type: string } } }
`;

async function search(
  groups: JsonValue[],
  { group = 'filters', holder = 'filterGroups' } = {},
): Promise<{ readonly names: string; readonly total: JsonValue | undefined }> {
  const { send } = smallMock(crews(group, holder));
  for (const [name, age] of [
    ['a', '5'],
    ['b', '20'],
    ['c', '31'],
    ['d', '44'],
  ])
    await send('POST', '/crews', { properties: name === 'd' ? { name } : { name: name!, age: age! } });
  const { body } = await send('POST', '/crews/search', { [holder]: groups, limit: 10, after: '0' });
  return { names: namesIn(body), total: isJsonObject(body) ? ownProperty(body, 'total') : undefined };
}

function namesIn(body: Answer['body']): string {
  const rows = isJsonObject(body) ? ownProperty(body, 'results') : [];
  return (rows as { properties: { name: string } }[]).map(({ properties }) => properties.name).join('');
}

const filter = (propertyName: string, operator: string, more: object = {}): JsonValue => ({
  propertyName,
  operator,
  ...more,
});

test.each<[string, JsonValue[][]]>([
  ['b', [[filter('name', 'EQ', { value: 'b' })]]],
  ['', [[filter('name', 'EQ', { value: 'x' })]]],
  ['acd', [[filter('name', 'NEQ', { value: 'b' })]]],
  ['ac', [[filter('name', 'IN', { values: ['a', 'c'] })]]],
  ['bc', [[filter('age', 'BETWEEN', { value: '20', highValue: '31' })]]],
  ['abc', [[filter('age', 'HAS_PROPERTY')]]],
  ['d', [[filter('age', 'NOT_HAS_PROPERTY')]]],
  ['', [[filter('name', 'EQ', { value: 'a' }), filter('age', 'EQ', { value: '20' })]]],
  ['ab', [[filter('name', 'EQ', { value: 'a' })], [filter('age', 'EQ', { value: '20' })]]],
  ['abcd', [[filter('name', 'EQ', { value: 'a' })], []]],
  ['abcd', []],
])('groups are alternatives, and all filters of a group hold: %s', async (names, groups) => {
  expect(await search(groups.map((filters) => ({ filters })))).toMatchObject({ names, total: names.length });
});

test.each([
  { group: 'conditions', holder: 'where' },
  { group: 'rules', holder: 'segments' },
])('whatever the groups are called: %j', async (named) => {
  const groups = [['a'], ['c']].map(([value]) => ({ [named.group]: [filter('name', 'EQ', { value: value! })] }));
  expect((await search(groups, named)).names).toBe('ac');
});
