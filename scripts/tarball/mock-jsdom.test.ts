/** @jest-environment jsdom */
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createMockServer } from 'standin/express';

let server: Server;
let url: string;
beforeAll(async () => {
  const app = await createMockServer();
  await new Promise<void>((resolve) => {
    server = app.listen(0, '127.0.0.1', () => resolve());
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** As a page asks: from another origin, with a preflight. */
function ask(method: string, path: string, body?: string): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, `${url}${path}`);
    request.setRequestHeader('Authorization', 'Bearer test-key');
    if (body !== undefined) request.setRequestHeader('Content-Type', 'application/json');
    request.onerror = () => reject(new Error('no response'));
    request.onload = () => resolve({ status: request.status, body: JSON.parse(request.responseText) as unknown });
    request.send(body);
  });
}

test('a page under jsdom has a mock in its own process', async () => {
  const made = await ask('POST', '/pets', '{"name":"Rex","categoryId":1}');
  expect(made.status).toBe(201);
  expect(await ask('GET', `/pets/${(made.body as { id: number }).id}`)).toEqual({ status: 200, body: made.body });
});
