import { writeFileSync } from 'node:fs';
import { flatDescription, operationsOf, type Tree, writeDescription } from './description';
import { command, KEY, type Peer, stable } from './peer';
import { thingsAt } from './things';

const settings = (resiliency: 'all' | 'none'): string => `version: 2
contracts:
  - provides:
      - petstore.yaml
test:
  resiliencyTests:
    enable: ${resiliency}
`;

const TOOL = { packages: { specmatic: '2.55.1' }, bin: 'node_modules/specmatic/specmatic.jar', needs: 'java' };

/** Makes requests of the description and its examples; with resiliency tests of every combination of values as well. */
function specmatic(resiliency: 'all' | 'none', more: Pick<Peer, 'id' | 'title' | 'settings' | 'isSlow'>): Peer {
  return {
    ...more,
    tool: TOOL,
    async run({ url, direct, folder }, { bin }) {
      writeDescription(folder, await withExamples(direct));
      writeFileSync(`${folder}/specmatic.yaml`, settings(resiliency));
      const flags = ['test', `--testBaseURL=${url}`, 'petstore.yaml'];
      const { text } = await command('java', ['-jar', bin, ...flags], { folder, env: { apiKeyBearer: KEY } });
      const [, total = '0', failures = '0'] = /Tests run: (\d+), Successes: \d+, Failures: (\d+)/.exec(text) ?? [];
      if (total === '0') return [stable(`did not end: ${text.slice(-150)}`)];
      const told = text.slice(text.indexOf('Unsuccessful Scenarios:'));
      const found = [...told.matchAll(/^ {2}"(.*)"$/gm)].map(([, name = '']) => stable(name));
      return failures === '0' ? [] : [...new Set(found)];
    },
  };
}

const EXAMPLES =
  'an example for each operation with the id of a thing that was made for it; a pattern that its engine does not take is left out of the description';

export const SPECMATIC: readonly Peer[] = [
  specmatic('none', { id: 'specmatic', title: 'Specmatic', settings: EXAMPLES }),
  specmatic('all', {
    id: 'specmatic-resiliency',
    title: 'Specmatic, resiliency tests',
    settings: `the same, and \`resiliencyTests: all\``,
    isSlow: true,
  }),
];

/** The description with one example for each operation: a request, and what its response is about. */
async function withExamples(url: string): Promise<Tree> {
  const tree = flatDescription();
  const things = thingsAt(url);
  for (const { path, method, operation } of operationsOf(tree)) {
    dropExamples(operation);
    // Answered so only where a header asks for it, which it does not send.
    if (operation.requestBody !== undefined) delete operation.responses['204'];
    const thing = path.split('/')[1] ?? '';
    const isItem = path.endsWith('}');
    const made = isItem ? await things[thing]?.() : undefined;
    const parameters = (operation.parameters ?? []) as Tree[];
    operation.parameters = parameters.filter((each) => each.in === 'path' || each.name === 'limit');
    for (const parameter of operation.parameters) {
      delete parameter.example;
      parameter.examples = { own: { value: parameter.in === 'path' ? made?.['id'] : 20 } };
    }
    const body = operation.requestBody === undefined ? undefined : await bodyFor(method, thing, things);
    if (body !== undefined) operation.requestBody.content['application/json'].examples = { own: { value: body } };
    showResponse(operation, { isItem, thing, made, body });
  }
  return tree;
}

/** Examples of a response belong to no request here. */
function dropExamples(operation: Tree): void {
  for (const response of Object.values<Tree>(operation.responses)) {
    delete response.headers?.ETag?.schema.pattern;
    for (const content of Object.values<Tree>(response.content ?? {})) {
      delete content.examples;
      delete content.example;
    }
  }
}

type Things = ReturnType<typeof thingsAt>;

async function bodyFor(method: string, thing: string, things: Things): Promise<Tree> {
  switch (thing) {
    case 'inventory':
      return { quantity: 2 };
    case 'store':
      return method === 'patch' ? { quantity: 1 } : { petId: (await things['pets']?.())?.['id'], quantity: 1 };
    case 'categories':
      return { name: 'Hamsters of a peer', description: 'Small and awake at night.' };
    default:
      return { name: 'Biscuit', categoryId: (await things['categories']?.())?.['id'], status: 'available' };
  }
}

function showResponse(operation: Tree, { isItem, thing, made, body }: Tree): void {
  const status = ['200', '201'].find((each) => operation.responses[each] !== undefined);
  const content = status === undefined ? undefined : operation.responses[status].content?.['application/json'];
  if (content === undefined) return;
  const inventory = { petId: made?.id ?? 1, quantity: 2, status: 'available' };
  const shown =
    thing === 'inventory'
      ? inventory
      : { ...(made ?? { id: 1 }), ...body, ...(thing === 'store' ? { complete: false } : {}) };
  content.examples = { own: { value: isItem || operation.requestBody !== undefined ? shown : [] } };
}
