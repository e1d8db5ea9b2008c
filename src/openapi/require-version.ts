import { SpecError } from '../errors/harness-error';
import { isJsonNumber, toLexeme } from '../json/exact-number';
import { isSchemaObject, type SchemaObject } from '../json-schema/schema';
import { grammarVersionOf } from './object-grammar';
import { OAS_VERSIONS, type OasVersion } from './oas-version';
import { findingAt, type SourceDocument } from './source-document';
import { textOr } from './walk';

/**
 * The `major.minor` version that a document declares; the patch digit makes no difference (OAS 3.0.3 "Versions").
 *
 * @throws SpecError `SPEC_UNSUPPORTED_VERSION`, which says what to do about the one it declares
 */
export function requireVersion(document: SourceDocument): OasVersion {
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
  return { pointer: '/swagger', found: `Swagger ${textOr(swagger, '2.0')}`, advice: QUOTE_SWAGGER };
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
