import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseHurl } from './hurl-grammar';
import { CORE, exported, exportedFile, lostOf, SHOP } from './shop';

const FULL = join(CORE, '../full');
const FILES = [CORE, FULL].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));

test.each(FILES.map((file) => file.slice(CORE.length - 'core'.length)))(
  '%s is written as the grammar has it',
  (name) => {
    const result = exportedFile('hurl', join(CORE, '..', name));
    expect(parseHurl(result.text).length).toBeGreaterThan(0);
  },
);

test('an entry for each step: what it sends, captures and asserts', () => {
  const entries = parseHurl(exported('hurl', SHOP).text);
  expect(entries.map(({ method, url, status }) => `${method} ${url} ${status}`)).toStrictEqual([
    'POST {{BASE_URL}}/categories 201',
    'POST {{BASE_URL}}/pets 201',
    'GET {{BASE_URL}}/pets/{{petId}} 200',
    'GET {{BASE_URL}}/pets/{{petId}} 401',
    'DELETE {{BASE_URL}}/pets/{{petId}} *',
    'DELETE {{BASE_URL}}/categories/{{categoryId}} *',
  ]);
  const [category, pet, read, stranger, removal] = entries;
  expect(category).toMatchObject({
    body: '{"name":"Dogs {{runId}}"}',
    captures: ['categoryId: jsonpath "$.id"'],
    asserts: ['jsonpath "$.name" == "Dogs {{runId}}"'],
  });
  // The description says that an id is a number: it stands without quotes.
  expect(pet).toMatchObject({ body: `{"name":"O'Neil #1","categoryId":{{categoryId}}}` });
  expect(pet?.asserts).toStrictEqual(['header "Location" matches /\\/pets\\/[0-9]+$/']);
  expect(read?.asserts).toStrictEqual([
    'jsonpath "$.id" == {{petId}}',
    `jsonpath "$.name" == "O'Neil #1"`,
    'jsonpath "$.status" matches /^(available|pending)$/',
    'jsonpath "$.photo" not exists',
  ]);
  expect(stranger?.headers.map(([name]) => name)).not.toContain('Authorization');
  expect(removal?.asserts).toStrictEqual(['status toString matches /^(204|404)$/']);
});

test('comments, templates and escapes of a text are no comments, templates and escapes', () => {
  const contract = `
standin: contract/1
name: 'Texts {{odd}} # and more'
steps:
  - name: 'a # name'
    operation: createPet
    headers: { X-Text: 'a # b \\ {{c}}' }
    body: { name: '{{x}} # \\ "y"', categoryId: 1 }
    expect: { status: 201, body: { name: '{{x}} # \\ "y"' } }
  - name: text
    operation: createPet
    text: "{{\`#\\\\\\n"
    expect: { status: 400 }
`;
  const [first, second] = parseHurl(exported('hurl', contract).text);
  expect(first?.headers).toContainEqual(['X-Text', String.raw`a \# b \\ {\u{7b}c}}`]);
  expect(JSON.parse(first?.body ?? '')).toStrictEqual({ name: '{{x}} # \\ "y"', categoryId: 1 });
  expect(second?.body).toBe('`{\\u{7b}\\`\\#\\\\\\u{a}`');
});

test('what Hurl has no word for is told', () => {
  const contract = `
standin: contract/1
name: Lists
steps:
  - name: all
    operation: listPets
    expect: { status: 200, body: { $each: { id: { $type: integer } } }, headers: { Link: { $optional: x } } }
  - name: own
    operation: listPets
    expect: { status: 200, body: { $contains: 1, $unlessItems: 20 } }
`;
  expect(lostOf(exported('hurl', contract))).toStrictEqual([
    'all: expect.body $: $each',
    'all: expect.headers Link the whole: $optional',
    'own: expect.body $: $contains',
  ]);
});
