import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { CommanderError, type Command } from 'commander';
import { readConfigSource } from '../../files/file-access';
import { ConfigError, StandinError } from '../../core/errors/standin-error';
import { described, FormatDiagnostics, type LocatedValue } from '../../formats/decode';
import { isHttpUrl } from '../../core/http/request-target';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { OptionDefinition } from '../../core/options/option-table';
import type { CommandDefinition } from './command-definition';
import { CONFIG_FORMAT, type ConfigKey, configKeys, consentKeys } from './config-keys';
import { isSwitch, parseFlag } from './flags';
import { counted } from '../../core/text/printable';
import { printText } from '../terminal/terminal';

/** Before the path in a value that may also be an address. */
const FILE_PLACE = 'file:';

/** Names that are looked for in the working directory, the first one first. */
export const CONFIG_FILES: readonly string[] = ['standin.config.yaml', 'standin.config.yml', 'standin.config.json'];

/** Names of the description at the top of the file, and of the properties of sections that it stands for. */
const DESCRIPTION = 'description';
const DESCRIPTION_KEYS: readonly string[] = [DESCRIPTION, 'spec'];

/**
 * Sets what the configuration file says for a command and no flag of the command line says otherwise.
 *
 * @param command - parsed already; its action has not begun
 * @throws ConfigError `CONFIG_INVALID` with every finding, of the sections of other commands as well
 */
export function applyConfigFile(commands: readonly CommandDefinition[], command: Command): void {
  const file = configFileOf(command);
  if (file === undefined) return;
  const used = new ConfigFile(file, commands).applyTo(command);
  if (used.length > 0) printText(process.stderr, `Config: ${file} (${command.name()}: ${used.join(', ')})\n`);
}

function configFileOf(command: Command): string | undefined {
  const { config } = command.opts<{ readonly config?: string }>();
  if (config === 'off') return undefined;
  return config ?? CONFIG_FILES.find((name) => existsSync(name));
}

class ConfigFile {
  private readonly file: string;
  private readonly commands: readonly CommandDefinition[];
  private readonly diagnostics: FormatDiagnostics;

  constructor(file: string, commands: readonly CommandDefinition[]) {
    this.file = file;
    this.commands = commands;
    this.diagnostics = new FormatDiagnostics(readConfigSource(file), 'config-format');
  }

  /** @returns the names of the properties that had an effect */
  applyTo(command: Command): string[] {
    const { diagnostics, commands } = this;
    const root = this.readRoot();
    // All sections are checked, whichever command is run: a slip is reported at once.
    const settings = new Map(commands.map((each) => [each.name, this.read(root[each.name] ?? {}, each)]));
    if (diagnostics.findings.length > 0) throw this.rejection();
    const own = settings.get(command.name()) ?? [];
    const definition = commands.find(({ name }) => name === command.name());
    const key = definition && configKeys(definition).find(({ name }) => DESCRIPTION_KEYS.includes(name));
    const isGiven = own.some((setting) => setting.key.name === key?.name);
    const shared =
      key === undefined || typeof root[DESCRIPTION] !== 'string' || isGiven || command.name() === 'cleanup'
        ? []
        : [{ key, value: this.pathOf(root[DESCRIPTION]) }];
    return [...shared, ...own].filter((setting) => apply(command, setting)).map((setting) => setting.key.name);
  }

  private readRoot(): JsonObject {
    const { diagnostics, commands } = this;
    const known = ['$schema', 'standin', DESCRIPTION, ...commands.map(({ name }) => name)];
    const root = this.objectAt(diagnostics.document.root, '', 'The configuration', known);
    const { standin } = root;
    if (!isJsonObject(diagnostics.document.root)) throw this.rejection();
    if (standin === undefined) diagnostics.add('', 'The property "standin" is missing', `"${CONFIG_FORMAT}"`);
    else if (standin !== CONFIG_FORMAT)
      diagnostics.add('/standin', `"standin" must be "${CONFIG_FORMAT}", got ${described(standin)}`);
    for (const name of ['$schema', DESCRIPTION]) {
      const value = root[name] ?? 'none';
      if (typeof value !== 'string' || value === '')
        diagnostics.add(`/${name}`, `"${name}" must be a non-empty string, got ${described(value)}`);
    }
    return root;
  }

  private rejection(): ConfigError {
    const { findings } = this.diagnostics;
    const message = `The configuration ${this.file} cannot be used: ${counted(findings.length, 'error')}`;
    return new ConfigError('CONFIG_INVALID', message, { findings });
  }

  /** @returns an empty object for what is none, which is noted */
  private objectAt(value: JsonValue, pointer: string, what: string, known: readonly string[]): JsonObject {
    if (!isJsonObject(value)) {
      this.diagnostics.add(pointer, `${what} must be an object, got ${described(value)}`);
      return {};
    }
    for (const name of Object.keys(value).filter((each) => !known.includes(each)))
      this.diagnostics.addUnknownName(joinPointer(pointer, name), `Unknown key "${name}"`, name, known);
    return value;
  }

