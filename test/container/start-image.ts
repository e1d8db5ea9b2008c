import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { dockerfile, execForm, type Stage, stagesOf } from './dockerfile';

// Does what the last two stages of the Dockerfile say, without a container: runs the commands in a folder that stands for
// /opt/standin, starts the mock as ENTRYPOINT and CMD say, and asks for its health as HEALTHCHECK says.
//
//   node --import tsx test/container/start-image.ts TARBALL FOLDER

const INSTALLED = '/opt/standin';
const PORT = '4010';

function readTexts({ instructions }: Stage, wanted: string): string[] {
  return instructions.filter(({ name }) => name === wanted).map(({ text }) => text);
}

function requireEqual(what: string, actual: unknown, expected: unknown): void {
  const [found, wanted] = [actual, expected].map((value) => JSON.stringify(value));
  if (found !== wanted) throw new Error(`${what}: expected ${wanted ?? ''}, got ${found ?? 'nothing'}`);
}

async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

async function startImage(tarball: string, folder: string): Promise<void> {
  const [install, last] = stagesOf(dockerfile()).slice(-2) as [Stage, Stage];
  const from = install.name ?? '';
  requireEqual('WORKDIR of the stage that installs', readTexts(install, 'WORKDIR'), [INSTALLED]);
  requireEqual('COPY of the last stage', readTexts(last, 'COPY'), [`--from=${from} ${INSTALLED} ${INSTALLED}`]);
  requireEqual('EXPOSE of the last stage', readTexts(last, 'EXPOSE'), [PORT]);

  // A container has a path and a home, and no other variables of this machine.
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', NODE_ENV: 'production' };
  mkdirSync(folder, { recursive: true });
  copyFileSync(tarball, join(folder, 'standin.tgz'));
  for (const command of readTexts(install, 'RUN')) {
    const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8', env });
    requireEqual(`RUN ${command}\n${stderr}`, status, 0);
  }

  const port = await findFreePort();
  const readCommand = (instruction: string): string[] =>
    (execForm(readTexts(last, instruction)[0] ?? '') ?? []).map((word) =>
      word.replace(INSTALLED, folder).replace(`:${PORT}/`, `:${port}/`),
    );
  const [node = '', ...script] = readCommand('HEALTHCHECK');
  const checkHealth = (): number | null => spawnSync(node, script, { env }).status;
  requireEqual('exit code of HEALTHCHECK before the start', checkHealth(), 1);
  const [command, ...parameters] = [...readCommand('ENTRYPOINT'), ...readCommand('CMD'), '--port', port];
  const mock = spawn(command, parameters, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const output = await Promise.race([once(mock.stdout, 'data'), once(mock, 'exit')]);
    requireEqual('exit code of HEALTHCHECK after the start', checkHealth(), 0);
    process.stdout.write(String(output[0]));
  } finally {
    mock.kill();
  }
}

const [, , tarball = '', folder = ''] = process.argv;
void startImage(tarball, folder);
