import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { killAll } from '../../cli/standin-process';
import { inBrowser, launch } from '../../browser/chromium';
import { startMutantProxy } from '../../mutants/proxy';
import type { Alteration } from '../../mutants/defect';
import { asError } from '../../mutants/message';
import { temporaryFolder } from '../../support/temporary-folder';
import { pageSession } from './page-session';
import {
  otherTraffic,
  type Recorded,
  recordByCommand,
  replay,
  type Service,
  type ServiceName,
  SERVICES,
  stateOf,
  verdictsOf,
} from './round-trip';
import { sdkSession } from './sdk-session';
import { openShop } from './shop-site';

// Each of them takes ten seconds; on a machine that does much else, many times that.
jest.setTimeout(300_000);
const folder = temporaryFolder();
const open = new Set<Service>();
/** Closed when the test has ended. */
async function opened(service: Promise<Service>): Promise<Service> {
  const one = await service;
  open.add(one);
  return one;
}
afterEach(async () => {
  killAll();
  await Promise.all([...open].map((service) => service.close()));
  open.clear();
});

type Client = (baseUrl: string) => Promise<void>;

const PLACES = [
  { place: 'mock', withDescription: true },
  { place: 'mock', withDescription: false },
  { place: 'second', withDescription: true },
  { place: 'second', withDescription: false },
] as const satisfies readonly { readonly place: ServiceName; readonly withDescription: boolean }[];

/** Half past three in the night, a while after all of it was recorded. */
const NIGHT = new Date('2028-02-29T03:30:00Z');

/** The first new item of a list fails, and nothing is made of it. */
const failingOnce: Alteration = {
  id: 'failing-once',
  title: 'the first new pet fails',
  start: () => {
    let isOver = false;
    return async (exchange) => {
      if (isOver || exchange.place.operation !== 'createPet') return exchange.pass();
      isOver = true;
      return asError(await exchange.ask('OPTIONS', '/pets'), 503, 'unavailable');
    };
  },
};

/** Servers as a contract meets them on another day: each with what was there before, what others do, and its clock. */
const OTHER_DAYS: readonly { readonly what: string; readonly start: () => Promise<Service> }[] = [
  { what: 'a fresh mock', start: () => SERVICES.mock() },
  {
    what: 'a mock of another date, whose ids begin elsewhere',
    start: () => SERVICES.mock({ clock: NIGHT, idStart: 5000 }),
  },
  { what: 'a mock with ids beyond 53 bits', start: () => SERVICES.mock({ idStart: 9007199254740993n }) },
  { what: 'a mock that others use', start: () => busy(SERVICES.mock(), 30) },
  { what: 'another service, whose ids are in no order', start: () => SERVICES.second({ scatteredIds: true }) },
  {
    what: 'another service of another date that others use',
    start: () => busy(SERVICES.second({ scatteredIds: true, now: () => NIGHT.getTime() }), 60),
  },
];

async function busy(service: Promise<Service>, count: number): Promise<Service> {
  const started = await service;
  await otherTraffic(started, count);
  return started;
}

/** Records, and replays it in every way; what is expected of each is expected here. */
async function roundTrip(client: Client, { place, withDescription }: (typeof PLACES)[number]): Promise<Recorded> {
  const origin = await opened(SERVICES[place]());
  const out = folder.file(`${place}-${String(withDescription)}.yaml`);
  const recorded = await recordByCommand(origin, { out, withDescription }, client);
  await passes(recorded, origin, 'the service that it came from');
  for (const { what, start } of OTHER_DAYS) await passes(recorded, await opened(start()), what);
  return recorded;
}

/** Once, once more, and three at the same time, and all is as before. */
async function passes(recorded: Recorded, service: Service, what: string): Promise<void> {
  const before = await stateOf(service);
  const alone = [await replay(recorded, service), await replay(recorded, service)];
  const together = await Promise.all([1, 2, 3].map(() => replay(recorded, service)));
  expect([what, ...alone.map(verdictsOf)]).toEqual([what, ['conforms'], ['conforms']]);
  expect([what, ...together.map(verdictsOf)]).toEqual([what, ['conforms'], ['conforms'], ['conforms']]);
  expect([what, await stateOf(service)]).toEqual([what, before]);
}

function expectNoSecret({ files }: Recorded): void {
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    for (const secret of ['test-key', 'an-old-key', Buffer.from('test-key').toString('base64')])
      expect([file, text.includes(secret)]).toEqual([file, false]);
  }
}

describe('what a client of the API does makes a contract that passes anywhere', () => {
  test.each(PLACES)('recorded at the $place, described: $withDescription', async (where) => {
    const recorded = await roundTrip(sdkSession, where);
    expectNoSecret(recorded);
    expect(recorded.text.match(/^ {2}- name:/gm)?.length).toBeGreaterThan(40);
  });

  test('attempts at which the service failed are not in it', async () => {
    const origin = await opened(SERVICES.mock());
    const front = await opened(startMutantProxy({ target: origin.url, defect: failingOnce }));
    const session = { out: folder.file('failed.yaml'), withDescription: true, drifts: true };
    const recorded = await recordByCommand(front, session, sdkSession);
    expect(recorded.said).toContain('POST /pets had the response 503');
    expect(recorded.text).not.toMatch(/status: 503\b/);
    await passes(recorded, origin, 'the service that failed');
  });
});

inBrowser('what a page does makes a contract that passes anywhere', () => {
  let browser: Browser;
  let shop: Service;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([launch(), openShop()]);
  });
  afterAll(() => Promise.all([browser.close(), shop.close()]));

  test.each(PLACES)('recorded at the $place, described: $withDescription', async (where) => {
    const recorded = await roundTrip((url) => pageSession(browser, shop.url, url), where);
    expectNoSecret(recorded);
    expect(recorded.text).not.toMatch(/OPTIONS|analytics|If-None-Match/);
    expect(recorded.said).toMatch(/questions of browsers whether they may ask \(OPTIONS\) \(\d+\)/);
    expect(recorded.said).toMatch(/reports of pages on their use and errors \(\d+\)/);
    expect(recorded.said).toMatch(
      /requests that a page makes at the beat of a clock, with the same response as before \(\d+\)/,
    );
    expect(recorded.text.match(/^ {2}- name:/gm)?.length).toBeLessThan(45);
  });
});
