import { SpecError } from '../../core/errors/standin-error';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { parseJson, parseJsonWithPositions } from '../../core/json/parse-json';
import { stringifyJson } from '../../core/json/stringify-json';
import type * as ReadYaml from './read-yaml';
import type { ReadOptions } from './read-yaml';
import type { SourceDocument, SourceLocation } from './source-document';

/** Deep enough for any description that people write, and far from the end of the stack. */
const MAX_DEPTH = 500;

/** Reading more characters than this takes longer than a moment. */
const LONG_TEXT = 8 * 1024 * 1024;

/**
 * Reads YAML 1.2 or JSON text (OAS 3.0.3 "Format"). JSON goes through our own parser, which is many times faster.
 *
 * @param file - the path to name in findings
 * @throws SpecError `SPEC_SYNTAX` with every syntax error and its place
 */
export function readSource(text: string, file: string, options: ReadOptions = {}): SourceDocument {
  options.onProgress?.({ phase: 'reading', what: file, done: 0, total: 0, isLong: text.length > LONG_TEXT });
  return /^\uFEFF?\s*[{[]/.test(text) ? readJsonOrFlowYaml(text, file, options) : readYaml(text, file, options);
}

function readJsonOrFlowYaml(text: string, file: string, options: ReadOptions): SourceDocument {
  try {
    const { value, isPlain, positions } = parseJsonWithPositions(text, { maxDepth: MAX_DEPTH });
    const locationOf = (pointer: string): SourceLocation => {
      const { line, column } = positions.nearest(pointer);
      return { line, column };
    };
    return { file, root: value, isPlain, locationOf };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    // A file that says it is YAML may start with a flow mapping.
    if (/\.ya?ml$/i.test(file)) return readYaml(text, file, options);
    const { line, column, pointer, message } = error;
    throw new SpecError('SPEC_SYNTAX', `${file} is not valid JSON`, {
      findings: [{ rule: 'json-syntax', severity: 'error', file, line, column, pointer, message }],
      cause: error,
    });
  }
}

/** JSON alone does not pay for loading the YAML parser. */
function readYaml(text: string, file: string, options: ReadOptions): SourceDocument {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at the start
  return (require('./read-yaml') as typeof ReadYaml).readYaml(text, file, options);
}

const FORMAT = 'compiled-description/1';
const MAX_COMPILED_DEPTH = 500;

/**
 * A description that was found valid, as JSON: reading it takes a fraction of the time that YAML, the official schema
 * and the lints take. It is stored under the hash of its source, so that an edited source never meets it.
 */
export function writeCompiledDescription(document: SourceDocument): string {
  return stringifyJson({ standin: FORMAT, root: document.root });
}

/**
 * @param locationOf - asked only when a place is to be shown; it may read the source then
 * @returns `undefined` when the text is in another version of the format
 */
export function readCompiledDescription(
  text: string,
  file: string,
  locationOf: (pointer: string) => SourceLocation | undefined,
): SourceDocument | undefined {
  const compiled: JsonValue = parseJson(text, { maxDepth: MAX_COMPILED_DEPTH });
  if (!isJsonObject(compiled) || compiled['standin'] !== FORMAT) return undefined;
  return { file, root: compiled['root'] ?? null, locationOf };
}
