import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMockServer } from '../../src/express';
import { DEFECTS } from './catalogue/index';
import { Client } from './client';
import type { Defect } from './defect';
import { startMutantProxy } from './proxy';

const servers: Server[] = [];

async function startMock(idStart?: bigint): Promise<string> {
  const server = createServer(await createMockServer(idStart === undefined ? {} : { idStart }));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let mocks: { readonly small: string; readonly large: string };
beforeAll(async () => {
  mocks = { small: await startMock(), large: await startMock(9007199254740993n) };
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Longer than any test: a witness lets a slow answer go when it has seen that it is slow. */
const SLOW_MS = 3_600_000;

async function shows({ largeIds, witness }: Defect, defect: Defect | undefined): Promise<boolean> {
  const target = largeIds ? mocks.large : mocks.small;
  const proxy = await startMutantProxy({ target, slow: SLOW_MS, ...(defect ? { defect } : {}) });
  try {
    return await witness(new Client(proxy));
  } finally {
    await proxy.close();
  }
}

// The catalogue is about the contract, not about one server: every defect shows at the mock as well.
test.each(DEFECTS)('$id $title', async (defect) => {
  expect(await shows(defect, undefined)).toBe(false);
  expect(await shows(defect, defect)).toBe(true);
});
