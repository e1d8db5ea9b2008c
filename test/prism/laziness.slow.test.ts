import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import request from 'supertest';
import { mockOf, loadModel, WEATHER } from './weather';

type Sent = readonly [method: string, path: string, body?: object];

interface Counted {
  readonly answers: readonly { readonly status: number; readonly text: string }[];
  readonly workers: number;
  /** Files of Prism and its generators in the main thread. */
  readonly ofPrism: readonly string[];
}

async function count(options: object, requests: readonly Sent[]): Promise<Counted> {
  const script = join(__dirname, 'count-workers.cjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify({ options, requests })]);
  return JSON.parse(stdout) as Counted;
}

const weather = { description: WEATHER, auth: 'off' };

test('no operation of the Petstore starts a worker or loads Prism', async () => {
  const requests: readonly (readonly [operationId: string, status: number, sent: Sent])[] = [
    ['listPets', 200, ['get', '/pets']],
    ['getPet', 200, ['get', '/pets/1']],
    ['createPet', 201, ['post', '/pets', { name: 'Rex', categoryId: 1 }]],
    ['replacePet', 200, ['put', '/pets/1', { name: 'Rex', categoryId: 1 }]],
    ['listCategories', 200, ['get', '/categories']],
    ['createCategory', 201, ['post', '/categories', { name: 'Owl' }]],
    ['getCategory', 200, ['get', '/categories/1']],
    ['replaceCategory', 200, ['put', '/categories/1', { name: 'Hound' }]],
    ['listOrders', 200, ['get', '/store/orders']],
    ['placeOrder', 201, ['post', '/store/orders', { petId: 1, quantity: 1 }]],
    ['getOrder', 200, ['get', '/store/orders/1']],
    ['updateOrder', 200, ['patch', '/store/orders/1', { quantity: 1 }]],
    ['cancelOrder', 204, ['delete', '/store/orders/1']],
    ['listInventory', 200, ['get', '/inventory']],
    ['getInventoryItem', 200, ['get', '/inventory/1']],
    ['updateInventory', 200, ['patch', '/inventory/1', { quantity: 5 }]],
    ['deletePet', 204, ['delete', '/pets/4']],
    ['deleteCategory', 204, ['delete', '/categories/3']],
  ];
  const { operations } = loadModel(join(__dirname, '..', '..', 'spec', 'petstore.yaml'));
  expect(requests.map(([id]) => id).sort()).toEqual(operations.map(({ id }) => id).sort());
  const { answers, workers, ofPrism } = await count(
    {},
    requests.map(([, , sent]) => sent),
  );
  expect(answers.map(({ status }) => status)).toEqual(requests.map(([, status]) => status));
  expect({ workers, ofPrism }).toEqual({ workers: 0, ofPrism: [] });
});

test('an operation with an example, or with no body, starts no worker', async () => {
  const { answers, workers, ofPrism } = await count(weather, [
    ['get', '/almanac'],
    ['get', '/climate'],
    ['get', '/gusts'],
    ['get', '/silence'],
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 204, 501]);
  expect(answers[0]!.text).toBe('{"city":"Oslo","celsius":-3.5}');
  expect({ workers, ofPrism }).toEqual({ workers: 0, ofPrism: [] });
});

test('without an example our own sampler answers, and no worker is started', async () => {
  const { answers, workers, ofPrism } = await count(weather, [['get', '/weather']]);
  expect(answers[0]).toMatchObject({ status: 200, text: expect.stringContaining('Bergen') });
  expect({ workers, ofPrism }).toEqual({ workers: 0, ofPrism: [] });
});

test('one worker makes every body, Prism stays out of the main thread, and the process ends by itself', async () => {
  const { answers, workers, ofPrism } = await count({ ...weather, generator: 'prism' }, [
    ['get', '/weather'],
    ['get', '/weather'],
    ['get', '/forecast'],
  ]);
  expect({ workers, ofPrism }).toEqual({ workers: 1, ofPrism: [] });
  expect(answers[1]).toEqual(answers[0]);
  // The same bytes as in this process, where the sources answer.
  const here = await request(mockOf(loadModel())).get('/weather');
  expect(answers[0]).toEqual({ status: 200, text: here.text });
});
