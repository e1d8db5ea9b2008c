import { type SourceFinding, SpecError } from '../core/errors/standin-error';
import { isJsonNumber, toLexeme } from '../core/json/exact-number';
import { counted } from '../core/text/printable';
import type { TellProgress } from '../core/text/progress';
import { isSchemaObject, type SchemaObject } from '../schema/schema-object';
import { disableOperations } from './disabled-operations';
import { isFatal, type LintContext } from './lint/lint';
import { LINTS } from './lint/registry';
import { schemaBounded } from './lint/schema-bounded';
import { type ApiModel, buildModel } from './model/api-model';
import { grammarVersionOf, type VisitedObject, visitedObjects } from './read/object-grammar';
import { rawOperations, stringOr } from './read/references';
import { findingAt, OAS_VERSIONS, type OasVersion, type SourceDocument } from './read/source-document';
import { SchemaRegistry } from './schemas/schema-registry';
import { type DocumentValidator, validateDocument } from './structure/validate-document';

/** What loading found: the model, and what the author should know although it can be served. */
export interface LoadedDescription {
  readonly api: ApiModel;
  readonly warnings: readonly SourceFinding[];
}

/** How a document is checked. */
export interface LintOptions {
  /** How long the rules may take that compile schemas, each of them; as long as it takes when left out. */
  readonly budgetMs?: number | undefined;
  /** Reject a description with errors. Left out: the operations that need a part at fault are disabled. */
  readonly isStrict?: boolean | undefined;
  /** What was found before: while files were read, or in the document that this one was converted from. */
  readonly earlier?: readonly SourceFinding[] | undefined;
  /** Every object of the document, where somebody walked through it already. */
  readonly objects?: readonly VisitedObject[] | undefined;
  readonly onProgress?: TellProgress | undefined;
}

/** Gives the validator of a `major.minor` version that the build made. */
type ValidatorFor = (version: string) => DocumentValidator;

/**
 * Checks a document and makes its model.
 *
 * @throws SpecError with every finding when the document has errors and `isStrict` is set
 */
export function loadDocument(
  document: SourceDocument,
  validatorFor: ValidatorFor,
  options: LintOptions = {},
): LoadedDescription {
  const registry = new SchemaRegistry(document);
  const findings = documentFindings(document, registry, validatorFor, options);
  if (options.isStrict === true && findings.some(isFatal)) throw invalidDescription(document, findings);
  const { objects = visitedObjects(document), onProgress } = options;
  const disabled = disableOperations(document, findings, objects, rawOperations(document));
  // What was compiled of schemas without a bound is as they were before they were cut.
  const isCut = findings.some(({ rule }) => rule === schemaBounded.id);
  const used = isCut ? new SchemaRegistry(document) : registry;
  const api = buildModel(document, used, onProgress, disabled.reasons);
  return { api, warnings: options.isStrict === true ? findings : disabled.findings };
}

/**
 * Everything there is to say about a document, in the order of its text.
 *
 * @throws SpecError `SPEC_UNSUPPORTED_VERSION`
 */
export function documentFindings(
  document: SourceDocument,
  registry: SchemaRegistry,
  validatorFor: ValidatorFor,
  { budgetMs, earlier = [], objects, onProgress }: LintOptions = {},
): SourceFinding[] {
  const version = requireVersion(document);
  onProgress?.({ phase: 'checking', what: 'the structure', done: 0, total: 0 });
  const structural = validateDocument(document, validatorFor(version));
  const validated = lintDocument(document, registry, budgetMs, objects, onProgress);
  return withoutDuplicates([...earlier, ...structural, ...validated]).sort(byLocation);
}

/** The rejection of a document, with its errors; thousands of warnings would bury them. */
export function invalidDescription(
  { file }: Pick<SourceDocument, 'file'>,
  findings: readonly SourceFinding[],
): SpecError {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.length - errors.length;
  return new SpecError(
    'SPEC_INVALID',
    `${file} is not a valid OpenAPI description: ${counted(errors.length, 'error')}`,
    {
      findings: errors,
      hint: warnings === 0 ? undefined : `There are ${counted(warnings, 'warning')} too; standin check lists them.`,
    },
  );
}

/** Errors come first where two findings are about one place. */
function byLocation(left: SourceFinding, right: SourceFinding): number {
  if (left.file !== right.file) return 0;
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}

/**
 * Every rule that JSON Schema cannot state, applied to a document.
 *
 * @param objects - every object of the document, where somebody walked through it already
 * @param budgetMs - how long the rules may take that compile schemas, each of them; what they do not come to is reported
 */
export function lintDocument(
  document: SourceDocument,
  registry: SchemaRegistry,
  budgetMs = Infinity,
  objects: readonly VisitedObject[] = visitedObjects(document),
  onProgress?: TellProgress,
): SourceFinding[] {
  const left = new Map<string, number>();
  const shared = { document, registry, objects, operations: rawOperations(document) };
  const findings = LINTS.flatMap((lint, done) => {
    const end = performance.now() + budgetMs;
    const tell = (): void => onProgress?.({ phase: 'checking', what: 'rules', done, total: LINTS.length });
    tell();
    const context: LintContext = {
      ...shared,
      hasTime() {
        tell();
        return performance.now() < end;
      },
      reportSkipped: (count) => left.set(lint.id, count),
    };
    const { id: rule, severity } = lint;
    return lint.run(context).map(({ pointer, ...found }) => findingAt(document, pointer, { rule, severity, ...found }));
  });
  if (left.size > 0) findings.push(partlyLinted(document, left));
  return findings;
}

