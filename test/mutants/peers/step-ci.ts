import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { flatDescription, operationsOf, type Tree } from './description';
import { command, KEY, type Peer, stable } from './peer';

const ORDER = [
  ...['createCategory', 'createPet', 'replacePet', 'placeOrder'],
  ...[
    'listCategories',
    'getCategory',
    'listPets',
    'getPet',
    'listOrders',
    'getOrder',
    'listInventory',
    'getInventoryItem',
  ],
  ...['replaceCategory', 'updateOrder', 'updateInventory', 'cancelOrder', 'deletePet', 'deleteCategory'],
];

const BODIES: Readonly<Record<string, string>> = {
  createCategory: '{"name": "Hamsters of a peer", "description": "Small."}',
  replaceCategory: '{"name": "Mice of a peer", "description": "Smaller."}',
  createPet: '{"name": "Biscuit", "categoryId": ${{captures.ownCategory}}, "status": "available"}',
  replacePet: '{"name": "Miso", "categoryId": ${{captures.ownCategory}}, "status": "available"}',
  placeOrder: '{"petId": ${{captures.ownPet}}, "quantity": 1}',
  updateOrder: '{"quantity": 1}',
  updateInventory: '{"quantity": 2}',
};

const CAPTURES: Readonly<Record<string, string>> = {
  createCategory: 'ownCategory',
  createPet: 'ownPet',
  placeOrder: 'ownOrder',
};
const VARIABLES: Readonly<Record<string, string>> = { categoryId: 'ownCategory', petId: 'ownPet', orderId: 'ownOrder' };

/** Runs a workflow of requests; its generator makes one of a description. */
export const STEP_CI: Peer = {
  id: 'step-ci',
  title: 'Step CI',
  tool: { packages: { stepci: '2.8.2' }, bin: 'node_modules/stepci/dist/index.js' },
  settings:
    'the workflow that it generates, with the key, in an order that works, with captured ids; beside it each operation without a key, of an unknown thing and with a broken body, each with its status and the schema of the Error',
  async run({ url, folder }, { bin }) {
    const tree = flatDescription();
    for (const { operation } of operationsOf(tree))
      for (const parameter of operation.parameters ?? []) if (parameter.in === 'path') parameter.example = 1;
    const description = join(folder, 'petstore.json');
    // It reads JSON, and numbers beyond those of JavaScript are bounds alone.
    writeFileSync(
      description,
      JSON.stringify(tree, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
    );
    const workflow = join(folder, 'workflow.yml');
    const env = { STEPCI_DISABLE_ANALYTICS: '1' };
    await command('node', [bin, 'generate', description, workflow], { folder, env });
    const generated = parse(readFileSync(workflow, 'utf8'));
    writeFileSync(workflow, stringify(arranged(generated, tree, url), { aliasDuplicateObjects: false }));
    const { text } = await command('node', [bin, 'run', workflow], { folder, env });
    if (!/^Tests: /m.test(text)) return [stable(`did not end: ${text.slice(-150)}`)];
    return [...new Set([...text.matchAll(/^ *✕ (.*) failed after/gm)].map(([, name = '']) => stable(name)))];
  },
};

function arranged(generated: Tree, tree: Tree, url: string): Tree {
  const steps = generated.tests.default.steps as Tree[];
  const operations = operationsOf(tree);
  const good = ORDER.flatMap((id) => {
    const step = steps.find((each) => each.id === id);
    const of = operations.find(({ operation }) => operation.operationId === id);
    return step === undefined || of === undefined ? [] : [asWanted(step, id, of.path)];
  });
  // The first step that fails is the last of its test.
  const refused = operations.flatMap(({ path, method, operation }) => refusals(path, method.toUpperCase(), operation));
  return {
    ...generated,
    config: { http: { baseURL: url } },
    tests: {
      good: { name: 'Good', steps: good },
      ...Object.fromEntries(refused.map((step, index) => [`refused${index}`, { name: step.name, steps: [step] }])),
    },
  };
}

const JSON_BODY = { 'Content-Type': 'application/json' };
const AUTH = { bearer: { token: KEY } };

function asWanted(step: Tree, id: string, path: string): Tree {
  const { check, method } = step.http;
  delete check.json;
  const body = BODIES[id];
  const capture = CAPTURES[id];
  return {
    id,
    name: step.name,
    http: {
      url: path.replace(/\{(\w+)\}/g, (_, name: string) => `\${{captures.${VARIABLES[name] ?? ''}}}`),
      method,
      auth: AUTH,
      ...(body === undefined ? {} : { headers: JSON_BODY, body }),
      ...(capture === undefined ? {} : { captures: { [capture]: { jsonpath: '$.id' } } }),
      check,
    },
  };
}

function refusals(path: string, method: string, operation: Tree): Tree[] {
  const unknown = path.replace(/\{\w+\}/g, '9007199254740000');
  const step = (words: string, status: number, http: Tree): Tree => ({
    name: `${operation.operationId as string} ${words}`,
    http: {
      ...{ url: unknown, method },
      ...http,
      check: { status, schema: operation.responses[status].content['application/json'].schema },
    },
  });
  const body = BODIES[operation.operationId];
  const sent = body === undefined ? {} : { headers: JSON_BODY, body: body.replace(/\$\{\{.*?\}\}/g, '1') };
  return [
    step('without a key', 401, sent),
    step('with another key', 401, { ...sent, auth: { bearer: { token: 'another-key' } } }),
    ...(path === unknown ? [] : [step('of an unknown thing', 404, { ...sent, auth: AUTH })]),
    ...(body === undefined || path !== unknown
      ? []
      : [step('with a broken body', 400, { auth: AUTH, headers: JSON_BODY, body: '{' })]),
  ];
}
