import { SpecError } from '../errors/harness-error';
import type { SourceFinding } from '../errors/source-finding';
import { isJsonNumber, toLexeme } from '../json/exact-number';
import { isSchemaObject, type SchemaObject } from '../json-schema/schema';
import { buildModel } from './build-model';
import { LINTS } from './lints';
import type { ApiModel } from './model';
import { SchemaRegistry } from './schema-registry';
import { findingAt, type SourceDocument } from './source-document';
import { tellOnce } from './tell-once';
import { textOr } from './walk';
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

/** The patch digit makes no difference (OAS 3.0.3 "Versions"). */
function requireVersion(document: SourceDocument): string {
  const root = isSchemaObject(document.root) ? document.root : {};
  const version = root['openapi'];
  const match = typeof version === 'string' ? /^(\d+\.\d+)\.\d+/.exec(version) : null;
  if (match?.[1] === '3.0') return match[1];
  const { pointer, found } = declaredVersion(root);
  throw new SpecError('SPEC_UNSUPPORTED_VERSION', `${document.file} declares ${found}`, {
    findings: [
      findingAt(document, pointer, {
        rule: 'openapi-version',
        message: `The document declares ${found}`,
        expected: 'openapi: 3.0.x',
        hint: 'Is this an OpenAPI description? This version of standin reads OpenAPI 3.0.',
      }),
    ],
  });
}

/** What a document says that it is, where it says so. */
function declaredVersion(root: SchemaObject): { readonly pointer: string; readonly found: string } {
  const version = root['openapi'];
  if (typeof version === 'string') return { pointer: '/openapi', found: `OpenAPI ${version}` };
  // Without quotes, `3.0` is a number and has lost its second part.
  if (isJsonNumber(version)) return { pointer: '/openapi', found: `OpenAPI ${toLexeme(version)}, which is a number` };
  if (root['swagger'] === undefined) return { pointer: '', found: 'no version of OpenAPI' };
  return { pointer: '/swagger', found: `Swagger ${textOr(root['swagger'], '2.0')}` };
}

function byPlace(left: SourceFinding, right: SourceFinding): number {
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}
