import { ADMIN_ACTIONS } from '../../src/server/actions/registry';
import { openPetstore } from '../support/petstore';

const ADMIN = '/__standin';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const OWN = { Host: 'localhost:4010', Origin: 'http://localhost:4010', 'Sec-Fetch-Site': 'same-origin' };

/** What a browser says of a request that a page of another site makes, with what it can send without asking. */
const FOREIGN: Readonly<Record<string, Record<string, string>>> = {
  'an origin of its own': { ...JSON_TYPE, Origin: 'https://elsewhere.example' },
  'no origin that it tells': { ...JSON_TYPE, Origin: 'null' },
  'another site': { ...JSON_TYPE, 'Sec-Fetch-Site': 'cross-site' },
  'another port of this machine': { ...JSON_TYPE, 'Sec-Fetch-Site': 'same-site', Origin: 'http://127.0.0.1:9' },
  'a name that leads here': { ...JSON_TYPE, Host: 'elsewhere.example' },
  'a form of text': {
    'Content-Type': 'text/plain',
    Origin: 'https://elsewhere.example',
    'Sec-Fetch-Site': 'cross-site',
  },
};

const changing = ADMIN_ACTIONS.filter(({ method }) => method !== 'GET');

test.each(changing.map(({ method, path }) => [method, path] as const))(
  '%s %s is for no page of elsewhere, whatever it sends, and changes nothing for it',
  async (method, path) => {
    const shop = await openPetstore();
    shop.app.putRow('/categories', { id: 9, name: 'Fish' });
    shop.app.sandbox('a').putRow('/categories', { id: 9, name: 'Fish' });
    shop.app.respond('getPet', { status: 404 });
    const told = (): string =>
      JSON.stringify([shop.app.state(), shop.app.sandboxes().length, shop.app.responses(), shop.app.journal().length]);
    const before = told();
    const verb = method.toLowerCase() as 'post';
    for (const headers of Object.values(FOREIGN)) {
      const { status, body } = await shop.send(verb, `${ADMIN}${path}`, '{}', { Authorization: undefined, ...headers });
      expect([status, (body as { code: string }).code]).toStrictEqual([403, 'forbidden']);
    }
    // A page of its own and a program come further, but no body that is not said to be JSON.
    for (const headers of [OWN, {}]) {
      const { body } = await shop.send(verb, `${ADMIN}${path}`, '{}', { ...headers, 'Content-Type': 'text/plain' });
      expect((body as { code: string }).code).toBe('missing_content_type');
    }
    expect(told()).toBe(before);
  },
);

test('what only looks is for no page of elsewhere either', async () => {
  const shop = await openPetstore();
  for (const { path } of ADMIN_ACTIONS.filter(({ method, isOpen }) => method === 'GET' && isOpen !== true))
    for (const headers of Object.values(FOREIGN))
      await shop.send('get', `${ADMIN}${path}`, undefined, { ...headers, 'Content-Type': undefined }).expect(403);
});

test('a DELETE without a body needs no Content-Type: no page of elsewhere can send one without asking', async () => {
  const shop = await openPetstore();
  shop.app.respond('getPet', { status: 404 });
  await shop
    .send('delete', `${ADMIN}/responses`, undefined, { Authorization: undefined, 'Content-Type': undefined })
    .expect(204);
  expect(shop.app.responses()).toEqual([]);
});
