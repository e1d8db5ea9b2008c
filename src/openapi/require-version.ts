import { SpecError } from '../errors/harness-error';
import { isJsonNumber, toLexeme } from '../json/exact-number';
import { isSchemaObject, type SchemaObject } from '../json-schema/schema';
import { findingAt, type SourceDocument } from './source-document';
import { textOr } from './walk';

/**
 * The `major.minor` version that a document declares; the patch digit makes no difference (OAS 3.0.3 "Versions").
 *
 * @throws SpecError `SPEC_UNSUPPORTED_VERSION`, which says what to do about the one it declares
 */
export function requireVersion(document: SourceDocument): string {
  const root = isSchemaObject(document.root) ? document.root : {};
  const version = root['openapi'];
  const match = typeof version === 'string' ? /^(\d+\.\d+)\.\d+/.exec(version) : null;
  if (match?.[1] === '3.0') return match[1];
  const { pointer, found, advice } = declaredVersion(root);
  throw new SpecError('SPEC_UNSUPPORTED_VERSION', `${document.file} declares ${found}`, {
    findings: [
      findingAt(document, pointer, {
        rule: 'openapi-version',
        message: `The document declares ${found}`,
        expected: 'openapi: 3.0.x',
        hint: `This version of standin reads OpenAPI 3.0. ${advice}`,
      }),
    ],
  });
}

interface DeclaredVersion {
  readonly pointer: string;
  readonly found: string;
  /** What to do about it. */
  readonly advice: string;
}

const THREE_NUMBERS = 'Write "openapi: 3.0.3": a version has three numbers.';
const CONVERT_SWAGGER = 'Convert the document first, for example with "npx swagger2openapi".';
const CONVERT_DOWN =
  'Convert the document down, for example with "npx @apiture/openapi-down-convert"; or write "openapi: 3.0.3", and ' +
  '"nullable: true" for the type "null", "enum" with one value for "const", "example" for "examples" in schemas.';

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
    return { pointer: '', found: 'no version of OpenAPI', advice: 'Is this an OpenAPI description?' };
  return { pointer: '/swagger', found: `Swagger ${textOr(swagger, '2.0')}`, advice: CONVERT_SWAGGER };
}

function adviceFor(version: string): string {
  if (/^3\.[1-9]/.test(version)) return CONVERT_DOWN;
  if (/^2(?:\.|$)/.test(version)) return CONVERT_SWAGGER;
  return /^3(?:\.0)?$/.test(version) ? THREE_NUMBERS : 'Convert the document to that one first.';
}
