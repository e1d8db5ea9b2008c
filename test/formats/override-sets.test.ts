import type { SourceFinding } from '../../src/core/errors/standin-error';
import { readOverrides } from '../../src/formats/overrides';
import { readSource } from '../../src/openapi/read/read-source';
import { loadText } from '../openapi/load-text';

const POSTS = `openapi: 3.1.0
info: { title: Posts, version: 1.0.0 }
paths:
  /posts:
    get: { operationId: listPosts, responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Post' } } } } } } }
  /posts/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: readPost, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Post' } } } } } }
  /posts/{id}/publish:
    post: { operationId: publishPost, parameters: [{ name: id, in: path, required: true, schema: { type: integer } }], responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Post' } } } } } }
components:
  schemas:
    Post: { type: object, required: [id], properties: { id: { type: integer }, title: { type: string }, status: { type: string, enum: [draft, published] } } }
`;

function findingsOf(operations: string): SourceFinding[] {
  const { api } = loadText(POSTS);
  const findings: SourceFinding[] = [];
  readOverrides(readSource(`standin: overrides/1\noperations:\n${operations}\n`, 'own.yaml'), api, findings);
  return findings;
}

test('members that an action sets are known, with values that fit', () => {
  expect(findingsOf('  publishPost: { sets: { title: Hello, status: published } }')).toStrictEqual([]);
});

test.each([
  {
    says: '  publishPost: { sets: { titel: Hello } }',
    message: 'Items of /posts have no property "titel"',
    hint: 'Did you mean "title"?',
  },
  {
    says: '  publishPost: { behaviour: act, sets: { status: publishd } }',
    message: '"status" must be one of "draft", "published"',
    hint: undefined,
  },
  {
    says: '  listPosts: { sets: { title: Hello } }',
    message: 'listPosts acts on no item: there is nothing to set',
    hint: 'Say resource and behaviour too.',
  },
])('$says: $message', ({ says, message, hint }) => {
  const [finding, ...others] = findingsOf(says);
  expect(others).toStrictEqual([]);
  expect(finding).toMatchObject({ message, ...(hint === undefined ? {} : { hint }) });
  expect(finding).toMatchObject({ file: 'own.yaml', line: 3 });
});