function partlyLinted(document: SourceDocument, left: ReadonlyMap<string, number>): SourceFinding {
  const schemas = left.get('schema-compiles') ?? 0;
  const examples = left.get('example-valid') ?? 0;
  const parts = [
    ...(schemas > 0 ? [counted(schemas, 'schema')] : []),
    ...(examples > 0 ? [counted(examples, 'example')] : []),
  ];
  // Of the whole, not of its first line: a place would send the reader to look for something there.
  return {
    rule: 'judged-in-part',
    severity: 'warning',
    file: document.file,
    pointer: '',
    message: `${parts.join(' and ')} were not judged at the start, which would have taken too long`,
    hint: 'standin check judges all of them. A schema is compiled when it is needed, and one at fault lets nothing pass.',
  };
}

/**
 * Leaves out what another finding says more precisely: that a reference is not a URI where `ref-resolves` speaks of it, and
 * that a schema does not compile where a rule names the part of it that is at fault.
 */
function withoutDuplicates(findings: readonly SourceFinding[]): SourceFinding[] {
  const references = new Set(findings.filter(({ rule }) => rule === 'ref-resolves').map(({ pointer }) => pointer));
  const reported = new Set<string>();
  return findings.filter(({ rule, pointer, file }) => {
    const key = `${file} ${pointer}`;
    // Who read the files knows better than the rule why a reference leads nowhere.
    if (rule === 'ref-resolves' && reported.has(key)) return false;
    if (rule === 'ref-resolves') reported.add(key);
    if (rule === 'openapi-schema') return !references.has(pointer);
    const reasons = LINTS.find(({ id }) => id === rule)?.yieldsTo ?? [];
    const names = (other: SourceFinding): boolean => `${other.pointer}/`.startsWith(`${pointer}/`);
    return !findings.some((other) => reasons.includes(other.rule) && names(other));
  });
}

/**
 * The `major.minor` version that a document declares; the patch digit makes no difference (OAS 3.0.3 "Versions").
 *
 * @throws SpecError `SPEC_UNSUPPORTED_VERSION`, which says what to do about the one it declares
 */
function requireVersion(document: SourceDocument): OasVersion {
  const root = isSchemaObject(document.root) ? document.root : {};
  const version = root['openapi'];
  const match = typeof version === 'string' ? /^(\d+\.\d+)\.\d+/.exec(version) : null;
  const known = OAS_VERSIONS.find((candidate) => candidate === match?.[1]);
  if (known !== undefined) return known;
  if (grammarVersionOf(document) === '2.0') throw mustWait(document);
  const { pointer, found, advice } = declaredVersion(root);
  throw new SpecError('SPEC_UNSUPPORTED_VERSION', `${document.file} declares ${found}`, {
    findings: [
      findingAt(document, pointer, {
        rule: 'openapi-version',
        message: `The document declares ${found}`,
        expected: 'openapi: 3.0.x, 3.1.x or 3.2.x, or swagger: "2.0"',
        hint: advice,
      }),
    ],
  });
}

/** Converting takes several turns of the event loop, which who defines tests for jest cannot give. */
function mustWait(document: SourceDocument): SpecError {
  return new SpecError('SPEC_UNSUPPORTED_VERSION', `${document.file} declares Swagger 2.0, which has to be converted`, {
    hint: 'Convert it beforehand with "npx swagger2openapi" where, as in describeContract, nothing can be waited for.',
  });
}

interface DeclaredVersion {
  readonly pointer: string;
  readonly found: string;
  /** What to do about it. */
  readonly advice: string;
}

const QUOTE_SWAGGER = 'Write swagger: "2.0", with its quotes; no other version of Swagger is read.';
const TOO_NEW = 'This version of standin reads OpenAPI up to 3.2.';

/** What a document says that it is, where it says so. */
function declaredVersion(root: SchemaObject): DeclaredVersion {
  const { openapi: version, swagger } = root;
  const pointer = '/openapi';
  if (typeof version === 'string') return { pointer, found: `OpenAPI ${version}`, advice: adviceFor(version) };
  if (isJsonNumber(version)) {
    // Without quotes, `3.0` is a number and has lost its second part.
    const text = toLexeme(version);
    return { pointer, found: `OpenAPI ${text}, which is a number`, advice: adviceFor(text === '3' ? '3.0' : text) };
  }
  if (swagger === undefined)
    return {
      pointer: '',
      found: 'no version of OpenAPI',
      advice: otherFormat(root) ?? 'Is this an OpenAPI description?',
    };
  return { pointer: '/swagger', found: `Swagger ${stringOr(swagger, '2.0')}`, advice: QUOTE_SWAGGER };
}

/** What people have at hand who have no OpenAPI, as far as it can be told. */
function otherFormat({ asyncapi, info, item, log }: SchemaObject): string | undefined {
  if (asyncapi !== undefined) return 'This is an AsyncAPI document, which describes messages and no HTTP API.';
  if (isSchemaObject(info) && Array.isArray(item))
    return 'This looks like a Postman collection; convert it to OpenAPI first.';
  if (isSchemaObject(log) && Array.isArray(log['entries']))
    return 'This looks like recorded traffic (HAR); an OpenAPI description says what may be sent.';
  return undefined;
}

function threeNumbers(version: string): string {
  return `Write "openapi: ${version}": a version has three numbers.`;
}

function adviceFor(version: string): string {
  if (/^2(?:\.|$)/.test(version)) return QUOTE_SWAGGER;
  const minor = /^3(?:\.([0-2]))?$/.exec(version);
  return minor === null ? TOO_NEW : threeNumbers(`3.${minor[1] ?? '0'}.0`);
}
