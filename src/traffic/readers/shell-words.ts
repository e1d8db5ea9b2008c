import { type OpenQuote, ShellCursor } from './shell-cursor';

/** A simple command of a shell script (POSIX XCU §2.9.1), its words without quotes. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** Of its first word, counted from 1. */
  readonly line: number;
  /** What a here-document gives it as standard input (§2.7.4). */
  readonly input: string | undefined;
}

/**
 * The value of a variable where a script uses it.
 *
 * @param fallback - of `${name:-fallback}`
 */
export type ExpandVariable = (name: string, fallback: string | undefined) => string;

export interface ShellScript {
  /** In the order in which they would run: those of `$(…)` before the command that uses their output. */
  readonly commands: readonly ShellCommand[];
  readonly open: OpenQuote | undefined;
}

/**
 * The simple commands of a POSIX or bash script: quotes, `$'…'` (bash §3.1.2.4), line continuations, comments, here
 * documents, variables with assignments. Nothing is run, and what structures a script, such as `if` and pipes, only ends
 * commands.
 *
 * Own code: `shell-quote` has no line ends, so that several commands become one, gives an empty word for a line
 * continuation, and says no places.
 */
export function readShellScript(text: string, expand: ExpandVariable): ShellScript {
  const variables = new Map<string, string>();
  return new ShellReader(text.replaceAll('\r\n', '\n'), 1, variables, expand).read();
}

