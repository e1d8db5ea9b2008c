import { spawnSync } from 'node:child_process';
import { killAll, serve } from '../cli/standin-process';
import { endedRun } from '../cli/standin-process';
import { hasRedis, startRedis } from '../support/redis-server';
import { temporaryFolder } from '../support/temporary-folder';

afterEach(killAll);

const hasTls = hasRedis && spawnSync('openssl', ['version']).error === undefined;

(hasTls ? test : test.skip)(
  'a Redis behind TLS and a password: by the address, the environment and the CA of the machine, and in no log',
  async () => {
    const folder = temporaryFolder();
    const [key, cert] = [folder.file('key.pem'), folder.file('cert.pem')];
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
    ]);
    expect(made.status).toBe(0);
    const tlsPort = 20_000 + (process.pid % 20_000);
    const redis = await startRedis(
      ...['--tls-port', String(tlsPort), '--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert],
      ...['--tls-auth-clients', 'no', '--requirepass', 'a-secret-word'],
    );
    const address = `rediss://localhost:${tlsPort}/0`;
    const env = { STANDIN_REDIS_PASSWORD: 'a-secret-word', NODE_EXTRA_CA_CERTS: cert };
    const mock = await serve(['--store', address], { env });
    const made1 = await fetch(`${mock.url}/categories`, {
      method: 'POST',
      headers: { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' },
      body: '{"name":"over TLS"}',
    });
    expect(made1.status).toBe(201);
    const { stdout, stderr } = await mock.stop();
    expect(stdout).toContain(`Store:    ${address}`);
    expect(stdout + stderr).not.toContain('a-secret-word');

    const stranger = await endedRun(['mock', '--port', '0', '--store', address], {
      env: { ...env, NODE_EXTRA_CA_CERTS: '' },
    });
    expect([stranger.exitCode, stranger.stderr]).toEqual([2, expect.stringMatching(/STORE_UNUSABLE.*self-signed/s)]);
    expect(stranger.stderr).toContain('NODE_EXTRA_CA_CERTS');
    await redis.stop();
  },
);
