import { SpecError } from '../errors/harness-error';
import type { SourceFinding } from '../errors/source-finding';
import { buildModel } from './build-model';
import { LINTS } from './lints';
import type { ApiModel } from './model';
import { SchemaRegistry } from './schema-registry';
import { requireVersion } from './require-version';
import type { SourceDocument } from './source-document';
import { tellOnce } from './tell-once';
import { validateDocument, type DocumentValidator } from './validate-document';

/** What loading found: the model, and what the author should know although it can be served. */
export interface LoadedDescription {
  readonly api: ApiModel;
  readonly warnings: readonly SourceFinding[];
}

/**
 * Judges a document and makes its model.
 *
 * @param validatorFor - gives the precompiled validator of a `major.minor` version
 * @throws SpecError with every finding when the document is not a valid description
 */
export function loadDocument(
  document: SourceDocument,
  validatorFor: (version: string) => DocumentValidator,
): LoadedDescription {
  const version = requireVersion(document);
  const registry = new SchemaRegistry(document);
  const structural = validateDocument(document, validatorFor(version));
  const findings = tellOnce([...structural, ...LINTS.flatMap((lint) => lint.run({ document, registry }))]);
  const errors = findings.filter(({ severity }) => severity === 'error').sort(byPlace);
  if (errors.length > 0) {
    const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
    throw new SpecError('SPEC_INVALID', `${document.file} is not a valid OpenAPI description: ${count}`, {
      findings: errors,
    });
  }
  return { api: buildModel(document, registry), warnings: findings };
}

function byPlace(left: SourceFinding, right: SourceFinding): number {
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}