  private read(value: JsonValue, command: CommandDefinition): Setting[] {
    const keys = configKeys(command);
    const consents = consentKeys(command);
    const pointer = `/${command.name}`;
    const known = [...keys, ...consents].map(({ name }) => name);
    const section = this.objectAt(value, pointer, `"${command.name}"`, known);
    for (const { name, flag } of consents) {
      if (!Object.hasOwn(section, name)) continue;
      const hint = `A file must not agree for everybody who works in its folder: give ${flag} with the call.`;
      this.diagnostics.add(`${pointer}/${name}`, `"${name}" is not allowed in a configuration file`, undefined, hint);
    }
    return keys.flatMap((key) => {
      const given = section[key.name];
      return given === undefined
        ? []
        : (this.readSetting(key, { value: given, pointer: `${pointer}/${key.name}` }) ?? []);
    });
  }

  private readSetting(key: ConfigKey, placed: LocatedValue): Setting | undefined {
    const { name, definition, isArgument } = key;
    if (isSwitch(definition)) {
      if (typeof placed.value === 'boolean') return { key, value: placed.value };
      this.diagnostics.add(placed.pointer, `"${name}" must be true or false, got ${described(placed.value)}`);
      return undefined;
    }
    const texts = this.textsOf(key, placed);
    if (texts === undefined) return undefined;
    if (isArgument) return { key, value: definition.isRepeated ? texts.map(({ text }) => text) : texts[0]?.text };
    return this.parse(key, texts, placed);
  }

  /** With the parser of the flag, which has its limits and its messages. */
  private parse(key: ConfigKey, texts: readonly PlacedText[], placed: LocatedValue): Setting | undefined {
    const { name, definition } = key;
    let value: unknown;
    for (const { text, pointer } of texts) {
      try {
        value = parseFlag(definition, text, value);
      } catch (error) {
        if (!(error instanceof CommanderError) && !(error instanceof StandinError)) throw error;
        const hint = error instanceof StandinError ? error.hint : undefined;
        const expected = error.message.replace(/^Expected /, '').replace(/\.$/, '');
        this.diagnostics.add(pointer, `"${name}" cannot be used`, expected, hint);
        return undefined;
      }
    }
    if (texts.length <= 1 || definition.isRepeated === true) return { key, value };
    this.diagnostics.add(placed.pointer, `"${name}" is given once`, 'one value, not an array');
    return undefined;
  }

  /** The texts that the flag would be given on the command line. */
  private textsOf({ name, definition }: ConfigKey, placed: LocatedValue): PlacedText[] | undefined {
    const { value, pointer } = placed;
    const isMap = definition.isPair === true && isJsonObject(value);
    const entries: [string, JsonValue][] = isMap
      ? Object.entries(value)
      : Array.isArray(value)
        ? value.map((item, index) => [String(index), item])
        : [['', value]];
    const texts = entries.map(([part, item]) => {
      const at = part === '' ? pointer : joinPointer(pointer, part);
      const text = this.textOf(name, { value: item, pointer: at });
      return text === undefined
        ? undefined
        : { text: this.resolved(isMap ? `${part}=${text}` : text, definition), pointer: at };
    });
    const read = texts.filter((text) => text !== undefined);
    return read.length === texts.length ? read : undefined;
  }

  private textOf(name: string, { value, pointer }: LocatedValue): string | undefined {
    if (value !== null && typeof value !== 'boolean' && !Array.isArray(value) && !isJsonObject(value))
      return scalarText(value);
    this.diagnostics.add(pointer, `"${name}" must be a string or a number, got ${described(value)}`);
    return undefined;
  }

  private resolved(text: string, { path, isPair }: OptionDefinition): string {
    if (path === undefined || (path === 'name-or-file' && !/[/\\]/.test(text))) return text;
    if (path === 'place' && !text.startsWith(FILE_PLACE)) return text;
    const start = path === 'place' ? FILE_PLACE.length : isPair === true ? text.indexOf('=') + 1 : 0;
    return `${text.slice(0, start)}${this.fileText(text.slice(start))}`;
  }

  /** `off` and `-` are no files. */
  private fileText(text: string): string {
    return text === 'off' || text === '-' ? text : this.pathOf(text);
  }

  /** Paths in the file are relative to its folder. */
  private pathOf(path: string): string {
    const folder = dirname(this.file);
    return folder === '.' || isAbsolute(path) || isHttpUrl(path) ? path : join(folder, path);
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

/** @returns false where the command line said something else */
function apply(command: Command, { key: { name, isArgument }, value }: Setting): boolean {
  if (isArgument) {
    // The action may have taken the first argument for another one.
    command.setOptionValueWithSource(name, value, 'config');
    const [given] = command.processedArgs as readonly (string | readonly string[] | undefined)[];
    if (given !== undefined && given.length > 0) return false;
    command.processedArgs[0] = value;
    return true;
  }
  if ([name, ...conflictsOf(command, name)].some((each) => command.getOptionValueSource(each) === 'cli')) return false;
  command.setOptionValueWithSource(name, value, 'config');
  return true;
}

/** Keys of the command line are not mixed with those that a file names. */
const KEY_NAMES: readonly string[] = ['apiKey', 'apiKeyEnv'];

/** Options that cannot be given together with one: what the command line says of them holds alone. */
function conflictsOf(command: Command, name: string): string[] {
  if (KEY_NAMES.includes(name)) return [...KEY_NAMES, 'auth'];
  return command.options.flatMap((option) => {
    const { conflictsWith } = option as unknown as { readonly conflictsWith: readonly string[] };
    if (option.attributeName() === name) return conflictsWith;
    return conflictsWith.includes(name) ? [option.attributeName()] : [];
  });
}
