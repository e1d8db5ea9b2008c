import { readFileSync } from 'node:fs';
import tls, { rootCertificates } from 'node:tls';
import { readAuthorities } from '../../src/network/certificates';
import { createUndiciTransport } from '../../src/network/undici-transport';
import type { HttpRequest, HttpResponse } from '../../src/core/http/message';
import { temporaryFolder } from '../support/temporary-folder';
import { startPeer } from '../runner/peer';
import { certificatePath, jsonAnswer, startRawTls, type RawHandler, type RawServer } from './raw-server';

const AUTHORITY = certificatePath('authority.pem');
const ASK: HttpRequest = { method: 'GET', target: '/', headers: {}, rawHeaders: [], body: new Uint8Array(0) };
const answers: RawHandler = (socket) => socket.write(jsonAnswer(200, { ok: true }));

const files = temporaryFolder();

async function ask(
  start: () => Promise<RawServer>,
  { authority = undefined as string | undefined, url = (text: string): string => text } = {},
): Promise<HttpResponse> {
  const server = await start();
  const authorities = authority === undefined ? undefined : readAuthorities(authority);
  const transport = createUndiciTransport(url(server.url), { timeoutMs: 50_000, authorities });
  try {
    return await transport.send(ASK);
  } finally {
    await transport.close();
    await server.close();
  }
}

test('a certificate of an authority that was named is taken, for a name and for an address', async () => {
  const start = (): Promise<RawServer> => startRawTls('localhost', answers);
  const byAddress = await ask(start, { authority: AUTHORITY });
  const byName = await ask(start, {
    authority: AUTHORITY,
    url: (text) => text.replace('127.0.0.1', 'localhost'),
  });
  expect([byAddress.status, byName.status]).toEqual([200, 200]);
});

test('the authorities are read once for all connections', async () => {
  const server = await startRawTls('localhost', answers);
  const { createSecureContext } = tls;
  let reads = 0;
  tls.createSecureContext = (options) => {
    if (Array.isArray(options?.ca)) reads += 1;
    return createSecureContext(options);
  };
  try {
    const transport = createUndiciTransport(server.url, { timeoutMs: 50_000, authorities: readAuthorities(AUTHORITY) });
    await Promise.all([transport.send(ASK), transport.send(ASK), transport.send(ASK)]);
    await transport.close();
  } finally {
    tls.createSecureContext = createSecureContext;
  }
  expect([server.heads.length, reads]).toEqual([3, 1]);
  await server.close();
});

test.each([
  { what: 'signed by nobody', certificate: 'self-signed', code: /SELF_SIGNED/, hint: /--ca/ },
  { what: 'signed by an unknown authority', certificate: 'localhost', code: /UNABLE_TO_/, hint: /--ca/ },
  { what: 'for another host', certificate: 'other-host', authority: AUTHORITY, code: /ALTNAME/, hint: /another host/ },
  { what: 'that has expired', certificate: 'expired', authority: AUTHORITY, code: /EXPIRED/, hint: /expired/ },
])('a certificate $what is refused, and no request is sent', async ({ certificate, authority, code, hint }) => {
  const server = await startRawTls(certificate, answers);
  const asked = ask(() => Promise.resolve(server), { authority });
  await expect(asked).rejects.toMatchObject({
    code: 'TRANSPORT_UNREACHABLE',
    message: expect.stringMatching(code) as string,
    hint: expect.stringMatching(hint) as string,
  });
  expect(server.heads).toEqual([]);
});

test('a Host header of a contract does not change which certificate is right', async () => {
  const server = await startRawTls('other-host', answers);
  const transport = createUndiciTransport(server.url, { timeoutMs: 50_000, authorities: readAuthorities(AUTHORITY) });
  const sent = transport.send({ ...ASK, rawHeaders: ['Host', 'elsewhere.example'] });
  await expect(sent).rejects.toMatchObject({ code: 'TRANSPORT_UNREACHABLE' });
  await transport.close();
  await server.close();
});

test('https where plain HTTP is spoken is unreachable, with a hint', async () => {
  const peer = await startPeer((_, response) => response.end());
  const transport = createUndiciTransport(peer.url.replace('http', 'https'), { timeoutMs: 50_000 });
  await expect(transport.send(ASK)).rejects.toMatchObject({
    code: 'TRANSPORT_UNREACHABLE',
    hint: expect.stringMatching(/not https/) as string,
  });
  await transport.close();
  await peer.close();
});

test('plain HTTP where TLS is spoken ends in an error, with a hint', async () => {
  const start = (): Promise<RawServer> => startRawTls('localhost', answers);
  const asked = ask(start, { url: (text) => text.replace('https', 'http') });
  await expect(asked).rejects.toMatchObject({
    code: expect.stringMatching(/^TRANSPORT_BROKEN_/) as string,
    hint: expect.stringMatching(/https/) as string,
  });
});

describe('a file of authorities', () => {
  const pem = readFileSync(AUTHORITY, 'utf8');

  test('is added to the authorities that Node trusts anyway', () => {
    const authorities = readAuthorities(files.write('two.pem', `# mine\n${pem}\n${pem}`));
    expect(authorities.slice(-2).map((text) => text.trim())).toEqual([pem.trim(), pem.trim()]);
    expect(authorities.length).toBeGreaterThanOrEqual(rootCertificates.length + 2);
  });

  test('is added to those that a variable of Node names, which it would forget', () => {
    const before = process.env['NODE_EXTRA_CA_CERTS'];
    const own = readFileSync(certificatePath('self-signed.pem'), 'utf8').trim();
    try {
      process.env['NODE_EXTRA_CA_CERTS'] = certificatePath('self-signed.pem');
      expect(readAuthorities(AUTHORITY)).toEqual(expect.arrayContaining([own, pem.trim()]));
      process.env['NODE_EXTRA_CA_CERTS'] = 'nowhere.pem';
      expect(readAuthorities(AUTHORITY)).toEqual([...rootCertificates, expect.stringContaining('BEGIN')]);
    } finally {
      if (before === undefined) delete process.env['NODE_EXTRA_CA_CERTS'];
      else process.env['NODE_EXTRA_CA_CERTS'] = before;
    }
  });

  test.each([
    { what: 'that does not exist', file: () => 'nowhere.pem', message: /does not exist/ },
    { what: 'without a certificate', file: () => files.write('none.pem', 'hello'), message: /no certificate/ },
    {
      what: 'with a damaged certificate',
      file: () => files.write('bad.pem', `${pem}${pem.replace(/\n[A-Za-z0-9+/]{64}\n/, '\nAAAA\n')}`),
      message: /Certificate 2 .* cannot be read/,
    },
  ])('$what is refused', ({ file, message }) => {
    expect(() => readAuthorities(file())).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) as string }),
    );
  });
});
