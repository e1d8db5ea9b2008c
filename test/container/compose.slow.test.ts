import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { killAll, serve, type Served } from '../cli/standin-process';
import { hasRedis, startRedis } from '../support/redis-server';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/until';
import { composeServices, ROOT } from './dockerfile';

const services = composeServices();
const hasNginx = spawnSync('nginx', ['-v']).error === undefined;

const children = new Set<ChildProcess>();
afterEach(() => {
  killAll();
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

/** The proxy of compose.yaml in front of mocks at other ports, at a socket. */
function proxyFor(ports: readonly string[]): {
  readonly ask: (method: string, path: string, body?: string) => { status: number; text: string };
} {
  const folder = temporaryFolder();
  const [proxyFile = ''] = (services['proxy']?.volumes ?? []).map((volume) => volume.split(':')[0] ?? '');
  const server = readFileSync(join(ROOT, proxyFile), 'utf8')
    .replace('mock-1:4010', `127.0.0.1:${ports[0] ?? ''}`)
    .replace('mock-2:4010', `127.0.0.1:${ports[1] ?? ''}`)
    .replace('listen 4010', `listen unix:${folder.file('proxy.sock')}`);
  mkdirSync(folder.file('logs'));
  const conf = folder.write(
    'nginx.conf',
    `events {}\npid ${folder.file('pid')};\nhttp {\naccess_log off;\n${server}\n}\n`,
  );
  const nginx = spawn('nginx', ['-p', folder.path, '-c', conf, '-g', 'daemon off; master_process off;'], {
    stdio: 'ignore',
  });
  children.add(nginx);
  const common = [
    '-s',
    '-w',
    '\n%{http_code}',
    '--unix-socket',
    folder.file('proxy.sock'),
    '-H',
    'Authorization: Bearer test-key',
  ];
  return {
    ask(method, path, body) {
      const more = body === undefined ? [] : ['--data', body, '--header', 'Content-Type: application/json'];
      const { stdout } = spawnSync('curl', [...common, '-X', method, ...more, `http://localhost${path}`], {
        encoding: 'utf8',
      });
      const lines = stdout.split('\n');
      return { status: Number(lines.pop()), text: lines.join('\n') };
    },
  };
}

(hasRedis && hasNginx ? test : test.skip)(
  'two mocks, Redis and the proxy, by the text of compose.yaml, are one mock that survives the loss of either',
  async () => {
    const [, ...redisFlags] = services['redis']?.command ?? [];
    const redis = await startRedis(...redisFlags);
    const [, ...flags] = services['mock-1']?.command ?? [];
    const own = flags.map((flag) => flag.replace('redis:6379', `127.0.0.1:${redis.port}`));
    expect(own.join(' ')).toContain(`redis://127.0.0.1:${redis.port}/0`);
    const start = (): Promise<Served> => serve(own.map((flag) => (flag === '0.0.0.0' ? '127.0.0.1' : flag)));
    const mocks = [await start(), await start()];
    const ports = mocks.map(({ url }) => new URL(url).port);

    const { ask } = proxyFor(ports);
    await until(() => ask('GET', '/__standin/ready').status === 200, 'the proxy to be ready');

    for (let each = 0; each < 6; each++) expect(ask('POST', '/categories', `{"name":"c${each}"}`).status).toBe(201);
    await mocks[0]?.stop('SIGKILL');
    const after = Array.from({ length: 6 }, (_, each) => ask('POST', '/categories', `{"name":"d${each}"}`).status);
    expect(after).toEqual([201, 201, 201, 201, 201, 201]);
    const names = (JSON.parse(ask('GET', '/categories?limit=50').text) as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['Dog', 'Cat', 'c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'd0', 'd1', 'd2', 'd3', 'd4', 'd5']);
    await redis.stop();
  },
);
