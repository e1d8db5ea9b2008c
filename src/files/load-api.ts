import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../core/errors/standin-error';
import { once } from '../core/text/memoize';
import type { TellProgress } from '../core/text/progress';
import type { LoadedDescription } from '../openapi/load-document';
import { buildModel } from '../openapi/model/api-model';
import { readCompiledDescription, readSource } from '../openapi/read/read-source';
import type { SourceDocument } from '../openapi/read/source-document';
import { SchemaRegistry } from '../openapi/schemas/schema-registry';
import { precompiledValidators, type Validator, type ValidatorModule } from '../schema/validator';
import { findDescription, readDescriptionText } from './description-source';
import { BUNDLED, checkAllowedFolders, GENERATED } from './file-access';
import type * as LoadDescription from './load-description';
import type { FetchOptions, FileOptions } from './load-description';
import { loadOverlay, namedPack, type Pack, packsByTitle, withOverlays } from './load-rules-and-packs';

/**
 * Reads, checks and compiles an API description. One that the build checked already, and that did not change since, is
 * taken as compiled then.
 *
 * @param file - YAML or JSON; the bundled Petstore when left out
 * @throws SpecError with every finding, each with file, line and column
 */
export function loadApi(
  file: string = BUNDLED.description,
  options: Pick<FileOptions, 'isStrict' | 'allowFiles'> = {},
): LoadedDescription {
  checkAllowedFolders(options.allowFiles);
  const text = readDescriptionText(file);
  return loadCompiled(text, file) ?? loadSource(text, file, options);
}

/**
 * The same with what has to be waited for: a description that is named by its address, documents of other machines, as
 * far as their hosts are allowed, and Swagger 2.0, which is converted.
 */
export async function fetchApi(
  name: string = BUNDLED.description,
  options: FetchOptions = {},
): Promise<LoadedDescription> {
  checkAllowedFolders(options.allowFiles);
  const { text, file, allowRemote } = await findDescription(name, options.allowRemote);
  const compiled = options.isChanged === true ? undefined : loadCompiled(text, file);
  if (compiled !== undefined) return compiled;
  // oxlint-disable-next-line typescript/no-require-imports -- as below
  const { fetchDescriptionText } = require('./load-description') as typeof LoadDescription;
  return fetchDescriptionText(text, file, { budgetMs: budgetFor(text), ...options, allowRemote });
}

/** What findings name in the place of a file. */
export const GIVEN_DOCUMENT = 'the description given';

/**
 * The same of a document that a program has already. What it refers to by a relative path is below the working folder,
 * and findings count the lines of its JSON.
 *
 * @throws ConfigError when it cannot be written as JSON
 */
function fetchGivenApi(document: object, options: FetchOptions = {}): Promise<LoadedDescription> {
  checkAllowedFolders(options.allowFiles);
  const text = textOf(document);
  // oxlint-disable-next-line typescript/no-require-imports -- as below
  const { fetchDescriptionText } = require('./load-description') as typeof LoadDescription;
  return fetchDescriptionText(text, GIVEN_DOCUMENT, { budgetMs: budgetFor(text), ...options });
}

function textOf(document: object): string {
  try {
    return JSON.stringify(document, undefined, 2);
  } catch (error) {
    throw new ConfigError('CONFIG_INVALID', 'The description given cannot be written as JSON', {
      hint: 'Give the document as it was parsed, before its references were replaced by what they lead to; or its path.',
      cause: error,
    });
  }
}

/** For each of the rules that take long. */
const START_BUDGET_MS = 120;

/**
 * Up to so many characters a description is checked whole, however busy the machine is: which warnings there are must not
 * depend on that. The bound is for the few whose schemas take very long.
 */
const SMALL_TEXT = 256 * 1024;
const SMALL_BUDGET_MS = 5000;

/** Of more characters, the budget would be spent on a small part, and the first response would wait for it. */
const LARGE_TEXT = 4 * 1024 * 1024;

/** @returns milliseconds that each of the long rules may take before the first response */
export function budgetFor(text: string): number {
  if (text.length <= SMALL_TEXT) return SMALL_BUDGET_MS;
  return text.length > LARGE_TEXT ? 0 : START_BUDGET_MS;
}

/** Loaded when it is needed: YAML, the official schema and the lints take longer than all the rest. */
function loadSource(text: string, file: string, options: FileOptions): LoadedDescription {
  // oxlint-disable-next-line typescript/no-require-imports -- jest cannot run `import()` in CommonJS
  const { loadDescriptionText } = require('./load-description') as typeof LoadDescription;
  return loadDescriptionText(text, file, { budgetMs: budgetFor(text), ...options });
}

/** The model that {@link loadCompiled} built last. Models are read-only: programs that create many mocks share it. */
let lastCompiled: { readonly text: string; readonly file: string; readonly loaded: LoadedDescription } | undefined;

function loadCompiled(text: string, file: string): LoadedDescription | undefined {
  // Nothing as large is compiled by the build, and its hash alone would take a while.
  if (text.length > LARGE_TEXT) return undefined;
  if (lastCompiled?.text === text && lastCompiled.file === file) return lastCompiled.loaded;
  const loaded = buildCompiled(text, file);
  if (loaded !== undefined) lastCompiled = { text, file, loaded };
  return loaded;
}

