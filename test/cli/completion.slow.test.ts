import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/cli/registry';
import { temporaryFolder } from '../support/temporary-folder';
import { endedHere } from './standin-process';

const folder = temporaryFolder();

async function scriptFor(shell: string): Promise<string> {
  const { stdout, exitCode } = await endedHere(['completion', shell]);
  expect(exitCode).toBe(0);
  const file = join(folder.path, `completion.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

/** What bash offers for the last word of a command line. */
async function inBash(...words: readonly string[]): Promise<string[]> {
  const file = await scriptFor('bash');
  const script =
    'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _standin; printf "%s\\n" "${COMPREPLY[@]}"';
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', file, 'standin', ...words], {
    encoding: 'utf8',
    cwd: folder.path,
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

describe('bash', () => {
  test('completes commands', async () => {
    expect(await inBash('')).toEqual(COMMANDS.map(({ name }) => name));
    expect(await inBash('me')).toEqual(['merge-reports']);
  });

  test('completes the flags of a command', async () => {
    expect(await inBash('verify', 'contracts', '--save')).toEqual(['--save-failures']);
    expect(await inBash('--ver')).toEqual(['--version']);
  });

  test('completes the values that a flag has, in both forms', async () => {
    expect(await inBash('mock', '--log', 'j')).toEqual(['json']);
    expect(await inBash('mock', '--log', '=', 'j')).toEqual(['json']);
    expect(await inBash('mock', '--log', '=')).toEqual(['pretty', 'json', 'silent']);
  });

  test('completes files where there are any, and nothing where a text follows', async () => {
    writeFileSync(join(folder.path, 'openapi.yaml'), '');
    expect(await inBash('mock', 'open')).toEqual(['openapi.yaml']);
    expect(await inBash('mock', '--overrides', 'open')).toEqual(['openapi.yaml']);
    expect(await inBash('mock', '--port', 'open')).toEqual([]);
  });
});

const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).error === undefined;

(isThere('fish') ? test : test.skip)('fish completes commands, flags and values', async () => {
  const file = await scriptFor('fish');
  const complete = (line: string): string[] => {
    const script = 'source $argv[1]; complete -C $argv[2]';
    const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', script, file, line], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.split('\n').map((each) => each.split('\t')[0] ?? '');
  };
  expect(complete('standin mer')).toContain('merge-reports');
  expect(complete('standin mock --log ')).toEqual(expect.arrayContaining(['json', 'pretty', 'silent']));
  expect(complete('standin verify --save')).toContain('--save-failures');
});

(isThere('zsh') ? test : test.skip)('zsh takes the script', async () => {
  const file = await scriptFor('zsh');
  // -d names the file that compinit renames its dump over, even after -D: never a device.
  const script = 'autoload -Uz compinit; compinit -d "$2"; source "$1"; print -r -- $_comps[standin]';
  const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script, 'zsh', file, join(folder.path, 'zcompdump')], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout).toBe('_standin\n');
});

test('another shell is rejected with those that there are', async () => {
  const { exitCode, stderr } = await endedHere(['completion', 'fisch']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('There is no completion for the shell "fisch"');
  expect(stderr).toContain('Did you mean "fish"? There are scripts for bash, zsh, fish.');
});

test('--version --json says what a bug report needs', async () => {
  const { exitCode, stdout } = await endedHere(['--version', '--json']);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    name: 'standin',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
  });
});
