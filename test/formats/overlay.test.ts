import { loadOverlay, withOverlays } from '../../src/files/load-rules-and-packs';
import { ConfigError } from '../../src/core/errors/standin-error';
import { readSource } from '../../src/openapi/read/read-source';
import { findingAt, locationAt } from '../../src/openapi/read/source-document';
import { temporaryFolder } from '../support/temporary-folder';
import { thrownBy } from '../openapi/load-text';

const folder = temporaryFolder();
const HEAD = "overlay: 1.0.0\ninfo: { title: Changes, version: '1' }\n";
const DOCUMENT = `paths:
  /books:
    get:
      tags: [books]
      parameters:
        - name: order
          schema: { type: string, enum: [up] }
  /old:
    get: {}
shared: &words [a, b]
again: *words
`;

function changed(actions: string, document = DOCUMENT): ReturnType<typeof withOverlays> {
  const overlay = loadOverlay(folder.write('overlay.yaml', `${HEAD}actions:\n${actions}`));
  return withOverlays(readSource(document, 'books.yaml'), [overlay]);
}

test('an update is merged into every object that the target finds, and added to a list', () => {
  const { document, findings } = changed(`  - target: $.paths[*].get
    update: { summary: Reads, tags: [changed] }
  - target: $..schema.enum
    update: down
`);
  expect(findings).toStrictEqual([]);
  expect(document.root).toMatchObject({
    paths: {
      '/books': {
        get: { summary: 'Reads', tags: ['books', 'changed'], parameters: [{ schema: { enum: ['up', 'down'] } }] },
      },
      '/old': { get: { summary: 'Reads', tags: ['changed'] } },
    },
  });
});

test('what is found is removed, of a list from the end on', () => {
  const { document } = changed(`  - target: $.paths['/old']
    remove: true
  - target: $.shared[*]
    remove: true
`);
  expect(Object.keys((document.root as { paths: object }).paths)).toStrictEqual(['/books']);
  // The same list by another name stays as it is.
  expect(document.root).toMatchObject({ shared: [], again: ['a', 'b'] });
});

test('the description that was read stays as it is', () => {
  const source = readSource(DOCUMENT, 'books.yaml');
  const before = JSON.stringify(source.root);
  const overlay = loadOverlay({
    overlay: '1.0.0',
    info: { title: 'Changes', version: '1' },
    actions: [{ target: '$.paths', update: { '/new': { get: {} } } }],
  });
  expect(JSON.stringify(withOverlays(source, [overlay]).document.root)).toContain('/new');
  expect(JSON.stringify(source.root)).toBe(before);
});

test('what an overlay wrote has its place there, all else where it was', () => {
  const { document } = changed(`  - target: $.paths['/books'].get
    update:
      summary: Reads
      parameters:
        - { name: more }
`);
  expect(locationAt(document, '/paths/~1books/get/summary')).toMatchObject({
    file: folder.file('overlay.yaml'),
    line: 6,
  });
  expect(locationAt(document, '/paths/~1books/get/parameters/1/name')).toMatchObject({ line: 8 });
  expect(locationAt(document, '/paths/~1books/get/parameters/0/name')).toMatchObject({ file: 'books.yaml', line: 6 });
  expect(findingAt(document, '/paths/~1old', { rule: 'r', message: 'm' })).toMatchObject({
    file: 'books.yaml',
    line: 8,
  });
});

test('a target that nothing fits is told, with its place', () => {
  const { findings } = changed(`  - target: $.paths['/boks']
    update: { summary: Reads }
`);
  expect(findings).toMatchObject([
    {
      severity: 'warning',
      file: folder.file('overlay.yaml'),
      line: 4,
      message: "Nothing of the description is at $.paths['/boks']",
    },
  ]);
});

test.each([
  [
    'a text cannot be merged into',
    "  - target: $.paths['/books'].get.parameters[0].name\n    update: x\n",
    /cannot be merged/,
  ],
  ['the whole cannot be removed', '  - target: $\n    remove: true\n', /whole description/],
])('%s', (_, actions, message) => {
  const error = thrownBy(() => changed(actions));
  expect(error.findings).toMatchObject([{ line: 4, message: expect.stringMatching(message) }]);
});

test.each([
  ['no version', "info: { title: T, version: '1' }\nactions: [{ target: $, update: {} }]", /"overlay" is missing/],
  [
    'another version',
    "overlay: 2.0.0\ninfo: { title: T, version: '1' }\nactions: [{ target: $, update: {} }]",
    /2\.0\.0/,
  ],
  ['no info', 'overlay: 1.0.0\nactions: [{ target: $, update: {} }]', /"info" is missing/],
  ['no actions', "overlay: 1.0.0\ninfo: { title: T, version: '1' }", /"actions" is missing/],
  ['an empty list of actions', `${HEAD}actions: []`, /"actions" must be an array of at least one action/],
  ['an unknown key', `${HEAD}actions: [{ target: $, updates: {} }]`, /Unknown key "updates"/],
  ['no target', `${HEAD}actions: [{ update: {} }]`, /"target" is missing/],
  [
    'a target that is no query',
    `${HEAD}actions: [{ target: '$.paths[', update: {} }]`,
    /"target" must be a JSONPath query/,
  ],
  ['an action without effect', `${HEAD}actions: [{ target: $ }]`, /changes nothing/],
  ['a list', '[]', /must be an object, got an array/],
])('an overlay with %s is refused, with its place', (_, text, message) => {
  const path = folder.write('bad.yaml', text);
  const error = thrownBy(() => loadOverlay(path));
  expect(error).toBeInstanceOf(ConfigError);
  expect(error.findings[0]).toMatchObject({
    file: path,
    line: expect.any(Number),
    message: expect.stringMatching(message),
  });
});

test('members that begin with x- may stand everywhere', () => {
  const text = `overlay: 1.0.3\nx-a: 1\ninfo: { title: T, version: '1', x-b: 2 }\nextends: books.yaml\nactions: [{ target: $, x-c: 3, update: { y: 1 } }]`;
  expect(loadOverlay(folder.write('extended.yaml', text)).actions).toHaveLength(1);
});
