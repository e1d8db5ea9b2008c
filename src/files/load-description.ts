import { createRequire } from 'node:module';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type SourceFinding, SpecError } from '../core/errors/standin-error';
import { isHttpUrl } from '../core/http/request-target';
import type { JsonValue } from '../core/json/json-value';
import type { TellProgress } from '../core/text/progress';
import { isFatal } from '../openapi/lint/lint';
import {
  documentFindings,
  invalidDescription,
  type LintOptions,
  loadDocument,
  type LoadedDescription,
} from '../openapi/load-document';
import { composeDocuments, type Composition, refersElsewhere } from '../openapi/read/compose/compose-documents';
import type { MayRead, Reading, ReadUri } from '../openapi/read/compose/source-files';
import { correctDocument } from '../openapi/read/corrections/correct-document';
import { grammarVersionOf, visitedObjects } from '../openapi/read/object-grammar';
import { readSource } from '../openapi/read/read-source';
import type { SourceDocument } from '../openapi/read/source-document';
import { SchemaRegistry } from '../openapi/schemas/schema-registry';
import { type DocumentValidator, validateDocument } from '../openapi/structure/validate-document';
import type * as ConvertSwagger from './convert-swagger';
import { type Fetched, fetchRemote, isAllowedHost, readDescriptionText } from './description-source';
import { BUNDLED, fileBounds, GENERATED, readTextFile } from './file-access';

/** Which files of this machine a description may lead to, beside those of {@link fileBounds}. */
export interface FileOptions extends LintOptions {
  /** Folders whose files it may refer to wherever it stands itself. */
  readonly allowFiles?: readonly string[] | undefined;
}

/** {@link loadDescriptionText} of a file that must not have errors; the bundled Petstore when none is named. */
export function loadDescription(file: string = BUNDLED.description): LoadedDescription {
  return loadDescriptionText(readDescriptionText(file), file, { isStrict: true });
}

/**
 * Parses, checks and compiles an API description from its source and the files beside it. Nothing is fetched.
 *
 * @throws SpecError with every finding, each with file, line and column
 */
export function loadDescriptionText(text: string, file: string, options: FileOptions = {}): LoadedDescription {
  const mayRead = fileBounds(file, options.allowFiles);
  return loadComposition(
    compose(text, file, {
      remote: { hosts: undefined, fetched: new Map() },
      mayRead,
      onProgress: options.onProgress,
      isStrict: options.isStrict,
    }),
    options,
  );
}

/** What may be read beside files of this machine. */
export interface FetchOptions extends FileOptions {
  /** Hosts that documents may be fetched from; none when left out. */
  readonly allowRemote?: readonly string[] | undefined;
  /** Told of the absolute path of each file that the description refers to, whether it can be read or not. */
  readonly onRead?: ((path: string) => void) | undefined;
  /** Changes the document before anything is checked. */
  readonly change?: ((document: SourceDocument) => Pick<Composition, 'document' | 'findings'>) | undefined;
  /** Is it certain that something is changed? Then what the build checked is not what is served. */
  readonly isChanged?: boolean | undefined;
}

/** The same with what has to be waited for: documents of other machines, as far as their hosts are allowed. */
export async function fetchDescriptionText(
  text: string,
  file: string,
  options: FetchOptions = {},
): Promise<LoadedDescription> {
  const { document, findings, objects } = await readWhole(text, file, options);
  if (grammarVersionOf(document) !== '2.0') return loadComposition({ document, findings, objects }, options);
  // Swagger 2.0 is checked by its own rules first, so that its author meets the words that are written there.
  const earlier = [...findings, ...validateDocument(document, documentValidator('2.0'))];
  if (options.isStrict === true && earlier.some(isFatal)) throw invalidDescription(document, earlier);
  return loadComposition({ document: await converted(document, earlier), findings: earlier }, options);
}

/**
 * Everything there is to say about a description: each schema is compiled, each example checked.
 *
 * @throws SpecError when it cannot be read, or is not OpenAPI
 */
export async function checkDescriptionText(
  text: string,
  file: string,
  options: FetchOptions = {},
): Promise<readonly SourceFinding[]> {
  const { document, findings } = await readWhole(text, file, options);
  if (grammarVersionOf(document) !== '2.0') return findingsIn(document, findings, options);
  const earlier = [...findings, ...validateDocument(document, documentValidator('2.0'))];
  // What cannot be converted for its errors has no more to be said about it.
  return earlier.some(isFatal) ? earlier : findingsIn(await converted(document, []), earlier, options);
}

