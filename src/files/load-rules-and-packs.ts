import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Jiti from 'jiti';
import { codeOf, ConfigError, messageOf, type SourceFinding } from '../core/errors/standin-error';
import { getAtPointer } from '../core/json/json-pointer';
import type { JsonValue } from '../core/json/json-value';
import { printable } from '../core/text/printable';
import { didYouMean } from '../core/text/similar-name';
import { decode } from '../formats/decode';
import { applyOverlays, type OverlaidDocument, type Overlay, readOverlay } from '../formats/overlay';
import type { Rules } from '../mock/rules/rules';
import type { SourceDocument } from '../openapi/read/source-document';
import { PACKAGE_ROOT, readConfigSource, throwIfInvalid } from './file-access';

/** Told of each file, whether it can be read or not. */
export type OnRead = (path: string) => void;

/** Files that an earlier call loaded; Node keeps what they exported. */
const loadedBefore = new Set<string>();

/**
 * Loads a module as it is now, with the files of the same author that it loads: JavaScript of either module format, or
 * TypeScript. Node itself reads an ES module once, and TypeScript in its newer versions alone; packages are left to it.
 *
 * A module that awaits at its top level is read anew, those that it imports are not.
 *
 * @param path - absolute
 * @param onRead - told of the files that were read, and of one that is missing by the names that it may have
 * @throws what the module throws
 */
async function loadFreshModule(path: string, onRead: OnRead = () => undefined): Promise<unknown> {
  // oxlint-disable-next-line typescript/no-require-imports -- loaded only by who needs it
  const { createJiti } = require('jiti') as typeof Jiti;
  const jiti = createJiti(__filename, { fsCache: false });
  for (const file of loadedBefore) Reflect.deleteProperty(jiti.cache, file);
  loadedBefore.clear();
  const others = new Set(Object.keys(jiti.cache));
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- the others hand an ES module to Node as it is
    return jiti(path) as unknown;
  } catch (error) {
    if (hasTopLevelAwait(error)) return isTypeScript(path) ? await jiti.import(path) : await importFresh(path);
    for (const file of missingFiles(error)) onRead(file);
    throw error;
  } finally {
    const added = Object.keys(jiti.cache).filter((file) => !others.has(file));
    for (const file of added.filter((file) => !file.includes(`${sep}node_modules${sep}`))) {
      loadedBefore.add(file);
      onRead(file);
    }
  }
}

/** @returns a file by the name that it is asked for, and by those that it may have with an extension */
export function moduleFiles(file: string): string[] {
  return [file, ...['.js', '.cjs', '.mjs', '.ts', '.cts', '.mts'].map((extension) => `${file}${extension}`)];
}

/** Is this the name of a file in TypeScript? */
function isTypeScript(path: string): boolean {
  return /\.[cm]?ts$/.test(path);
}

function hasTopLevelAwait(error: unknown): boolean {
  return messageOf(error).startsWith('await is only valid in async functions');
}

/** A module is loaded once for each URL. */
function importFresh(path: string): Promise<unknown> {
  return import(`${pathToFileURL(path).href}?at=${Date.now()}`);
}

/** Where the file was looked for that a module names and that is not there. */
function missingFiles(error: unknown): string[] {
  if (codeOf(error) !== 'MODULE_NOT_FOUND') return [];
  const [, name] = /^Cannot find module '(\.[^']*)'/.exec(messageOf(error)) ?? [];
  const [from] = (error as { readonly requireStack?: readonly string[] }).requireStack ?? [];
  return name === undefined || from === undefined ? [] : moduleFiles(resolve(dirname(from), name));
}

/**
 * Loads a rules file: `.js`, `.cjs`, `.mjs`, or TypeScript (`.ts`, `.cts`, `.mts`).
 *
 * @param file - path with or without its extension
 * @param onRead - for a file that may change: it is loaded as it is now, and each module that it is made of is reported
 * @throws ConfigError `RULES_UNREADABLE` when it cannot be loaded, `RULES_INVALID` when it exports no rules
 */
export async function loadRules(file: string, onRead?: OnRead): Promise<Rules> {
  const path = resolve(file);
  if (extname(path) !== '' && /\.[cm]?[jt]s$/.test(path) && !existsSync(path)) {
    const hint = 'Check the path; it is relative to the current folder.';
    throw new ConfigError('RULES_UNREADABLE', `${file} does not exist`, { hint });
  }
  let loaded: unknown;
  try {
    loaded = await importModule(path, onRead);
  } catch (cause) {
    const message = messageOf(cause);
    const hint = 'A rules file is a module that exports its rules by default.';
    throw new ConfigError('RULES_UNREADABLE', `${file} cannot be loaded: ${message}`, { cause, hint });
  }
  const rules = defaultExport(loaded);
  if (!isRules(rules)) {
    throw new ConfigError('RULES_INVALID', `${file} does not export rules`, {
      hint: "Export { standin: 'rules/1', references: […], operations: { … } } by default.",
    });
  }
  return rules;
}

async function importModule(path: string, onRead: OnRead | undefined): Promise<unknown> {
  if (onRead !== undefined || isTypeScript(path)) return loadFreshModule(path, onRead);
  try {
    // `require` first: it works inside jest, and finds the form of the bundled rules that is there.
    return createRequire(__filename)(path);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ERR_REQUIRE_ESM' && code !== 'ERR_REQUIRE_ASYNC_MODULE' && !path.endsWith('.mjs')) throw error;
    return import(pathToFileURL(path).href);
  }
}

