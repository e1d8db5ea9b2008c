import express, { type Express } from 'express';
import { chosenFamilies, type FamilyId } from '../../src/generated/generate-contracts';
import { runContract } from '../../src/library/run-contract';
import { loadText } from '../openapi/load-text';
import { list, object, smallApi, text } from '../support/small-api';
import { type Answer, failed, folder, ID, type Item, Service, type Sketches } from './reach-service';

const MERGE = 'application/merge-patch+json';

/** A description whose changes are merge patches. */
function described(sketches: Sketches): string {
  return smallApi(sketches).replaceAll(/"patch":\{.*?"responses"/g, (patch) =>
    patch.replace('application/json', MERGE),
  );
}

function taking(service: Service): Express {
  const app = express();
  app.use(express.json({ type: MERGE }));
  app.use(service.app);
  return app;
}

/** Names of the steps that fail, once each. */
async function found(service: Service, sketches: Sketches, family: FamilyId = 'lifecycle'): Promise<string[]> {
  const description = folder.write('kept.json', described(sketches));
  const options = {
    app: taking(service),
    description,
    seed: 1,
    mode: 'own',
    generate: [family],
  } as const;
  const result = await runContract(options);
  return [...new Set(failed(result).map((line) => line.split(':')[0] ?? ''))];
}

const place = object({ street: text, city: text });
const person = { name: text, email: { ...text, format: 'email' }, place };
const shown = object({ ...ID, ...person }, ['id', 'name', 'email']);

function people(more: { readonly list?: string; readonly change?: string; readonly remove?: string } = {}): Sketches {
  return {
    'GET /people': { answers: { 200: list(shown) }, ...(more.list === undefined ? {} : { description: more.list }) },
    'POST /people': { body: object(person, ['name', 'email']), answers: { 201: shown, 409: null, 422: null } },
    'GET /people/{id}': { answers: { 200: shown, 404: null } },
    'PATCH /people/{id}': {
      body: object(person),
      answers: { 200: shown, 404: null, 409: null, 422: null },
      ...(more.change === undefined ? {} : { description: more.change }),
    },
    'DELETE /people/{id}': { answers: { 204: null, 404: null }, description: more.remove ?? 'Removes it.' },
  };
}

type Change = (item: Item, body: Item) => Answer | undefined;

/** Merges as it has to, unless `change` answers. */
function serving(change: Change = () => undefined): Service {
  const service = new Service();
  service.change = (name, item, body) => {
    const own = change(item, body);
    if (own !== undefined) return own;
    const merged = {
      ...item,
      ...body,
      ...(body['place'] ? { place: { ...(item['place'] as Item), ...(body['place'] as Item) } } : {}),
    };
    return [200, service.store(name, merged, String(item['id']))];
  };
  return service;
}

describe('a merge patch', () => {
  test('of one member of an object leaves the others', async () => {
    const service = serving();
    service.change = (name, item, body) => [200, service.store(name, { ...item, ...body }, String(item['id']))];
    expect(await found(service, people())).toEqual(['read the person with the rest of its place']);
    expect(await found(serving(), people())).toEqual([]);
  });

  test('may never be taken', async () => {
    expect(
      await found(
        serving(() => [409, {}]),
        people(),
      ),
    ).toEqual([]);
  });
});

describe('what only one thing has', () => {
  test('stays its own in a change of something else', async () => {
    const service = serving((item, { email }) =>
      email !== undefined && email === item['email'] ? [409, {}] : undefined,
    );
    expect(await found(service, people())).toEqual(['change the person, and keep its email and name']);
  });

  test.each<[string, Change]>([
    ['cannot be changed', (_, { email }) => (email === undefined ? undefined : [409, {}])],
    ['is refused whatever changes', () => [409, {}]],
  ])('may be something that %s', async (_, change) => {
    const steps = await found(serving(change), people());
    expect(steps.filter((name) => name.includes('and keep its'))).toEqual([]);
  });
});

describe('what is removed and can still be read', () => {
  const words = {
    list: 'Archived people are left out, and shown with `all`.',
    change: '409 for a name of another one, and for an archived one.',
    remove: 'Archives it.',
  };
  const archiving = (isHidden: boolean, isClosed: boolean): Service => {
    const service = serving((item) => (isClosed && item['name'] === 'archived' ? [409, {}] : undefined));
    service.remove = (name, item) => {
      service.store(name, { ...item, name: 'archived' }, String(item['id']));
      if (isHidden) Object.assign(service.of(name), { values: () => visible(service, name) });
      return [204];
    };
    return service;
  };
  const visible = (service: Service, name: string): Item[] => {
    const all = [...Map.prototype.values.call(service.of(name))] as Item[];
    return all.filter((each) => each['name'] !== 'archived');
  };
  const IN_LIST = 'the person is in the list no more';
  const CHANGED = 'change the removed person, which is refused';

  test.each([
    [true, true, []],
    [false, true, [IN_LIST]],
    [true, false, [CHANGED]],
  ] as const)('is in no list and not changed, as it is told: %s, %s', async (isHidden, isClosed, expected) => {
    const steps = await found(archiving(isHidden, isClosed), people(words));
    expect(steps.filter((name) => name === IN_LIST || name === CHANGED)).toEqual(expected);
  });

  test.each([
    { list: 'Removed people are left out if `active` is set.', change: '409 unless it is removed.' },
    { list: 'Removed people are not left out.', change: 'A removed one stays as it is.' },
    { list: 'People whose manager may be removed are hidden when closed.', change: '409 if it is not removed.' },
    {},
  ])('may be anywhere where that is not told: %j', async (told) => {
    const steps = await found(archiving(false, false), people(told));
    expect(steps.filter((name) => name === IN_LIST || name === CHANGED)).toEqual([]);
  });
});

describe('a value in another form', () => {
  const time = { ...text, format: 'date-time' };
  const visit = (at: object, value: object): Sketches => {
    const item = object({ ...ID, at, value }, ['id', 'at', 'value']);
    return {
      'GET /visits': { answers: { 200: list(item) } },
      'POST /visits': { body: object({ at, value }, ['at', 'value']), answers: { 201: item, 400: null, 422: null } },
      'GET /visits/{id}': { answers: { 200: item, 404: null } },
      'DELETE /visits/{id}': { answers: { 204: null, 404: null } },
    };
  };
  const number = { type: 'number', minimum: 0, maximum: 1000 };
  const exact = { ...number, description: 'As it was measured; it is not rounded.' };
  const keeping = (change: (body: Item) => Item): Service => {
    const service = new Service();
    service.create = (name, body) => {
      if (typeof body['at'] !== 'string' || typeof body['value'] !== 'number') return [422, {}];
      const { at, value } = change(body);
      return [201, service.store(name, { at, value })];
    };
    return service;
  };
  const rounded = (body: Item): Item => ({ ...body, value: Math.round(Number(body['value']) * 100) / 100 });

  test('is the same moment', async () => {
    const cut = (body: Item): Item => ({ ...body, at: String(body['at']).replace(/[+-]\d\d:\d\d$/, 'Z') });
    expect(await found(keeping(cut), visit(time, number), 'positive')).toEqual(['add a visit with at in another zone']);
  });

  test.each<[string, (body: Item) => Item]>([
    ['as it came', (body) => body],
    ['in UTC', (body) => ({ ...body, at: new Date(String(body['at'])).toISOString() })],
  ])('may be kept %s', async (_, change) => {
    expect(await found(keeping(change), visit(time, number), 'positive')).toEqual([]);
  });

  test('is not sent where the description speaks of a zone', async () => {
    const service = keeping((body) => body);
    const { create } = service;
    service.create = (name, body) => (/Z$/.test(String(body['at'])) ? create(name, body) : [422, {}]);
    expect(await found(service, visit({ ...time, description: 'In UTC.' }, number), 'positive')).toEqual([]);
  });

  test('is the same number where it is told that it is', async () => {
    expect(await found(keeping(rounded), visit(time, exact))).toContain('add a visit');
    expect(await found(keeping(rounded), visit(time, number))).toEqual([]);
  });
});

test('contracts of another round make things of other names', () => {
  const { api } = loadText(described(people()));
  const [first] = chosenFamilies({ seed: 'a' });
  const texts = [0, 1].map((round) =>
    JSON.stringify([...(first?.contracts(api, undefined, round) ?? [])].map(({ contract }) => contract)),
  );
  expect(texts[0]).not.toEqual(texts[1]);
});