function findingsIn(
  document: SourceDocument,
  earlier: readonly SourceFinding[],
  { onProgress }: LintOptions,
): readonly SourceFinding[] {
  return documentFindings(document, new SchemaRegistry(document), documentValidator, { earlier, onProgress });
}

/** @param findings - the parts that they are about are left out, where the document cannot be converted with them */
async function converted(document: SourceDocument, findings: readonly SourceFinding[]): Promise<SourceDocument> {
  // oxlint-disable-next-line typescript/no-require-imports -- loaded for those alone who have such a document
  const { convertSwagger, withoutParts } = require('./convert-swagger') as typeof ConvertSwagger;
  const faults = findings.filter(({ severity, file }) => severity === 'error' && file === document.file);
  if (faults.length === 0) return convertSwagger(document);
  return convertSwagger(document).catch(() => convertSwagger(withoutParts(document, faults)));
}

/** One document made of all files, those of other machines among them. */
async function readWhole(text: string, file: string, options: FetchOptions): Promise<Composition> {
  const { allowRemote = [], allowFiles, onRead, change, onProgress, isStrict } = options;
  const fetched = new Map<string, Fetched>();
  const budget = new FetchBudget();
  const mayRead = fileBounds(file, allowFiles);
  for (;;) {
    const composition = compose(text, file, {
      remote: { hosts: allowRemote, fetched },
      mayRead,
      onRead,
      change,
      onProgress,
      isStrict,
    });
    // Each round reads what the last one fetched, until nothing new is named: a response, or why there is none, is stored.
    if (composition.pending.length === 0) return composition;
    const [done, total] = [fetched.size, fetched.size + composition.pending.length];
    onProgress?.({ phase: 'fetching', what: 'documents', done, total });
    await budget.spend(composition.pending, fetched, (uri) => fetchRemote(uri, allowRemote));
  }
}

interface Surroundings extends Pick<FetchOptions, 'onRead' | 'change' | 'onProgress' | 'isStrict'> {
  readonly remote: RemoteDocuments;
  readonly mayRead: MayRead;
}

function compose(
  text: string,
  file: string,
  { remote, mayRead, onRead, change, onProgress, isStrict }: Surroundings,
): Composition {
  const source = readSource(text, file, { isTolerant: true, onProgress });
  const { document, findings: told } = change?.(source) ?? { document: source, findings: [] };
  const objects = visitedObjects(document);
  const findings = [...(source.findings ?? []), ...told];
  if (!refersElsewhere(objects)) return mended({ document, findings, pending: [], objects }, isStrict);
  const uri = isHttpUrl(file) ? file : pathToFileURL(resolve(file)).href;
  const composition = composeDocuments(document, uri, referencedFiles(file, { remote, onRead, onProgress }), mayRead);
  if (composition.pending.length > 0) return composition;
  return mended({ ...composition, findings: [...findings, ...composition.findings] }, isStrict);
}

function mended(
  { document, findings, pending, objects = visitedObjects(document) }: Composition,
  isStrict: boolean | undefined,
): Composition {
  const mended = correctDocument(document, objects, isStrict);
  return { ...mended, findings: [...findings, ...mended.findings], pending };
}

function loadComposition(
  { document, findings, objects }: Omit<Composition, 'pending'>,
  options: LintOptions,
): LoadedDescription {
  return loadDocument(document, documentValidator, { ...options, earlier: findings, objects });
}

/** The versions whose official schema is of draft 4. */
const DRAFT4_VERSIONS: ReadonlySet<string> = new Set(['2.0', '3.0']);

/** Compiled from the official JSON Schema by the build. */
export function documentValidator(version: string): DocumentValidator {
  const load = createRequire(__filename);
  const path = join(GENERATED, `openapi-${version}`);
  return {
    accepts: DRAFT4_VERSIONS.has(version) ? (load(`${path}.accepts.js`) as DocumentValidator['accepts']) : undefined,
    get validate() {
      return load(`${path}.js`) as DocumentValidator['validate'];
    },
    schema: () => load(`${path}.schema.json`) as JsonValue,
  };
}

/** Of all documents together: one may lead to the next for ever. */
const MAX_MS = 60_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;
const MAX_DOCUMENTS = 1000;
/** From one document to the next: the whole is put together anew after each step. */
const MAX_STEPS = 100;
/** Asked at a time. */
const MAX_AT_ONCE = 10;