function buildCompiled(text: string, file: string): LoadedDescription | undefined {
  const path = compiledPath(text);
  if (!existsSync(path)) return undefined;
  let source: SourceDocument | undefined;
  const document = readCompiledDescription(readFileSync(path, 'utf8'), file, (pointer) => {
    // Only a report quotes places; a mock that serves never reads the source again.
    source ??= readSource(text, file, { isTolerant: true });
    return source.locationOf(pointer);
  });
  if (document === undefined) return undefined;
  const registry = new SchemaRegistry(document, { precompiled: once(() => validatorsAt(validatorsPath(text))) });
  return { api: buildModel(document, registry), warnings: [] };
}

function validatorsAt(path: string): ReadonlyMap<string, Validator> {
  // oxlint-disable-next-line typescript/no-require-imports -- the build wrote it
  return precompiledValidators(require(path) as ValidatorModule);
}

/** Where the build puts the compiled form of a description. */
export function compiledPath(text: string): string {
  return join(GENERATED, `description-${createHash('sha256').update(text).digest('hex')}.json`);
}

/** Where the build puts the validators of a description. */
export function validatorsPath(text: string): string {
  return compiledPath(text).replace(/json$/, 'validators.js');
}

/** How a description is read, the same wherever one is. */
export interface DescriptionOptions {
  /** Hosts that a `$ref` may lead to, such as `example.com`. Left out: none, nothing is fetched. */
  readonly allowRemote?: readonly string[] | undefined;
  /**
   * Folders of this machine whose files a `$ref` may lead to. Without them it leads to files in the folder of the
   * description and below, and to JSON and YAML documents of the project (the repository) that it stands in.
   */
  readonly allowFiles?: readonly string[] | undefined;
  /** Reject a description with errors. Left out: errors disable the operations that need the part at fault. */
  readonly strict?: boolean | undefined;
  /** With `strict`: start all the same. */
  readonly lenient?: boolean | undefined;
  /** Changes of the description (Overlay Specification 1.0), one after the other: paths of files, or what stands in one. */
  readonly overlays?: readonly (string | object)[] | undefined;
  /**
   * What the API means beyond its description: packs of the package by name, others by their folders; `off` for none.
   * Left out: for a mock, those of the package that were made for the title of the description.
   */
  readonly packs?: 'off' | readonly string[] | undefined;
}

/** A description, and the packs that are used with it. */
interface ReadDescription extends LoadedDescription {
  readonly packs: readonly Pack[];
}

/** What may be asked of {@link readDescription} beside its options. */
interface ReadHooks {
  /** Told of each file that the description refers to, as an absolute path. */
  readonly onRead?: ((path: string) => void) | undefined;
  /** Are packs chosen by the title of the description, where none is named? */
  readonly choosesPacks?: boolean | undefined;
  readonly onProgress?: TellProgress | undefined;
}

/**
 * Reads, changes and checks a description.
 *
 * @param description - its path or address, or the document itself
 * @throws SpecError with every finding; ConfigError for overlays and packs that cannot be used
 */
export async function readDescription(
  description: string | object | undefined,
  options: DescriptionOptions,
  { onRead, choosesPacks, onProgress }: ReadHooks = {},
): Promise<ReadDescription> {
  const { allowRemote, allowFiles } = options;
  const changes = changesOf(options, choosesPacks);
  const how = { allowRemote, allowFiles, isStrict: isStrict(options), onRead, onProgress, ...changes.options };
  const isDocument = typeof description === 'object';
  const loaded = await (isDocument ? fetchGivenApi(description, how) : fetchApi(description, how));
  return { ...loaded, packs: changes.packs() };
}

/** Is a description with errors rejected? */
export function isStrict({ strict, lenient }: Pick<DescriptionOptions, 'strict' | 'lenient'>): boolean {
  return strict === true && lenient !== true;
}

/** In JavaScript nothing else notices a text in the place of a list. */
function requireLists(overlays: unknown, packs: unknown): void {
  for (const [name, value] of Object.entries({ overlays, packs }))
    if (value !== undefined && value !== 'off' && !Array.isArray(value))
      throw new ConfigError('CONFIG_INVALID', `The option ${name} must be an array`, { hint: `Put it into brackets.` });
}

/** What is done to a description before it is checked. */
export function changesOf(
  { overlays = [], packs }: DescriptionOptions,
  choosesPacks: boolean | undefined,
): { readonly options: Pick<FetchOptions, 'change' | 'isChanged'>; readonly packs: () => readonly Pack[] } {
  requireLists(overlays, packs);
  const own = overlays.map(loadOverlay);
  const isChosen = packs === undefined && choosesPacks === true;
  let used = packs === undefined || packs === 'off' ? [] : packs.map(namedPack);
  const options: Pick<FetchOptions, 'change' | 'isChanged'> = {
    change(document) {
      if (isChosen) used = packsByTitle(document.root);
      return withOverlays(document, [...used.flatMap(({ overlay }) => overlay ?? []), ...own]);
    },
    isChanged: own.length > 0 || used.some(({ overlay }) => overlay !== undefined),
  };
  return { options, packs: () => used };
}
