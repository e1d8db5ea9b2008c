import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { CommanderError, type Command, type Option } from 'commander';
import { readTextFile } from '../adapters/node/read-file';
import { ConfigError, HarnessError } from '../errors/harness-error';
import { FormatJudge, MemberReader, type PlacedValue } from '../formats/member-reader';
import { isAddress } from '../http/is-address';
import { joinPointer } from '../json/json-pointer';
import { isJsonObject } from '../json/json-value';
import { scalarText } from '../json/scalar-text';
import { readSource } from '../openapi/read-source';
import { AGREEMENTS, configKeys, type ConfigKey, type ConfigValue } from './config-keys';
import { say } from './terminal';

/** Version of the format, written in the file. */
export const CONFIG_FORMAT = 'config/1';

/** Names that are looked for in the working directory, the first one first. */
export const CONFIG_FILES: readonly string[] = ['standin.config.yaml', 'standin.config.yml', 'standin.config.json'];

/** Names of the description at the top of the file, and of the members of sections that it stands for. */
const DESCRIPTION = 'description';
const DESCRIPTION_MEMBERS: readonly string[] = [DESCRIPTION, 'spec'];

/**
 * Sets what the configuration file says for a command and what no flag of the command line says otherwise.
 *
 * @param command - parsed already; its action has not begun
 * @throws ConfigError `CONFIG_INVALID` with every finding, of the sections of other commands as well
 */
export function applyConfigFile(program: Command, command: Command): void {
  const file = configFileOf(command);
  if (file === undefined) return;
  const used = new ConfigFile(file, program).applyTo(command);
  if (used.length > 0) say(process.stderr, `Config: ${file} (${command.name()}: ${used.join(', ')})\n`);
}

function configFileOf(command: Command): string | undefined {
  const { config } = command.opts<{ readonly config?: string }>();
  if (config === 'off') return undefined;
  return config ?? CONFIG_FILES.find((name) => existsSync(name));
}

class ConfigFile {
  private readonly file: string;
  private readonly program: Command;
  private readonly judge: FormatJudge;

  constructor(file: string, program: Command) {
    this.file = file;
    this.program = program;
    const text = readTextFile(
      file,
      (message, hint, cause) => new ConfigError('CONFIG_INVALID', message, { hint, cause }),
    );
    this.judge = new FormatJudge(readSource(text, file), 'config-format');
  }

  /** @returns the names of the members that had an effect */
  applyTo(command: Command): string[] {
    const { judge, program } = this;
    const commands = program.commands.filter((each) => configKeys(each).length > 0);
    const names = commands.map((each) => each.name());
    const known = ['$schema', 'standin', DESCRIPTION, ...names];
    const members = MemberReader.open({ value: judge.document.root, pointer: '' }, 'configuration', known, judge);
    if (members !== undefined && members.value('standin') !== CONFIG_FORMAT)
      members.refuse('standin', `standin: ${CONFIG_FORMAT}`);
    members?.text('$schema');
    const description = members?.text(DESCRIPTION);
    // All sections are judged, whichever command is run: a slip is better told at once.
    const settings = commands.map((each) => ({ each, settings: this.read(members, each) }));
    if (judge.findings.length > 0) throw this.refusal();
    const own = settings.find(({ each }) => each === command)?.settings ?? [];
    const key = configKeys(command).find(({ name }) => DESCRIPTION_MEMBERS.includes(name));
    const isSaid = own.some((setting) => setting.key === key);
    const shared =
      key === undefined || description === undefined || isSaid || command.name() === 'cleanup'
        ? []
        : [{ key, value: this.pathOf(description) }];
    return [...shared, ...own].filter((setting) => apply(command, setting)).map((setting) => setting.key.name);
  }

  private refusal(): ConfigError {
    const { findings } = this.judge;
    const count = findings.length === 1 ? '1 error' : `${findings.length} errors`;
    return new ConfigError('CONFIG_INVALID', `The configuration ${this.file} cannot be used: ${count}`, { findings });
  }

  private read(members: MemberReader | undefined, command: Command): Setting[] {
    const value = members?.value(command.name());
    if (members === undefined || value === undefined) return [];
    const pointer = members.at(command.name());
    const keys = configKeys(command);
    const agreements = command.options.filter((option) => AGREEMENTS.has(option.attributeName()));
    const known = [...keys.map(({ name }) => name), ...agreements.map((option) => option.attributeName())];
    const section = MemberReader.open({ value, pointer }, 'section', known, this.judge);
    if (section === undefined) return [];
    for (const option of agreements) this.refuseAgreement(section, option);
    return keys.flatMap((key) => {
      const given = section.value(key.name);
      return given === undefined ? [] : (this.readSetting(key, { value: given, pointer: section.at(key.name) }) ?? []);
    });
  }

  private refuseAgreement(section: MemberReader, option: Option): void {
    const name = option.attributeName();
    if (!section.has(name)) return;
    const hint = `A file does not agree for whoever works in its folder: give ${option.long ?? name} with the call.`;
    this.judge.refuse(section.at(name), `"${name}" cannot stand in a configuration file`, undefined, hint);
  }

