import { ConfigError } from '../../core/errors/standin-error';
import { didYouMean } from '../../core/text/similar-name';
import type { CommandDefinition } from '../options/command-definition';
import { CONFIG_OPTION } from '../options/flags';
import { printText } from '../terminal/terminal';

/** A flag as a shell completes it. */
interface Completed {
  /** `--port`, and `-p` where there is one. */
  readonly names: readonly string[];
  readonly about: string;
  /** What follows it: nothing, a file, one of some words, or a text that no shell knows. */
  readonly value: 'none' | 'file' | 'text' | readonly string[];
}

interface CompletedCommand {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly Completed[];
}

type Writer = (commands: readonly CompletedCommand[]) => string;

const WRITERS: Readonly<Record<string, Writer>> = { bash, zsh, fish };

/**
 * Prints the script with which a shell completes commands, flags, and the values of flags that have few.
 *
 * @throws ConfigError `CONFIG_INVALID` for another shell
 */
export function completion(shell: string, commands: readonly CommandDefinition[]): number {
  const writer = Object.hasOwn(WRITERS, shell) ? WRITERS[shell] : undefined;
  if (writer === undefined) {
    const known = Object.keys(WRITERS);
    const hint = `${didYouMean(shell, known) ?? ''} There are scripts for ${known.join(', ')}.`.trim();
    throw new ConfigError('CONFIG_INVALID', `There is no completion for the shell "${shell}"`, { hint });
  }
  printText(process.stdout, writer(commands.map(completed)));
  return 0;
}

function completed({ name, about, options }: CommandDefinition): CompletedCommand {
  const flags = Object.values({ ...options, ...CONFIG_OPTION }).flatMap(({ flag, doc, type, path }): Completed[] => {
    if (flag === undefined) return [];
    const names = flag.match(/(?<![\w-])--?[A-Za-z][\w-]*/g) ?? [];
    if (!/[<[]/.test(flag)) return [{ names, about: doc, value: 'none' }];
    return [{ names, about: doc, value: type.choices ?? (path === undefined ? 'text' : 'file') }];
  });
  return { name, about, flags: [...flags, { names: ['-h', '--help'], about: 'print this help', value: 'none' }] };
}

/** Flags of `standin` itself. */
const OWN = ['--help', '--version'];

function bash(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name);
  const values = commands.flatMap(({ name, flags }) =>
    flags.flatMap(({ names: all, value }) => {
      if (value === 'none') return [];
      const patterns = all.map((each) => `"${name} ${each}"`).join('|');
      const words = typeof value === 'string' ? '' : `COMPREPLY=($(compgen -W "${value.join(' ')}" -- "$cur"))`;
      return [`    ${patterns}) ${value === 'file' ? 'COMPREPLY=($(compgen -f -- "$cur"))' : words || ':'}; return ;;`];
    }),
  );
  return `# Completion of standin for bash: source <(standin completion bash)
_standin() {
  local cur prev command= word
  cur=\${COMP_WORDS[COMP_CWORD]}
  prev=\${COMP_WORDS[COMP_CWORD-1]}
  # --log=json is three words.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in ${names.join('|')}) command=$word; break ;; esac
  done
  COMPREPLY=()
  case "$command $prev" in
${values.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case $command in
${commands.map(({ name, flags }) => `      ${name}) COMPREPLY=($(compgen -W "${flags.flatMap((each) => each.names).join(' ')}" -- "$cur")) ;;`).join('\n')}
      *) COMPREPLY=($(compgen -W "${OWN.join(' ')}" -- "$cur")) ;;
    esac
  elif [[ -z $command ]]; then
    COMPREPLY=($(compgen -W "${names.join(' ')}" -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F _standin standin
`;
}

/** A text within single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function zsh(commands: readonly CompletedCommand[]): string {
  const plain = (text: string): string => text.replaceAll(/[[\]\\]/g, String.raw`\$&`).replaceAll(':', String.raw`\:`);
  const flag = ({ names, about, value }: Completed): string[] => {
    const follows = { none: '', file: ':file:_files', text: ':value: ' } as const;
    const suffix = typeof value === 'string' ? follows[value] : `:value:(${value.join(' ')})`;
    return names.map((name) => `        ${quoted(`*${name}[${plain(about)}]${suffix}`)} \\`);
  };
  return `#compdef standin
# Completion of standin for zsh: source <(standin completion zsh)
_standin() {
  local -a commands
  commands=(
${commands.map(({ name, about }) => `    ${quoted(`${name}:${plain(about)}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${commands.map(({ name, flags }) => [`    ${name})`, '      _arguments \\', ...flags.flatMap(flag), "        '*:file:_files'", '      ;;'].join('\n')).join('\n')}
  esac
}
if [[ $funcstack[1] == _standin ]]; then _standin; else compdef _standin standin; fi
`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const flag = (command: string, { names, about, value }: Completed): string => {
    const spelled = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
    const follows = { none: '', file: ' -rF', text: ' -x' } as const;
    const suffix = typeof value === 'string' ? follows[value] : ` -xa ${quoted(value.join(' '))}`;
    const condition = quoted(`__fish_seen_subcommand_from ${command}`);
    return `complete -c standin -n ${condition} ${spelled.join(' ')}${suffix} -d ${fishQuoted(about)}`;
  };
  return [
    '# Completion of standin for fish: standin completion fish | source',
    ...commands.map(
      ({ name, about }) => `complete -c standin -n __fish_use_subcommand -fa ${name} -d ${fishQuoted(about)}`,
    ),
    ...commands.flatMap(({ name, flags }) => flags.map((each) => flag(name, each))),
    '',
  ].join('\n');
}

/** Within single quotes fish knows `\'` and `\\`. */
const fishQuoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
