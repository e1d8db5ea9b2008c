// The manual page, dist/man/standin.1, from the table of commands: every command with its flags, as in --help.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findLoadedFiles } from './sources.mjs';

const require = createRequire(import.meta.url);

/** A text of groff_man(7): a backslash is one, a line begins no request, and a hyphen can be searched for. */
const plain = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
    .replace(/[^\n -~]/gu, (letter) => `\\[u${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);
const bold = (text) => `\\fB${plain(text)}\\fR`;
const block = (text) => ['.nf', plain(text), '.fi'];

const optionLines = (options) => options.flatMap(({ flags, description }) => ['.TP', bold(flags), plain(description)]);
const commandLines = (command) => {
  const notes = [];
  // What stands after the options: exit codes and examples.
  command.emit('afterHelp', { error: false, command, write: (text) => notes.push(text) });
  const usage = command.registeredArguments.map((each) => {
    const name = each.variadic ? `${each.name()}...` : each.name();
    return each.required ? `<${name}>` : `[${name}]`;
  });
  return [
    `.SS ${bold([command.name(), ...usage].join(' '))}`,
    plain(command.description()),
    ...command.registeredArguments.flatMap((each) => ['.TP', bold(each.name()), plain(each.description)]),
    ...optionLines(command.options),
    ...(notes.join('').trim() === '' ? [] : ['.PP', ...block(notes.join('').trim())]),
  ];
};

export function run(root) {
  const main = join(root, 'dist', 'src', 'cli', 'main.js');
  const { createProgram } = require(main);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const program = createProgram([], () => undefined);
  const lines = [
    `.\\" Made by scripts/man.mjs of the table of commands.`,
    `.TH STANDIN 1 "" "standin ${version}" "User Commands"`,
    '.SH NAME',
    'standin \\- stateful mock of an OpenAPI description, and a runner that checks a service against it',
    '.SH SYNOPSIS',
    ...program.commands.flatMap((command) => ['.br', `${bold(`standin ${command.name()}`)} [\\fIOPTION\\fR...]`]),
    '.SH DESCRIPTION',
    plain(program.description()),
    '.SH OPTIONS',
    ...optionLines([...program.options, { flags: '-h, --help', description: 'print help, of a command as well' }]),
    '.SH COMMANDS',
    ...program.commands.flatMap(commandLines),
    '.SH FILES',
    '.TP',
    bold('standin.config.yaml'),
    'flags of commands, in this folder or one above it',
    '.SH SEE ALSO',
    plain('standin COMMAND --help, and the folder docs of the package'),
    '',
  ];
  const output = join('dist', 'man', 'standin.1');
  mkdirSync(join(root, 'dist', 'man'), { recursive: true });
  writeFileSync(join(root, output), lines.join('\n'));
  return { inputs: findLoadedFiles(root, require, main), outputs: [output] };
}