/** What all remote documents of one description may take together. */
export class FetchBudget {
  private endsAt: number | undefined;
  private characters = 0;
  private documents = 0;
  private steps = 0;

  /** Fetches documents while there is time and room; of the rest it is stored why they were not. */
  async spend(
    uris: readonly string[],
    fetched: Map<string, Fetched>,
    fetchOne: (uri: string) => Promise<Fetched>,
  ): Promise<void> {
    this.endsAt ??= performance.now() + MAX_MS;
    this.steps += 1;
    const waiting = [...uris];
    const work = async (): Promise<void> => {
      for (let uri = waiting.shift(); uri !== undefined; uri = waiting.shift()) {
        const failure = this.exhaustedReason();
        const response = failure === undefined ? await fetchOne(uri) : { failure };
        if ('text' in response) this.characters += response.text.length;
        fetched.set(uri, response);
      }
    };
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
  }

  private exhaustedReason(): string | undefined {
    if (performance.now() > (this.endsAt ?? Infinity))
      return `the documents of other machines took more than ${MAX_MS / 1000} seconds together`;
    if (this.steps > MAX_STEPS) return `documents lead to others more than ${MAX_STEPS} times in a row`;
    if (this.characters > MAX_CHARACTERS)
      return `the documents of other machines have more than ${MAX_CHARACTERS} characters together`;
    if (this.documents >= MAX_DOCUMENTS)
      return `the description leads to more than ${MAX_DOCUMENTS} documents of other machines`;
    this.documents += 1;
    return undefined;
  }
}

/** More files than this are no description of one API. */
const MAX_FILES = 5000;

interface RemoteDocuments {
  /** Hosts that may be asked; `undefined` where nothing can be fetched. */
  readonly hosts: readonly string[] | undefined;
  readonly fetched: ReadonlyMap<string, Fetched>;
}

/**
 * Reads the files that a description refers to.
 *
 * @param root - path of the description as the user gave it: others are shown in the same way
 */
function referencedFiles(root: string, surroundings: Omit<Surroundings, 'mayRead' | 'change'>): ReadUri {
  let count = 0;
  return (uri) => {
    count += 1;
    if (count > MAX_FILES) return failed(`The description has more than ${MAX_FILES} files`);
    const { protocol } = new URL(uri);
    if (protocol === 'file:') return readFileAt(uri, root, surroundings);
    if (protocol === 'http:' || protocol === 'https:') return readRemote(uri, surroundings.remote);
    return failed(`${uri} is neither a file nor on the web`);
  };
}

function readFileAt(
  uri: string,
  root: string,
  { onRead, onProgress }: Pick<Surroundings, 'onRead' | 'onProgress'>,
): Reading {
  let path: string;
  try {
    path = fileURLToPath(uri);
  } catch {
    return failed(`${uri} is not a path of this machine`);
  }
  onRead?.(path);
  const file = isAbsolute(root) ? path : relative(process.cwd(), path);
  return parsed(file, () => readTextFile(file, 'SPEC_UNREADABLE'), onProgress);
}

function readRemote(uri: string, { hosts, fetched }: RemoteDocuments): Reading {
  const { host } = new URL(uri);
  if (hosts === undefined || !isAllowedHost(uri, hosts)) {
    return failed(
      `${uri} is on another machine, and it is not allowed to ask ${host}`,
      `--allow-remote ${host} allows it; or keep a copy of the file beside this one.`,
    );
  }
  const response = fetched.get(uri);
  if (response === undefined) return { kind: 'pending' };
  if ('failure' in response) return failed(`${uri} cannot be read: ${response.failure}`);
  const reading = parsed(uri, () => response.text);
  return reading.kind === 'read' ? { ...reading, uri: response.uri } : reading;
}

/** What is wrong inside the file is reported of that file too, at its own lines. */
function parsed(file: string, readText: () => string, onProgress?: TellProgress): Reading {
  try {
    return { kind: 'read', document: readSource(readText(), file, { isTolerant: true, onProgress }) };
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const isPath = error.code === 'SPEC_UNREADABLE';
    const hint = isPath ? 'Paths are relative to the file that holds the reference.' : undefined;
    return { ...failed(error.message, hint), findings: error.findings };
  }
}

function failed(message: string, hint?: string): Extract<Reading, { kind: 'failed' }> {
  return { kind: 'failed', reason: { message, ...(hint === undefined ? {} : { hint }) } };
}