/** A CommonJS module that was imported has its exports under `default`, and its own default under that. */
function defaultExport(loaded: unknown): unknown {
  let value = loaded;
  for (let depth = 0; depth < 2 && !isRules(value); depth++) {
    if (typeof value !== 'object' || value === null || !('default' in value)) return value;
    value = value.default;
  }
  return value;
}

function isRules(value: unknown): value is Rules {
  return typeof value === 'object' && value !== null && 'standin' in value && value.standin === 'rules/1';
}

/**
 * Reads an overlay: a file, YAML or JSON, or what a program gives.
 *
 * @throws ConfigError `CONFIG_INVALID` with every finding; SpecError `SPEC_SYNTAX` for a file that is not YAML or JSON
 */
export function loadOverlay(given: string | object): Overlay {
  const document =
    typeof given === 'string'
      ? readConfigSource(given)
      : { file: 'the overlay given', root: given as JsonValue, locationOf: () => undefined };
  const findings: SourceFinding[] = [];
  const overlay = readOverlay(document, findings);
  throwIfInvalid(`The overlay ${document.file}`, findings);
  return overlay;
}

/** {@link applyOverlays}. @throws ConfigError `CONFIG_INVALID` for one that cannot be done */
export function withOverlays(document: SourceDocument, overlays: readonly Overlay[]): OverlaidDocument {
  const applied = applyOverlays(document, overlays);
  const errors = applied.findings.filter(({ severity }) => severity === 'error');
  throwIfInvalid(`The overlay of ${document.file}`, errors);
  return applied;
}

/** Name of the file that makes a folder a pack. */
const PACK_FILE = 'pack.yaml';

/** What the file of a pack says of it. */
interface PackManifest {
  readonly name: string;
  /** What it is for, in a line. */
  readonly about: string;
  /** Titles of the descriptions that it suits; one without is used by its name alone. */
  readonly titles?: readonly string[];
}

/** What one API means beyond its description: changes of the description, overrides and rules, in a folder. */
export interface Pack extends Omit<PackManifest, 'titles'> {
  readonly folder: string;
  /** Was it asked for, or chosen by the title of the description? */
  readonly chosen: 'named' | 'title';
  readonly overlay: Overlay | undefined;
  /** Path of its overrides file. */
  readonly overrides: string | undefined;
  /** Path of its rules file. */
  readonly rules: string | undefined;
}

/** The packs that the package brings along. */
const BUNDLED_PACKS = join(PACKAGE_ROOT, 'packs');

/**
 * A pack by its name among those of the package, or by its folder.
 *
 * @throws ConfigError `CONFIG_INVALID` for one that is not there, or that cannot be used, with every finding
 */
export function namedPack(given: string): Pack {
  const names = namesOfPacks(BUNDLED_PACKS);
  if (names.includes(given)) return loadPack(join(BUNDLED_PACKS, given), 'named');
  if (existsSync(join(given, PACK_FILE))) return loadPack(given, 'named');
  if (existsSync(given))
    throw new ConfigError('CONFIG_INVALID', `${given} is not a pack: it has no ${PACK_FILE}`, {
      hint: 'docs/reference/packs.md says what a pack holds.',
    });
  const near = didYouMean(given, names);
  const meant = near === undefined ? '' : `${near} `;
  throw new ConfigError('CONFIG_INVALID', `There is no pack ${given}`, {
    hint: `${meant}There are ${names.join(', ')}; a pack of your own is named by its folder.`,
  });
}

/**
 * The packs that were made for descriptions with this title.
 *
 * @param packs - folder of packs; left out, those of the package
 */
export function packsByTitle(root: JsonValue, packs = BUNDLED_PACKS): Pack[] {
  const written = getAtPointer(root, '/info/title');
  const title = typeof written === 'string' ? written.trim() : '';
  if (title === '') return [];
  return namesOfPacks(packs).flatMap((name) => {
    const folder = join(packs, name);
    // Nearly always none: to look for the title costs nothing, and YAML need not be loaded for it.
    if (!readFileSync(join(folder, PACK_FILE), 'utf8').includes(title)) return [];
    return manifestAt(folder).titles?.includes(title) === true ? [loadPack(folder, 'title')] : [];
  });
}

function loadPack(folder: string, chosen: Pack['chosen']): Pack {
  const { name, about } = manifestAt(folder);
  const overlay = fileIn(folder, ['overlay.yaml', 'overlay.yml', 'overlay.json']);
  return {
    name,
    about,
    folder,
    chosen,
    overlay: overlay === undefined ? undefined : loadOverlay(overlay),
    overrides: fileIn(folder, ['overrides.yaml', 'overrides.yml', 'overrides.json']),
    rules: fileIn(folder, moduleFiles('rules')),
  };
}

function manifestAt(folder: string): PackManifest {
  const document = readConfigSource(join(folder, PACK_FILE));
  throwIfInvalid(`The pack ${document.file}`, decode(document, 'pack'));
  return document.root as unknown as PackManifest;
}

function fileIn(folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => join(folder, name)).find((file) => existsSync(file));
}

function namesOfPacks(folder: string): string[] {
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, PACK_FILE)));
}

/** A pack that is used, and how to do without one that nobody asked for. */
export function packText({ name, about, chosen }: Pack): string {
  const why = chosen === 'title' ? ' (chosen by the title of the description; --pack off leaves it out)' : '';
  return printable(`${name}: ${about}${why}`);
}
