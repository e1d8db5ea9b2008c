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
const compiled = existsSync(compiledCodePath(COMMAND_LINE)) ? test : test.skip;

compiled('V8 takes the code that the build made', () => {
  const path = JSON.stringify(join(ROOT, 'dist', 'src', 'cli', 'compiled-code.js'));
  const script = `
    const { compiledScript } = require(${path});
    process.stdout.write(String(compiledScript(${JSON.stringify(COMMAND_LINE)})?.cachedDataRejected));`;
  expect(run('-e', script)).toStrictEqual({ status: 0, stdout: 'false' });
});

compiled('code that was damaged is passed over, and does not end the process', () => {
  const code = readFileSync(compiledCodePath(COMMAND_LINE));
  for (let index = 0; index < 50; index++)
    code.writeUInt8(code.readUInt8(100_000 + index * 137) ^ 0xff, 100_000 + index * 137);
  writeFileSync(compiledCodePath(join(folder, 'bin', 'command-line.js')), code);
  expect(run(join(folder, 'bin', 'standin.js'), '--version')).toStrictEqual({ status: 0, stdout: `${version}\n` });
});

compiled('a file that was changed is run as it is now, also where its length is the same', () => {
  const file = join(folder, 'bin', 'command-line.js');
  copyFileSync(compiledCodePath(COMMAND_LINE), compiledCodePath(file));
  const text = readFileSync(file, 'utf8');
  const said = 'Serve a stateful mock';
  expect(text).toContain(said);
  writeFileSync(file, text.replaceAll(said, said.toUpperCase()));
  expect(run(join(folder, 'bin', 'standin.js'), '--help').stdout).toContain(said.toUpperCase());
});

function run(...args: string[]): { status: number | null; stdout: string } {
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return { status, stdout };
}
