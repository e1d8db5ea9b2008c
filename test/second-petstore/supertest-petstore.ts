import request, { type Response, type Test } from 'supertest';
import { createSecondPetstore, type SecondPetstore, type SecondPetstoreOptions } from './index';

export const UNKNOWN = '9223372036854775807';
let petstore: SecondPetstore;

/** Another one than the empty one that each test starts with. */
export async function reopen(options: SecondPetstoreOptions): Promise<void> {
  await petstore.close();
  petstore = createSecondPetstore(options);
  await petstore.listen();
}

/** A fresh and empty Petstore for each test of the file. */
export function useSecondPetstore(): void {
  beforeEach(async () => {
    petstore = createSecondPetstore({ seed: 'none' });
    await petstore.listen();
  });
  afterEach(() => petstore.close());
}

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options';
export const bare = (verb: Verb, path: string): Test => request(petstore.server)[verb](path);
export const send = (verb: Verb, path: string, body?: object): Test => {
  const test = bare(verb, path).set('Authorization', 'Bearer test-key');
  return body === undefined ? test : test.send(body);
};
export const text = (path: string, body: string, type = 'application/json'): Test =>
  send('post', path).set('Content-Type', type).send(body);

export const addCategory = async (): Promise<number> => (await send('post', '/categories', { name: 'Dog' })).body.id;
export async function addPet(values: object = {}): Promise<Response['body']> {
  return (await send('post', '/pets', { name: 'Rex', categoryId: await addCategory(), ...values })).body;
}
export const stock = async (id: number): Promise<object> => (await send('get', `/inventory/${id}`)).body;

export function expectError({ status, body, headers }: Response, expected: number, code: string): void {
  expect({ status, body }).toEqual({ status: expected, body: { status: expected, code, message: expect.any(String) } });
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
}
