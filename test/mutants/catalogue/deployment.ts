import type { Defect } from '../defect';
import { asError, headerOf, withHeader, type Answer, type Call } from '../message';

const AHEAD = 5 * 365 * 24 * 3600 * 1000;
const QUOTA = 12;
const PAUSE = 1000;

const NOWHERE = '/no-such-place';
const elsewhere = (call: Call): Call => ({ ...call, target: NOWHERE });
const empty = (status: number, headers: Answer['headers']): Answer => ({ status, headers, body: Buffer.alloc(0) });

export const DEPLOYMENT_DEFECTS: readonly Defect[] = [
  {
    id: 'EN-01',
    needs: ['T'],
    title: 'the service lives under /v1, not where the address says',
    clause: 'servers: all paths are relative to {base_url}',
    verdict: 'one cause',
    start: () => (exchange) => {
      const { target } = exchange.call;
      if (/^\/v1(?=\/|$)/.test(target)) return exchange.pass({ ...exchange.call, target: target.slice('/v1'.length) });
      return exchange.fires() ? exchange.pass(elsewhere(exchange.call)) : exchange.pass();
    },
    witness: async (client) => {
      const [missed, met] = [await client.get('/pets'), await client.get('/v1/pets')];
      return missed.fields.code === 'route_not_found' && met.status === 200;
    },
  },
  {
    id: 'EN-03',
    needs: ['T'],
    title: 'an old version is deployed: the inventory does not exist yet',
    clause: 'paths: /inventory and /inventory/{petId}',
    start: () => (exchange) =>
      exchange.place.collection === 'inventory' && exchange.fires()
        ? exchange.pass(elsewhere(exchange.call))
        : exchange.pass(),
    witness: async (client) => (await client.get('/inventory')).status === 404,
  },
  {
    id: 'EN-04',
    needs: ['A', 'T'],
    title: 'every request is redirected to another origin, where clients no longer send the key',
    clause: 'every operation documents its own statuses; Fetch §4.4: Authorization is dropped across origins',
    verdict: 'one cause',
    start: () => (exchange) => {
      const [name = '', port] = (headerOf(exchange.call, 'Host') ?? '').split(':');
      const other = name === 'localhost' ? undefined : `http://localhost${port === undefined ? '' : `:${port}`}`;
      if (other === undefined || !exchange.fires()) return exchange.pass();
      return Promise.resolve(empty(308, [['Location', `${other}${exchange.call.target}`]]));
    },
    witness: async (client) => {
      const direct = await client.get('/pets');
      const followed = await fetch(`${client.url}/pets`, { headers: { Authorization: 'Bearer test-key' } });
      return direct.status === 308 && followed.status === 401;
    },
  },
  {
    id: 'EN-06',
    needs: ['T', 'H'],
    title: 'the clock of the server is five years ahead: the deprecated read has ended',
    clause: 'getPet: works until 2030-12-05; RFC 9110 §6.6.1: Date is an approximation of the origination time',
    start: () => async (exchange) => {
      const answer = await exchange.pass();
      if (!exchange.fires()) return answer;
      const later = withHeader(answer, 'Date', new Date(Date.now() + AHEAD).toUTCString());
      return exchange.place.operation === 'getPet' ? asError(later, 410, 'operation_sunset') : later;
    },
    witness: async (client) => {
      const { status, header } = await client.get((await client.pet()).path);
      return status === 410 && Date.parse(header('date') ?? '') > Date.now() + AHEAD / 2;
    },
  },
  {
    id: 'EN-07',
    needs: ['Q'],
    title: 'a rate limit returns 429 in the middle of a run',
    clause: 'none: 429 with Retry-After is documented; a run waits or is inconclusive',
    verdict: 'inconclusive',
    start: () => {
      let served = 0;
      let until = 0;
      return async (exchange) => {
        const answer = await exchange.pass({ ...exchange.call, method: 'OPTIONS', body: Buffer.alloc(0) });
        if (Date.now() >= until) {
          served += 1;
          if (served % QUOTA !== 0 || !exchange.fires()) return exchange.pass();
          until = Date.now() + PAUSE;
        }
        return withHeader(asError(answer, 429, 'rate_limited'), 'Retry-After', '1');
      };
    },
    witness: async (client) => {
      for (let times = 0; times < QUOTA; times += 1) {
        const { status, header } = await client.get('/pets');
        if (status === 429) return header('retry-after') === '1';
      }
      return false;
    },
  },
];
