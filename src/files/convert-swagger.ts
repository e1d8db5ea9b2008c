import { messageOf, type SourceFinding, SpecError } from '../core/errors/standin-error';
import { ExactNumber, numberFromLexeme, toLexeme } from '../core/json/exact-number';
import { parsePointer } from '../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../core/json/json-value';
import { findingAt, type SourceDocument } from '../openapi/read/source-document';
import { swaggerPointer } from '../openapi/read/swagger-origin';

/** The part of swagger2openapi that is used; it has no types of its own. */
interface Converter {
  convertObj(swagger: unknown, options: object): Promise<{ readonly openapi: unknown }>;
}

/** Begins a text that stands for a number which JavaScript cannot hold. */
const MARK = '\u0000standin-number:';

/**
 * Makes a document of OpenAPI 3.0 of one of Swagger 2.0. Places lead into the original. Numbers keep every digit: those
 * that the converter could not hold travel through it as texts.
 *
 * @throws SpecError `SPEC_INVALID` when the converter gives up
 */
export async function convertSwagger(document: SourceDocument): Promise<SourceDocument> {
  let converted: unknown;
  try {
    // oxlint-disable-next-line typescript/no-require-imports -- loaded for those alone who have such a document
    const converter = require('#vendor/swagger2openapi') as Converter;
    // `text` keeps the converter from writing the whole as YAML; `patch` and `warnOnly` let it mend or mark small faults.
    const options = {
      patch: true,
      warnOnly: true,
      resolveInternal: false,
      text: ' ',
      warnProperty: 'x-standin-warning',
    };
    converted = (await converter.convertObj(hideNumbers(document.root), options)).openapi;
  } catch (cause) {
    throw new SpecError('SPEC_INVALID', `${document.file} cannot be converted to OpenAPI 3.0: ${messageOf(cause)}`, {
      cause,
      findings: [
        findingAt(document, '', {
          rule: 'swagger-converts',
          message: `The document cannot be converted to OpenAPI 3.0: ${messageOf(cause)}`,
        }),
      ],
    });
  }
  const root = showNumbers(converted);
  const original = (pointer: string): string => swaggerPointer(document.root, pointer);
  return {
    file: document.file,
    root,
    locationOf: (pointer) => document.locationOf(original(pointer)),
    originOf: (pointer) =>
      document.originOf?.(original(pointer)) ?? { file: document.file, pointer: original(pointer) },
  };
}

/** The fields of the root that are maps of components. */
const MAPS: ReadonlySet<string> = new Set(['definitions', 'parameters', 'responses', 'securityDefinitions']);

/** What stands for an operation that is left out: it keeps its path and method. */
const NO_OPERATION: JsonValue = { responses: { default: { description: '' } } };

/** A document without the operations, components and fields of the root that findings are about. */
export function withoutParts(document: SourceDocument, findings: readonly SourceFinding[]): SourceDocument {
  const root = findings.reduce((rest, { pointer }) => {
    const segments = parsePointer(pointer);
    const [section = '', , member] = segments;
    const isOperation = section === 'paths' && member !== undefined && member !== 'parameters';
    const place = segments.slice(0, section === 'paths' ? 3 : MAPS.has(section) ? 2 : 1);
    return withoutPlace(rest, place, isOperation ? NO_OPERATION : undefined);
  }, document.root);
  return { ...document, root };
}

/** A copy with something else at a place, or nothing; a part around it that is no object is left out as well. */
function withoutPlace(value: JsonValue, [name = '', ...rest]: readonly string[], instead?: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const { [name]: child, ...others } = value;
  if (child === undefined) return value;
  if (rest.length > 0 && isJsonObject(child)) return { ...value, [name]: withoutPlace(child, rest, instead) };
  return rest.length > 0 || instead === undefined ? others : { ...value, [name]: instead };
}

/** A copy that the converter may change, with marked texts for the numbers that it would spoil. */
function hideNumbers(value: JsonValue): unknown {
  if (typeof value === 'bigint' || value instanceof ExactNumber) return `${MARK}${toLexeme(value)}`;
  if (Array.isArray(value)) return value.map(hideNumbers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, hideNumbers(property)]));
}

function showNumbers(value: unknown): JsonValue {
  if (typeof value === 'string' && value.startsWith(MARK)) return numberFromLexeme(value.slice(MARK.length));
  if (Array.isArray(value)) return value.map(showNumbers);
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  const properties = Object.entries(value).filter(([, property]) => property !== undefined);
  return Object.fromEntries(properties.map(([name, member]) => [name, showNumbers(member)]));
}
