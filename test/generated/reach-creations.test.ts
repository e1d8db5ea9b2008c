import { loadDescriptionText } from '../../src/files/load-description';
import { generateContracts } from '../../src/generated/generate-contracts';
import { list, object, smallApi, text } from '../support/small-api';
import { whole, Service, collection, ID, run, left, type Item } from './reach-service';

test('after a 500 the one property that the service fails at is found and left out', async () => {
  const service = new Service();
  service.create = (_, body) => ('address' in body ? [500, { message: 'Internal Server Error' }] : undefined);
  const body = object({ ...ID, title: text, address: text, note: text, color: text });
  const { learnt, result } = await run(service, collection('jobs', body));
  expect(learnt).toContain('address is left out, after 500');
  expect(learnt).not.toContain('note');
  expect(result.leftBehind.filter(({ url }) => !url.endsWith('/jobs'))).toEqual([]);
  expect(left(service)).toEqual([]);
});

test.each(['items', 'keys'])('a creation that takes a list is sent one item, and is answered with %s', async (form) => {
  const service = new Service();
  service.create = (name, body) => {
    const made = (body as unknown as Item[]).map((item) => service.store(name, item));
    return [201, form === 'items' ? made : made.map(({ id }) => id)];
  };
  const item = object({ ...ID, value: text, scope: text });
  const sketches = collection('rules', item, list(object({ value: text, scope: text })));
  const answers = { 201: form === 'items' ? list(item) : list(text), 400: null };
  const { called } = await run(service, { ...sketches, 'POST /rules': { ...sketches['POST /rules'], answers } });
  expect(called).toContain('DELETE /rules/{id}');
  expect(left(service)).toEqual([]);
});

test('what refers to a row of others that has an amount is not made', async () => {
  const service = new Service();
  service.store('accounts', { id: 'alice', balance: 1000 });
  const account = object({ id: text, balance: whole });
  const sketches = collection('withdrawals', object({ ...ID, accountId: text, note: text }));
  const { called } = await run(service, {
    'GET /accounts': { answers: { 200: list(account) } },
    'GET /accounts/{id}': { answers: { 200: account, 404: null } },
    ...sketches,
    'POST /withdrawals': {
      ...sketches['POST /withdrawals'],
      body: { ...object({ accountId: text, note: text }), required: ['accountId'] },
    },
  });
  expect(called).not.toContain('POST /withdrawals');
});

test('the key in a body is that of the run, in whatever way the body is another one', () => {
  // A service that takes a creation for a change would overwrite what others have under another key.
  const row = object({ code: { ...text, maxLength: 40 }, title: { ...text, minLength: 1 }, level: whole }, [
    'code',
    'title',
  ]);
  const sketches = {
    'GET /rows': { answers: { 200: list(row) } },
    'POST /rows': { body: row, answers: { 201: row, 400: null } },
    'GET /rows/{code}': { answers: { 200: row, 404: null } },
    'DELETE /rows/{code}': { answers: { 204: null, 404: null } },
  };
  const { api } = loadDescriptionText(smallApi(sketches), 'rows.json');
  const sent = [...generateContracts(api, { seed: '1' })].flatMap((contract) =>
    JSON.stringify(contract).match(/"code":(?:"[^"]*"|[^,}]*)/g),
  );
  expect(sent.length).toBeGreaterThan(10);
  expect(sent.filter((code) => !/\$\{/.test(code ?? '') && !/"code":\{/.test(code ?? ''))).toEqual([]);
});
