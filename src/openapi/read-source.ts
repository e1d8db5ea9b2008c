import { SpecError } from '../errors/harness-error';
import { JsonSyntaxError } from '../json/json-syntax-error';
import { readJson } from '../json/parse-json';
import type * as ReadYaml from './read-yaml';
import type { ReadOptions } from './read-yaml';
import type { Place, SourceDocument } from './source-document';

/** Deep enough for any description that people write, and far from the end of the stack. */
const MAX_DEPTH = 500;

/**
 * Reads YAML 1.2 or JSON text (OAS 3.0.3 "Format"). JSON goes through our own parser, which is many times faster.
 *
 * @param file - the path to name in findings
 * @throws SpecError `SPEC_SYNTAX` with every syntax error and its place
 */
export function readSource(text: string, file: string, options: ReadOptions = {}): SourceDocument {
  return /^\uFEFF?\s*[{[]/.test(text) ? readJsonOrFlowYaml(text, file, options) : readYaml(text, file, options);
}

function readJsonOrFlowYaml(text: string, file: string, options: ReadOptions): SourceDocument {
  try {
    const { value, isPlain, positions } = readJson(text, { maxDepth: MAX_DEPTH });
    const placeOf = (pointer: string): Place => {
      const { line, column } = positions.nearest(pointer);
      return { line, column };
    };
    return { file, root: value, isPlain, placeOf };
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
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at the start
  return (require('./read-yaml') as typeof ReadYaml).readYaml(text, file, options);
}
