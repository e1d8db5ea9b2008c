import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isAddress } from '../../http/is-address';
import type { SourceFinding } from '../../errors/source-finding';
import type { JsonValue } from '../../json/json-value';
import { composeDocuments, refersElsewhere, type Composition } from '../../openapi/compose/compose-documents';
import type { MayRead } from '../../openapi/compose/source-files';
import {
  findingsOf,
  invalid,
  loadDocument,
  type JudgeOptions,
  type LoadedDescription,
} from '../../openapi/load-document';
import { readSource } from '../../openapi/read-source';
import { mendDocument } from '../../openapi/mend/mend-document';
import { grammarVersionOf } from '../../openapi/object-grammar';
import { SchemaRegistry } from '../../openapi/schema-registry';
import type { SourceDocument } from '../../openapi/source-document';
import { isRefused } from '../../openapi/severity';
import { validateDocument, type DocumentValidator } from '../../openapi/validate-document';
import { visitedObjects } from '../../openapi/visit-objects';
import type * as ConvertSwagger from './convert-swagger';
import { readDescription } from './description-source';
import { FetchBudget } from './fetch-budget';
import { fileBounds } from './file-bounds';
import { fetchRemote, type Fetched } from './fetch-remote';
import { BUNDLED, GENERATED } from './package-root';
import { referencedFiles, type RemoteDocuments } from './referenced-files';

/** Which files of this machine a description may lead to, beside those of {@link fileBounds}. */
export interface FileOptions extends JudgeOptions {
  /** Folders whose files it may refer to wherever it stands itself. */
  readonly allowFiles?: readonly string[] | undefined;
}

/** {@link loadDescriptionText} of a file; the bundled Petstore when none is named. */
export function loadDescription(file: string = BUNDLED.description): LoadedDescription {
  return loadDescriptionText(readDescription(file), file);
}

/**
 * Parses, judges and compiles an API description from its source and the files beside it. Nothing is fetched.
 *
 * @throws SpecError with every finding, each with file, line and column
 */
export function loadDescriptionText(text: string, file: string, options: FileOptions = {}): LoadedDescription {
  const mayRead = fileBounds(file, options.allowFiles);
  return judgeComposition(compose(text, file, { remote: { hosts: undefined, fetched: new Map() }, mayRead }), options);
}

/** What may be read beside files of this machine. */
export interface FetchOptions extends FileOptions {
  /** Hosts that documents may be fetched from; none when left out. */
  readonly allowRemote?: readonly string[] | undefined;
  /** Told of the absolute path of each file that the description refers to, whether it can be read or not. */
  readonly onRead?: ((path: string) => void) | undefined;
  /** Changes the document before anything is judged. */
  readonly change?: ((document: SourceDocument) => Pick<Composition, 'document' | 'findings'>) | undefined;
  /** Is it certain that something is changed? Then what the build judged is not what is served. */
  readonly isChanged?: boolean | undefined;
}

/** The same with what has to be waited for: documents of other machines, as far as their hosts are allowed. */
export async function fetchDescriptionText(
  text: string,
  file: string,
  options: FetchOptions = {},
): Promise<LoadedDescription> {
  const { document, findings, objects } = await readWhole(text, file, options);
  if (grammarVersionOf(document) !== '2.0') return judgeComposition({ document, findings, objects }, options);
  // Swagger 2.0 is judged by its own rules first, so that its author meets the words that are written there.
  const earlier = [...findings, ...validateDocument(document, documentValidator('2.0'))];
  if (options.isLenient !== true && earlier.some(isRefused)) throw invalid(document, earlier);
  return judgeComposition({ document: await converted(document), findings: earlier }, options);
}

/**
 * Everything there is to say about a description: each schema is compiled, each example judged.
 *
 * @throws SpecError when it cannot be read, or is no OpenAPI
 */
export async function judgeDescriptionText(
  text: string,
  file: string,
  options: FetchOptions = {},
): Promise<readonly SourceFinding[]> {
  const { document, findings } = await readWhole(text, file, options);
  if (grammarVersionOf(document) !== '2.0') return findingsIn(document, findings);
  const earlier = [...findings, ...validateDocument(document, documentValidator('2.0'))];
  // What cannot be converted for its errors has no more to be said about it.
  return earlier.some(isRefused) ? earlier : findingsIn(await converted(document), earlier);
}

function findingsIn(document: SourceDocument, earlier: readonly SourceFinding[]): readonly SourceFinding[] {
  return findingsOf(document, new SchemaRegistry(document), documentValidator, { earlier });
}

async function converted(document: SourceDocument): Promise<SourceDocument> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded for those alone who have such a document
  const { convertSwagger } = require('./convert-swagger') as typeof ConvertSwagger;
  return convertSwagger(document);
}

/** One document made of all files, those of other machines among them. */
async function readWhole(text: string, file: string, options: FetchOptions): Promise<Composition> {
  const { allowRemote = [], allowFiles, onRead, change } = options;
  const fetched = new Map<string, Fetched>();
  const budget = new FetchBudget();
  const mayRead = fileBounds(file, allowFiles);
  for (;;) {
    const composition = compose(text, file, { remote: { hosts: allowRemote, fetched }, mayRead, onRead, change });
    // Each round reads what the last one fetched, until nothing new is named: an answer, or why there is none, is kept.
    if (composition.pending.length === 0) return composition;
    await budget.spend(composition.pending, fetched, (uri) => fetchRemote(uri, allowRemote));
  }
}

interface Surroundings extends Pick<FetchOptions, 'onRead' | 'change'> {
  readonly remote: RemoteDocuments;
  readonly mayRead: MayRead;
}

function compose(text: string, file: string, { remote, mayRead, onRead, change }: Surroundings): Composition {
  const source = readSource(text, file, { isTolerant: true });
  const { document, findings: told } = change?.(source) ?? { document: source, findings: [] };
  const objects = visitedObjects(document);
  const findings = [...(source.findings ?? []), ...told];
  if (!refersElsewhere(objects)) return mended({ document, findings, pending: [], objects });
  const uri = isAddress(file) ? file : pathToFileURL(resolve(file)).href;
  const composition = composeDocuments(document, uri, referencedFiles(file, remote, onRead), mayRead);
  if (composition.pending.length > 0) return composition;
  return mended({ ...composition, findings: [...findings, ...composition.findings] });
}

function mended({ document, findings, pending, objects = visitedObjects(document) }: Composition): Composition {
  const mended = mendDocument(document, objects);
  return { ...mended, findings: [...findings, ...mended.findings], pending };
}

function judgeComposition(
  { document, findings, objects }: Omit<Composition, 'pending'>,
  options: JudgeOptions,
): LoadedDescription {
  return loadDocument(document, documentValidator, { ...options, earlier: findings, objects });
}

/** The versions whose official schema is of draft 4. */
const QUICKLY_JUDGED: ReadonlySet<string> = new Set(['2.0', '3.0']);

/** Compiled from the official JSON Schema by the build. */
export function documentValidator(version: string): DocumentValidator {
  const load = createRequire(__filename);
  const path = join(GENERATED, `openapi-${version}`);
  return {
    accepts: QUICKLY_JUDGED.has(version) ? (load(`${path}.accepts.js`) as DocumentValidator['accepts']) : undefined,
    get judge() {
      return load(`${path}.js`) as DocumentValidator['judge'];
    },
    schema: () => load(`${path}.schema.json`) as JsonValue,
  };
}
