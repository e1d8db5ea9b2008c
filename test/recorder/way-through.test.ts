import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { readFileSync } from 'node:fs';
import { readAuthorities } from '../../src/network/certificates';
import { certificatePath } from '../network/raw-server';
import { closeAll, closeLater, record, serve, stop } from './recorder';

afterEach(closeAll);

const AUTHORIZATION = `Basic ${Buffer.from('user:pass').toString('base64')}`;
const rejected = (status: number): Error => new Error(`The proxy answered ${status}`);

/** A proxy that forwards, and makes tunnels; `refusal` is the status that it gives in place of that. */
async function startProxy(refusal?: number): Promise<{ readonly url: string; readonly lines: string[] }> {
  const lines: string[] = [];
  const proxy = await serve((request, response) => {
    lines.push(`${request.method ?? ''} ${request.url ?? ''} ${request.headers['proxy-authorization'] ?? ''}`);
    const headers = { ...request.headers };
    delete headers['proxy-authorization'];
    if (refusal !== undefined) response.writeHead(refusal).end();
    else
      request.pipe(
        send(request.url ?? '', { method: request.method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        }),
      );
  });
  proxy.server.on('connect', (request, socket) => {
    lines.push(`CONNECT ${request.headers['proxy-authorization'] ?? ''}`);
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const [host = '', port] = (request.url ?? '').split(':');
    const tunnel = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(tunnel).pipe(socket);
    });
    tunnel.on('error', () => socket.destroy());
    socket.on('error', () => tunnel.destroy());
    socket.on('close', () => tunnel.destroy());
  });
  return { url: proxy.url, lines };
}

async function tlsTarget(): Promise<string> {
  const [key, cert] = ['localhost.key', 'localhost.pem'].map((name) => readFileSync(certificatePath(name)));
  const server = createTlsServer({ key, cert }, (request, response) => {
    response.setHeader('X-Proxy', request.headers['proxy-authorization'] ?? 'none');
    request.pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeLater(() => stop(server));
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('what is recorded of a https target goes through the tunnel of a proxy', async () => {
  const proxy = await startProxy();
  const way = { origin: proxy.url, authorization: AUTHORIZATION, rejected };
  const authorities = readAuthorities(certificatePath('authority.pem'));
  const recorder = await record(await tlsTarget(), { way, authorities });
  const response = await fetch(`${recorder.url}/things?a=`, { method: 'POST', body: 'sent' });
  expect([response.status, response.headers.get('x-proxy'), await response.text()]).toEqual([200, 'none', 'sent']);
  expect(proxy.lines).toEqual([`CONNECT ${AUTHORIZATION}`]);
  const { request } = await recorder.exchange(0);
  expect(request.target).toBe('/things?a=');
  expect(request.headers.join()).not.toMatch(/proxy/i);
});

test('what is recorded of a http target is asked of the proxy with its whole URL', async () => {
  const proxy = await startProxy();
  const target = await serve((request, response) => response.end(request.url));
  const { url } = await record(target.url, { way: { origin: proxy.url, authorization: AUTHORIZATION, rejected } });
  for (const path of ['/a?b', '/c%2Fd']) expect(await (await fetch(`${url}${path}`)).text()).toBe(path);
  expect(proxy.lines).toEqual(['/a?b', '/c%2Fd'].map((path) => `GET ${target.url}${path} ${AUTHORIZATION}`));
});

test.each(['https', 'http'])('a proxy that rejects is no response of the %s target', async (scheme) => {
  const proxy = await startProxy(407);
  const way = { origin: proxy.url, authorization: undefined, rejected };
  const recorder = await record(`${scheme}://things.example`, { way });
  const response = await fetch(`${recorder.url}/things`);
  expect([response.status, await response.text()]).toEqual([502, expect.stringContaining('The proxy answered 407')]);
  expect((await recorder.exchange(0)).response).toBeUndefined();
});
