import { counted } from '../errors/counted';
import { SpecError } from '../errors/harness-error';
import type { SourceFinding } from '../errors/source-finding';
import { buildModel } from './build-model';
import { judgeDocument } from './judge-document';
import type { ApiModel } from './model';
import { requireVersion } from './require-version';
import { SchemaRegistry } from './schema-registry';
import { graded, isRefused } from './severity';
import type { SourceDocument } from './source-document';
import { tellOnce } from './tell-once';
import type { VisitedObject } from './visit-objects';
import { validateDocument, type DocumentValidator } from './validate-document';

/** What loading found: the model, and what the author should know although it can be served. */
export interface LoadedDescription {
  readonly api: ApiModel;
  readonly warnings: readonly SourceFinding[];
}

/** How a document is judged. */
export interface JudgeOptions {
  /** How long the rules may take that compile schemas, each of them; as long as it takes when left out. */
  readonly budgetMs?: number | undefined;
  /** Serve what can be modelled in spite of errors. */
  readonly isLenient?: boolean | undefined;
  /** What was found before: while files were read, or in the document that this one was converted from. */
  readonly earlier?: readonly SourceFinding[] | undefined;
  /** Every object of the document, where somebody walked through it already. */
  readonly objects?: readonly VisitedObject[] | undefined;
}

/** Gives the validator of a `major.minor` version that the build made. */
export type ValidatorFor = (version: string) => DocumentValidator;

/**
 * Judges a document and makes its model.
 *
 * @throws SpecError with every finding when the document cannot be served honestly
 */
export function loadDocument(
  document: SourceDocument,
  validatorFor: ValidatorFor,
  options: JudgeOptions = {},
): LoadedDescription {
  const registry = new SchemaRegistry(document);
  const findings = findingsOf(document, registry, validatorFor, options);
  if (options.isLenient !== true && findings.some(isRefused)) throw invalid(document, findings);
  return { api: buildModel(document, registry), warnings: findings };
}

/**
 * Everything there is to say about a document, in the order of its text.
 *
 * @throws SpecError `SPEC_UNSUPPORTED_VERSION`
 */
export function findingsOf(
  document: SourceDocument,
  registry: SchemaRegistry,
  validatorFor: ValidatorFor,
  { budgetMs, earlier = [], objects }: JudgeOptions = {},
): SourceFinding[] {
  const version = requireVersion(document);
  const structural = validateDocument(document, validatorFor(version));
  const judged = judgeDocument(document, registry, budgetMs, objects);
  return tellOnce([...earlier, ...structural, ...judged])
    .map(graded)
    .sort(byPlace);
}

/** The refusal of a document, with its errors; thousands of warnings would bury them. */
export function invalid({ file }: Pick<SourceDocument, 'file'>, findings: readonly SourceFinding[]): SpecError {
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
function byPlace(left: SourceFinding, right: SourceFinding): number {
  if (left.file !== right.file) return 0;
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}
