import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../errors/harness-error';
import { once } from '../../http/memo';
import { readyValidators, type ValidatorModule } from '../../json-schema/ready-validators';
import type { Validator } from '../../json-schema/violation';
import { buildModel } from '../../openapi/build-model';
import { readCompiledDescription } from '../../openapi/compiled-description';
import { readSource } from '../../openapi/read-source';
import { SchemaRegistry } from '../../openapi/schema-registry';
import type { SourceDocument } from '../../openapi/source-document';
import type { LoadedDescription } from '../../openapi/load-document';
import { findDescription, readDescription } from './description-source';
import type * as LoadDescription from './load-description';
import { checkAllowedFolders } from './file-bounds';
import type { FetchOptions, FileOptions } from './load-description';
import { BUNDLED, GENERATED } from './package-root';

/**
 * Reads, judges and compiles an API description. One that the build judged already, and that did not change since, is
 * taken as compiled then.
 *
 * @param file - YAML or JSON; the bundled Petstore when left out
 * @throws SpecError with every finding, each with file, line and column
 */
export function loadApi(
  file: string = BUNDLED.description,
  options: Pick<FileOptions, 'isLenient' | 'allowFiles'> = {},
): LoadedDescription {
  checkAllowedFolders(options.allowFiles);
  const text = readDescription(file);
  return loadCompiled(text, file) ?? judgeSource(text, file, options);
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
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- as below
  const { fetchDescriptionText } = require('./load-description') as typeof LoadDescription;
  return fetchDescriptionText(text, file, { budgetMs: budgetFor(text), ...options, allowRemote });
}

/** What findings name in the place of a file. */
const GIVEN = 'the description given';

/**
 * The same of a document that a program has already. What it refers to by a relative path is below the working folder,
 * and findings count the lines of its JSON.
 *
 * @throws ConfigError when it cannot be written as JSON
 */
export function fetchGivenApi(document: object, options: FetchOptions = {}): Promise<LoadedDescription> {
  checkAllowedFolders(options.allowFiles);
  const text = textOf(document);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- as below
  const { fetchDescriptionText } = require('./load-description') as typeof LoadDescription;
  return fetchDescriptionText(text, GIVEN, { budgetMs: budgetFor(text), ...options });
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
 * Up to so many characters a description is judged whole, however busy the machine is: which warnings there are must not
 * depend on that. The bound is for the few whose schemas take very long.
 */
const SMALL_TEXT = 256 * 1024;
const SMALL_BUDGET_MS = 5000;

/** Of more characters, the budget would be spent on a small part, and the first answer would wait for it. */
const LARGE_TEXT = 4 * 1024 * 1024;

/** @returns milliseconds that each of the long rules may take before the first answer */
export function budgetFor(text: string): number {
  if (text.length <= SMALL_TEXT) return SMALL_BUDGET_MS;
  return text.length > LARGE_TEXT ? 0 : START_BUDGET_MS;
}

/** Loaded when it is needed: YAML, the official schema and the lints take longer than all the rest. */
function judgeSource(text: string, file: string, options: FileOptions): LoadedDescription {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
  const { loadDescriptionText } = require('./load-description') as typeof LoadDescription;
  return loadDescriptionText(text, file, { budgetMs: budgetFor(text), ...options });
}

function loadCompiled(text: string, file: string): LoadedDescription | undefined {
  // Nothing as large is compiled by the build, and its hash alone would take a while.
  if (text.length > LARGE_TEXT) return undefined;
  const path = compiledPath(text);
  if (!existsSync(path)) return undefined;
  let source: SourceDocument | undefined;
  const document = readCompiledDescription(readFileSync(path, 'utf8'), file, (pointer) => {
    // Only a report quotes places; a mock that serves never reads the source again.
    source ??= readSource(text, file, { isTolerant: true });
    return source.placeOf(pointer);
  });
  if (document === undefined) return undefined;
  const registry = new SchemaRegistry(document, { ready: once(() => validatorsAt(validatorsPath(text))) });
  return { api: buildModel(document, registry), warnings: [] };
}

function validatorsAt(path: string): ReadonlyMap<string, Validator> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the build wrote it
  return readyValidators(require(path) as ValidatorModule);
}

/** Where the build puts the compiled form of a description. */
export function compiledPath(text: string): string {
  return join(GENERATED, `description-${createHash('sha256').update(text).digest('hex')}.json`);
}

/** Where the build puts the validators of a description. */
export function validatorsPath(text: string): string {
  return compiledPath(text).replace(/json$/, 'validators.js');
}
