import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument } from './small-mock';

const Domain = object({ name: text }, ['name']);

test.each<[string, object, object, 'PUT' | 'PATCH']>([
  ['an envelope', object({ data: list(text) }), list(text), 'PUT'],
  ['one that must be there', object({ data: list(text) }, ['data']), list(text), 'PUT'],
  ['a name, beside a number', object({ servers: list(text), version: whole }), list(text), 'PUT'],
  ['a list of numbers', object({ data: list(whole) }), list(whole), 'PUT'],
  ['a PATCH', object({ data: list(text) }), list(text), 'PATCH'],
])('a list that is sent bare is read back: %s', async (what, shown, sent, method) => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'POST /domains': { body: ref('Domain'), answers: { 201: ref('Domain') } },
        'GET /domains/{name}': { answers: { 200: ref('Domain') } },
        'GET /domains/{name}/delegation': { answers: { 200: shown } },
        [`${method} /domains/{name}/delegation`]: { body: sent, answers: { 200: shown } },
      },
      { Domain },
    ),
  );
  await send('POST', '/domains', { name: 'a.com' });
  const path = '/domains/a.com/delegation';
  const name = what.startsWith('a name') ? 'servers' : 'data';
  const values = what.includes('numbers') ? [3, 1, 3] : ['ns2', 'ns1', 'ns2'];
  for (const value of [values, values.slice(1), []]) {
    const changed = await send(method, path, value);
    expect(changed.body).toMatchObject({ [name]: value });
    expect(changed.headers).not.toHaveProperty('x-standin-problem');
    expect((await send('GET', path)).body).toEqual(changed.body);
  }
});