  private readSetting(key: ConfigKey, placed: PlacedValue): Setting | undefined {
    const { takes, setting } = key;
    if (takes.kind === 'flag') {
      if (typeof placed.value === 'boolean') return { key, value: placed.value };
      this.refuse(placed, `"${key.name}" is no yes or no`, 'true or false');
      return undefined;
    }
    const texts = this.textsOf(key.name, placed, takes);
    if (texts === undefined) return undefined;
    if (setting.kind === 'argument')
      return { key, value: takes.isRepeated ? texts.map(({ text }) => text) : texts[0]?.text };
    return this.parse(key, setting.option, texts, placed);
  }

  /** With the parser of the flag, which has its limits and its words. */
  private parse(
    key: ConfigKey,
    option: Option,
    texts: readonly PlacedText[],
    placed: PlacedValue,
  ): Setting | undefined {
    let value: unknown;
    for (const { text, pointer } of texts) {
      try {
        if (option.parseArg !== undefined) value = option.parseArg(text, option.variadic ? [] : value);
        else value = option.variadic ? [...((value as string[] | undefined) ?? []), text] : text;
      } catch (error) {
        if (!(error instanceof CommanderError) && !(error instanceof HarnessError)) throw error;
        const hint = error instanceof HarnessError ? error.hint : undefined;
        const expected = error.message.replace(/^Expected /, '').replace(/\.$/, '');
        this.judge.refuse(pointer, `"${key.name}" cannot be used`, expected, hint);
        return undefined;
      }
    }
    if (texts.length <= 1 || Array.isArray(value)) return { key, value };
    this.refuse(placed, `"${key.name}" is given once`, 'one value, and no list');
    return undefined;
  }

  /** The texts that the flag would be given on the command line. */
  private textsOf(
    name: string,
    placed: PlacedValue,
    takes: Extract<ConfigValue, { kind: 'text' }>,
  ): PlacedText[] | undefined {
    const { value, pointer } = placed;
    if (takes.isPair && isJsonObject(value)) {
      const pairs = Object.entries(value).map(([left, right]) => {
        const at = joinPointer(pointer, left);
        const text = this.textOf(name, { value: right, pointer: at });
        return text === undefined
          ? undefined
          : { text: `${left}=${takes.isFile ? this.fileText(text) : text}`, pointer: at };
      });
      return allOf(pairs);
    }
    const items = Array.isArray(value)
      ? value.map((item, index) => ({ value: item, pointer: joinPointer(pointer, index) }))
      : [placed];
    const texts = items.map((item) => {
      const text = this.textOf(name, item);
      return text === undefined ? undefined : { text: this.resolved(text, takes), pointer: item.pointer };
    });
    return allOf(texts);
  }

  private textOf(name: string, { value, pointer }: PlacedValue): string | undefined {
    if (value !== null && typeof value !== 'boolean' && !Array.isArray(value) && !isJsonObject(value))
      return scalarText(value);
    this.refuse({ value, pointer }, `"${name}" is no text`, 'a text or a number');
    return undefined;
  }

  private resolved(text: string, { isFile, isName, isPair }: Extract<ConfigValue, { kind: 'text' }>): string {
    if (!isFile || (isName && !/[/\\]/.test(text))) return text;
    if (!isPair) return this.fileText(text);
    const mark = text.indexOf('=') + 1;
    return `${text.slice(0, mark)}${this.fileText(text.slice(mark))}`;
  }

  /** `off` and `-` are words of flags, and no files. */
  private fileText(text: string): string {
    return text === 'off' || text === '-' ? text : this.pathOf(text);
  }

  /** Paths in the file are relative to its folder. */
  private pathOf(path: string): string {
    const folder = dirname(this.file);
    return folder === '.' || isAbsolute(path) || isAddress(path) ? path : join(folder, path);
  }

  private refuse({ pointer }: PlacedValue, message: string, expected: string): void {
    this.judge.refuse(pointer, message, expected);
  }
}

interface PlacedText {
  readonly text: string;
  readonly pointer: string;
}

interface Setting {
  readonly key: ConfigKey;
  readonly value: unknown;
}

function allOf(texts: readonly (PlacedText | undefined)[]): PlacedText[] | undefined {
  const read = texts.filter((text) => text !== undefined);
  return read.length === texts.length ? read : undefined;
}

/** @returns false where the command line said something else */
function apply(command: Command, { key: { name, setting }, value }: Setting): boolean {
  if (setting.kind === 'argument') {
    // The action may have taken the first argument for another one.
    command.setOptionValueWithSource(name, value, 'config');
    const [given] = command.processedArgs as readonly (string | readonly string[] | undefined)[];
    if (given !== undefined && given.length > 0) return false;
    command.processedArgs[0] = value;
    return true;
  }
  if (isSaid(command, name) || conflictsOf(command, setting.option).some((other) => isSaid(command, other)))
    return false;
  command.setOptionValueWithSource(name, value, 'config');
  return true;
}

function isSaid(command: Command, name: string): boolean {
  return command.getOptionValueSource(name) === 'cli';
}

/** Options that cannot go together with one: what the command line says of them holds alone. */
function conflictsOf(command: Command, option: Option): string[] {
  const named = (one: Option): readonly string[] =>
    (one as unknown as { conflictsWith: readonly string[] }).conflictsWith;
  const others = command.options.filter((each) => named(each).includes(option.attributeName()));
  return [...named(option), ...others.map((each) => each.attributeName())];
}
