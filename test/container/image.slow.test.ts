import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { dockerfile, execForm, ROOT, type Stage, stagesOf } from './dockerfile';

const folder = temporaryFolder();

/** Files that the context of a build holds: those of the repository, without what .dockerignore names. */
function contextFiles(): string[] {
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return files.split('\n').filter((file) => file !== '' && !ignored.includes(file.split('/')[0] ?? ''));
}

/** Builds a stage in a folder that stands for its root: what COPY, WORKDIR and RUN do. The image itself is this machine. */
class Built {
  readonly root: string;
  workdir = '/';
  environment: Record<string, string> = {};
  private readonly earlier: ReadonlyMap<string, Built>;

  constructor(root: string, earlier: ReadonlyMap<string, Built>) {
    this.root = root;
    this.earlier = earlier;
    mkdirSync(root, { recursive: true });
  }

  build({ instructions }: Stage): void {
    for (const { name, text } of instructions) {
      if (name === 'WORKDIR') mkdirSync(this.at((this.workdir = text)), { recursive: true });
      if (name === 'ENV') Object.assign(this.environment, Object.fromEntries([text.split('=')]));
      if (name === 'COPY') this.copy(text.split(/\s+/));
      if (name === 'RUN') this.run(text);
    }
  }

  at(path: string): string {
    return join(this.root, path.startsWith('/') ? path : join(this.workdir, path));
  }

  private copy(words: readonly string[]): void {
    const from = words[0]?.startsWith('--from=') === true ? this.earlier.get(words[0].slice(7)) : undefined;
    const paths = words.filter((word) => !word.startsWith('--'));
    const target = paths.at(-1) ?? '';
    for (const path of paths.slice(0, -1)) {
      if (from !== undefined) {
        const to = target.endsWith('/') ? join(target, basename(path)) : target;
        cpSync(from.at(path), this.at(to), { recursive: true });
      } else {
        for (const file of path === '.' ? contextFiles() : [path]) {
          mkdirSync(dirname(this.at(join(target, file))), { recursive: true });
          cpSync(join(ROOT, file), this.at(join(target, file)));
        }
      }
    }
  }

  /** As in an image: with a path and a home, and nothing of who runs this. */
  private run(command: string): void {
    const { status, stderr } = spawnSync('sh', ['-c', command], {
      cwd: this.at('.'),
      encoding: 'utf8',
      env: { ...BARE, ...this.environment },
    });
    if (status !== 0) throw new Error(`RUN ${command}: ${stderr.slice(-2000)}`);
  }
}

const BARE = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
let running: ChildProcess | undefined;
afterAll(() => {
  running?.kill();
});

test('each RUN works in a bare folder, and what comes of it serves a mock whose health is asked as the image asks', async () => {
  const stages = stagesOf(dockerfile());
  const built = new Map<string, Built>();
  for (const [index, stage] of stages.entries()) {
    const each = new Built(join(folder.path, String(index)), built);
    each.build(stage);
    built.set(stage.name ?? 'last', each);
  }
  const last = built.get('last');
  const instructions = stages.at(-1)?.instructions ?? [];
  const words = (wanted: string): readonly string[] =>
    execForm(instructions.find(({ name }) => name === wanted)?.text ?? '') ?? [];
  const own = (word: string): string => (word.startsWith('/opt/') ? (last?.at(word) ?? '') : word);
  const [command = '', ...rest] = [...words('ENTRYPOINT'), ...words('CMD')].map(own);
  const health = (): number | null => {
    const [node = '', ...args] = words('HEALTHCHECK');
    return spawnSync(node, args, { env: BARE }).status;
  };
  // Nobody answers yet, where nothing else on this machine does.
  const isFree = health() !== 0;
  running = spawn(command, rest, { cwd: last?.at('/work'), env: BARE, stdio: 'ignore' });
  for (let tries = 0; tries < 100 && health() !== 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  expect(health()).toBe(0);
  if (isFree) expect(running.exitCode).toBeNull();
}, 600_000);
