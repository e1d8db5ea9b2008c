import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningServer, ServerCase, Session } from './server';
import { replay, STANDIN, stop, type Trial } from './try-server';

/**
 * Records the client of a server, and replays the recording at this server and at a new one.
 *
 * @param isDescribed - is it recorded with the published description? Otherwise without one
 */
export async function tryRecorded(server: ServerCase, session: Session, isDescribed: boolean): Promise<Trial[]> {
  const folder = mkdtempSync(join(tmpdir(), 'standin-recorded-'));
  const children: ChildProcess[] = [];
  const started = async (name: string): Promise<RunningServer> => {
    const own = join(folder, name);
    mkdirSync(own);
    const running = await server.start(own, (command, args) => {
      children.push(spawn(command, args, { cwd: own, stdio: 'ignore' }));
    });
    return isDescribed ? running : { ...running, flags: running.inferredFlags ?? running.flags };
  };
  try {
    const first = await started('first');
    const written = join(folder, 'written');
    mkdirSync(written);
    await record(first, session, written, isDescribed);
    const leaks = secretsIn(written, session.secrets);
    const contract = join(written, 'recorded.yaml');
    const description = isDescribed ? first.description : join(written, 'recorded.openapi.yaml');
    // What a description says wrongly is wrong of the recorded contract as well; one that was inferred has only what the server did.
    const findings = isDescribed ? server.findings : (server.findingsOfInferred ?? []);
    const manner = `recorded ${isDescribed ? 'by its description' : 'without a description'}`;
    const same = await replay({ ...server, findings }, first, {
      contract,
      description,
      folder,
      flags: ['--mode', 'own', '--lock-step'],
    });
    const second = await started('second');
    const fresh = await replay({ ...server, findings }, second, {
      contract,
      description,
      folder,
      flags: ['--mode', 'own', '--lock-step'],
    });
    return [
      { ...same, version: `${first.version}, ${manner}`, falseAlarms: [...leaks, ...same.falseAlarms] },
      { ...fresh, version: `${first.version}, ${manner}, at a fresh one` },
    ];
  } finally {
    await Promise.all(children.map(stop));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function record(
  { baseUrl, description }: RunningServer,
  { act }: Session,
  folder: string,
  isDescribed: boolean,
): Promise<void> {
  const flags = [
    '--target',
    baseUrl,
    '--out',
    'recorded.yaml',
    '--port',
    '0',
    ...(isDescribed ? ['--spec', description] : []),
  ];
  const recorder = spawn('node', [STANDIN, 'record', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its first line is read here, and where CI is set it is coloured.
    env: { ...process.env, NO_COLOR: '1' },
  });
  let told = '';
  const ended = new Promise<number | null>((resolve) => recorder.once('exit', resolve));
  const late = setTimeout(() => recorder.kill('SIGKILL'), 60_000);
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [recorder.stdout, recorder.stderr])
      stream.on('data', (text: Buffer) => {
        told += text.toString();
        const [, at] = /recorded at (http:\S+)/.exec(told) ?? [];
        if (at !== undefined) resolve(at);
      });
    void ended.then(() => {
      reject(new Error(`standin record ended, or was not there within 60 s: ${told}`));
    });
  });
  clearTimeout(late);
  try {
    await act(url, (command, args) =>
      execFileSync(command, args, { encoding: 'utf8', env: { ...process.env, HOME: folder } }),
    );
  } finally {
    recorder.kill('SIGINT');
  }
  const status = await ended;
  if (status !== 0) throw new Error(`standin record ended with ${String(status)}: ${told}`);
}

/** Files that hold a secret, in words. */
function secretsIn(folder: string, secrets: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ name, parentPath }) => {
      const text = readFileSync(join(parentPath, name), 'utf8');
      return secrets.some((secret) => text.includes(secret)) ? [`${name} holds a secret of the session`] : [];
    });
}
