import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runContract } from '../../src/library/run-contract';
import { rootCauses } from '../../src/report/causes/root-causes';

const PAGE = '<!doctype html><title>Sign in</title>';

test.each([
  { what: 'a login page', status: 200, headers: { 'content-type': 'text/html' } },
  { what: 'a redirect to one', status: 302, headers: { 'content-type': 'text/html', location: '/login' } },
  { what: 'a page that says that there is nothing', status: 404, headers: { 'content-type': 'text/html' } },
])('$what in place of the API is one finding, and nothing is told as left behind', async ({ status, headers }) => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const result = await runContract({ baseUrl, mode: 'own', contracts: 'contracts/core', probesAuth: false });
    expect(result.leftBehind).toEqual([]);
    expect(rootCauses(result).map(({ kind }) => kind)).toEqual(['run']);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
