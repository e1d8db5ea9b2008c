import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiledCodePath } from '../../src/cli/compiled-code';

const ROOT = join(__dirname, '..', '..');
const BIN = join(ROOT, 'dist', 'bin');
const COMMAND_LINE = join(BIN, 'command-line.js');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'standin-launch-'));
  mkdirSync(join(folder, 'bin'));
  for (const name of ['standin.js', 'command-line.js']) copyFileSync(join(BIN, name), join(folder, 'bin', name));
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('without compiled code, as on another version of Node, the command line is compiled', () => {
  expect(run(join(folder, 'bin', 'standin.js'), '--version')).toStrictEqual({ status: 0, stdout: `${version}\n` });
});

test.each([
  ['is none', Buffer.from('nothing that V8 knows')],
  ['is empty', Buffer.alloc(0)],
])('code that %s is passed over', (_name, code) => {
  writeFileSync(compiledCodePath(join(folder, 'bin', 'command-line.js')), code);
  expect(run(join(folder, 'bin', 'standin.js'), '--version')).toStrictEqual({ status: 0, stdout: `${version}\n` });
});

// The build makes it for its own version of Node alone.
(existsSync(compiledCodePath(COMMAND_LINE)) ? test : test.skip)('V8 takes the code that the build made', () => {
  const path = JSON.stringify(join(ROOT, 'dist', 'src', 'cli', 'compiled-code.js'));
  const script = `
    const { compiledCodePath, loadScript } = require(${path});
    const file = ${JSON.stringify(COMMAND_LINE)};
    const { cachedDataRejected } = loadScript(file, require('node:fs').readFileSync(compiledCodePath(file)));
    process.stdout.write(String(cachedDataRejected));`;
  expect(run('-e', script)).toStrictEqual({ status: 0, stdout: 'false' });
});

function run(...args: string[]): { status: number | null; stdout: string } {
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return { status, stdout };
}