const NAME = /[A-Za-z_]\w*|[0-9@*#?$!-]/y;
const ENDS_COMMAND = new Set(['\n', ';', '&', '|', '(', ')']);
const BLANK = /[ \t]/;

interface HereDocument {
  readonly end: string;
  readonly stripsTabs: boolean;
  readonly isLiteral: boolean;
}

class ShellReader extends ShellCursor {
  /** What the script has assigned so far. */
  private readonly variables: Map<string, string>;
  private readonly expandOther: ExpandVariable;
  private readonly commands: ShellCommand[] = [];
  private words: string[] = [];
  /** `undefined` between words. */
  private word: string | undefined;
  private startedAt = 0;
  private skipsNext = false;
  private hereDocument: HereDocument | undefined;
  private waits: { words: string[]; line: number } | undefined;

  constructor(text: string, firstLine: number, variables: Map<string, string>, expand: ExpandVariable) {
    super(text, firstLine);
    this.variables = variables;
    this.expandOther = expand;
  }

  read(): ShellScript {
    while (this.at < this.text.length) this.step(this.text[this.at] ?? '');
    this.endCommand();
    this.endHereDocument('');
    return { commands: this.commands, open: this.open };
  }

  private step(character: string): void {
    if (BLANK.test(character)) {
      this.endWord();
      this.at += 1;
    } else if (character === '\n') {
      this.endCommand();
      this.at += 1;
      if (this.hereDocument !== undefined) this.readHereDocument(this.hereDocument);
    } else if (ENDS_COMMAND.has(character)) {
      this.endCommand();
      this.at += 1;
    } else if (character === '#' && this.word === undefined) {
      this.at = this.indexOrEnd('\n');
    } else if (character === '<' || character === '>') this.redirect();
    else this.readPiece(character);
  }

  /** A piece of a word: quoted, expanded or plain. */
  private readPiece(character: string): void {
    if (this.word === undefined && this.words.length === 0) this.startedAt = this.at;
    switch (character) {
      case '\\':
        this.at += 2;
        // A continued line is no word, and ends none.
        if (this.text[this.at - 1] !== '\n') this.add(this.text[this.at - 1] ?? '');
        return;
      case "'":
        this.add(this.until("'"));
        return;
      case '"':
        this.readDoubleQuoted();
        return;
      case '`':
        this.add(this.substitute(this.until('`')));
        return;
      case '$':
        this.readDollar();
        return;
      default:
        this.at += 1;
        this.add(character);
    }
  }

  private readDollar(): void {
    const next = this.text[this.at + 1];
    if (next === "'") this.add(this.ansiQuoted());
    else if (next === '"') {
      this.at += 1;
      this.readDoubleQuoted();
    } else this.add(this.expansion());
  }

  /** From `$` on: `$name`, `${name…}`, `$(…)`; a `$` alone is one. */
  private expansion(): string {
    const next = this.text[this.at + 1];
    if (next === '(') return this.substitute(this.balanced('(', ')'));
    if (next === '{') {
      const [, name = '', fallback] =
        /^!?([A-Za-z_]\w*|[0-9@*#?$!-])(?::?[-=](.*))?/s.exec(this.balanced('{', '}')) ?? [];
      return this.expand(name, fallback);
    }
    NAME.lastIndex = this.at + 1;
    const [name] = NAME.exec(this.text) ?? [];
    this.at += 1 + (name?.length ?? 0);
    return name === undefined ? '$' : this.expand(name, undefined);
  }

  /** The commands in it would run first; what they print is not known. */
  private substitute(script: string): string {
    const line = this.lineOf(this.at) - (script.split('\n').length - 1);
    const { commands } = new ShellReader(script, line, this.variables, this.expandOther).read();
    this.commands.push(...commands);
    const assigned = /^([A-Za-z_]\w*)=$/.exec(this.word ?? '')?.[1];
    return this.expand(assigned ?? 'output', undefined);
  }

  private readDoubleQuoted(): void {
    const from = this.at;
    this.at += 1;
    this.add('');
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined) {
        this.leaveOpen(from, '"');
        return;
      }
      if (character === '"') break;
      if (character === '$') this.add(this.expansion());
      else if (character === '`') this.add(this.substitute(this.until('`')));
      else if (character === '\\') {
        const next = this.text[this.at + 1] ?? '';
        this.at += 2;
        if (next !== '\n') this.add('$`"\\'.includes(next) ? next : `\\${next}`);
      } else {
        this.at += 1;
        this.add(character);
      }
    }
    this.at += 1;
  }

  /** `> file`, `2>&1`, `< file` say nothing of the command; `<<END` gives it the lines up to that word. */
  private redirect(): void {
    if (/^\d$/.test(this.word ?? '')) this.word = undefined;
    this.endWord();
    const [operator = '', dash] = /^(?:<<<|<<(-?)|[<>]&?\|?|>>)/.exec(this.text.slice(this.at, this.at + 3)) ?? [];
    this.at += operator.length;
    if (operator.startsWith('<<') && operator !== '<<<') {
      const [whole = '', quote = '', end = ''] =
        /^[ \t]*(['"\\]?)([^\s'";&|<>]+)['"]?/.exec(this.text.slice(this.at, this.at + 200)) ?? [];
      this.at += whole.length;
      this.hereDocument = { end, stripsTabs: dash === '-', isLiteral: quote !== '' };
    } else this.skipsNext = true;
  }

  private readHereDocument({ end, stripsTabs, isLiteral }: HereDocument): void {
    const lines: string[] = [];
    while (this.at < this.text.length) {
      const stop = this.indexOrEnd('\n');
      const raw = this.text.slice(this.at, stop);
      this.at = stop + 1;
      const line = stripsTabs ? raw.replace(/^\t+/, '') : raw;
      if (line === end) break;
      lines.push(`${line}\n`);
    }
    const text = lines.join('');
    const input = isLiteral
      ? text
      : text.replace(
          /\\([$`\\])|\$(?:\{(\w+)\}|([A-Za-z_]\w*))/g,
          (_, escaped?: string, braced?: string, name?: string) => {
            return escaped ?? this.expand(braced ?? name ?? '', undefined);
          },
        );
    this.endHereDocument(input);
  }

  private endHereDocument(input: string): void {
    this.hereDocument = undefined;
    if (this.waits !== undefined) this.commands.push({ ...this.waits, input });
    this.waits = undefined;
  }

  private expand(name: string, fallback: string | undefined): string {
    return this.variables.get(name) ?? this.expandOther(name, fallback);
  }

  private add(text: string): void {
    this.word = (this.word ?? '') + text;
  }

  private endWord(): void {
    if (this.word === undefined) return;
    if (!this.skipsNext) this.words.push(this.word);
    this.skipsNext = false;
    this.word = undefined;
  }

  private endCommand(): void {
    this.endWord();
    this.skipsNext = false;
    if (this.words.length === 0) return;
    const assigned = assignmentsOf(this.words);
    if (assigned !== undefined) {
      for (const [name, value] of assigned) this.variables.set(name, value);
      this.words = [];
      return;
    }
    const command = { words: this.words, line: this.lineOf(this.startedAt) };
    this.words = [];
    if (this.hereDocument === undefined || this.waits !== undefined)
      this.commands.push({ ...command, input: undefined });
    else this.waits = command;
  }
}

/** `A=1 B=2` and `export A=1`: what such a command assigns; `undefined` for any other one. */
function assignmentsOf(words: readonly string[]): (readonly [name: string, value: string])[] | undefined {
  const [first = ''] = words;
  const isDeclared = ['export', 'local', 'readonly', 'declare'].includes(first);
  const pairs = (isDeclared ? words.slice(1) : words).map((word) => /^([A-Za-z_]\w*)=(.*)$/s.exec(word));
  if (pairs.length === 0 || (!isDeclared && pairs.includes(null))) return undefined;
  return pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? '', pair[2] ?? ''] as const]));
}
