import type { Exchange, Intercept, Variant } from '../defect';
import { textOf } from '../json';
import { asError, fieldsOf, withHeader, type Answer } from '../message';
import { pathOf } from '../petstore';

const isSafe = ({ call }: Exchange): boolean => ['GET', 'PUT', 'DELETE'].includes(call.method);

/** Once, at the third request that it suits. */
function once(suits: (exchange: Exchange) => boolean, instead: (exchange: Exchange) => Promise<Answer>): Intercept {
  let times = 0;
  return (exchange) => {
    if (!suits(exchange)) return exchange.pass();
    times += 1;
    return times === 3 && exchange.fires() ? instead(exchange) : exchange.pass();
  };
}

/** A category with a pet, as another client would add them. */
async function addOthers({ ask, place: { base } }: Exchange): Promise<void> {
  const category = fieldsOf(await ask('POST', pathOf(base, 'categories'), { name: 'Somebody else', description: '…' }));
  await ask('POST', pathOf(base, 'pets'), { name: 'Not yours', categoryId: category.id ?? 1, status: 'pending' });
}

export const ENVIRONMENT_VARIANTS: readonly Variant[] = [
  {
    id: 'data-from-before',
    title: 'lists hold what was there before the run',
    basis: 'the contract describes a shared service; a run looks at what it made',
    start: () => {
      let ready: Promise<void> | undefined;
      return async (exchange) => {
        if (exchange.place.operation === undefined) return exchange.pass();
        ready ??= addMany(exchange);
        await ready;
        return exchange.pass();
      };
    },
    witness: async (client) => (await client.idsOf('/pets')).length > 20,
  },
  {
    id: 'other-writers',
    title: 'another client adds and removes resources meanwhile',
    basis: 'the contract describes a shared service; a run looks at what it made',
    start: () => {
      let times = 0;
      return async (exchange) => {
        const answer = await exchange.pass();
        times += 1;
        if (times % 4 === 0 && exchange.fires()) await addOthers(exchange);
        if (times % 4 === 2) await visit(exchange);
        return answer;
      };
    },
    witness: async (client) => {
      const before = await client.idsOf('/pets');
      for (let round = 0; round < 4; round += 1) await client.get('/inventory');
      return (await client.idsOf('/pets')).length > before.length;
    },
  },
  {
    id: 'one-429',
    title: 'one request is told to come back in a second',
    basis: '429 with Retry-After is documented for every operation',
    start: () =>
      once(
        ({ place }) => place.operation !== undefined,
        async ({ ask, place: { base } }) => {
          const model = await ask('OPTIONS', pathOf(base, 'pets'));
          return withHeader(asError(model, 429, 'rate_limited'), 'Retry-After', '1');
        },
      ),
    witness: async (client) => {
      const statuses: number[] = [];
      for (let round = 0; round < 4; round += 1) statuses.push((await client.get('/pets')).status);
      return statuses.join() === '200,200,429,200';
    },
  },
  {
    id: 'one-reset',
    title: 'one connection is cut before an idempotent request is answered, and before it is done',
    basis: 'RFC 9110 §9.2.2: an idempotent request may be repeated after a connection failure',
    start: () => once(isSafe, () => Promise.resolve({ status: 0, headers: [], body: Buffer.alloc(0), cut: true })),
    witness: async (client) => {
      const outcomes: string[] = [];
      for (let round = 0; round < 4; round += 1) {
        outcomes.push(
          await client.get('/pets').then(
            ({ status }) => String(status),
            () => 'cut',
          ),
        );
      }
      return outcomes.join() === '200,200,cut,200';
    },
  },
];

async function addMany(exchange: Exchange): Promise<void> {
  for (let count = 0; count < 24; count += 1) await addOthers(exchange);
}

/** Comes and goes: what is added here is removed at once. */
async function visit({ ask, place: { base } }: Exchange): Promise<void> {
  const { id } = fieldsOf(await ask('POST', pathOf(base, 'categories'), { name: 'Passing' }));
  await ask('DELETE', pathOf(base, 'categories', textOf(id)));
}
