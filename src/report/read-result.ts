import { ConfigError, SpecError } from '../errors/harness-error';
import type { SourceFinding } from '../errors/source-finding';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { readSource } from '../openapi/read-source';
import { findingAt } from '../openapi/source-document';
import type { RunResult } from '../runner/run-result';
import { DERIVED_MEMBERS, RESULT_SHAPE } from './result-shape';
import { judgeShape, type ObjectShape, type Shape } from './shape';

/** After so many faults it is another file than it should be. */
const MOST_FINDINGS = 20;

/**
 * Reads the JSON form of a result.
 *
 * @param file - the path to name in findings
 * @throws ConfigError `CONFIG_INVALID` with every fault and its line
 */
export function readResultJson(text: string, file = 'result.json'): RunResult {
  const findings: SourceFinding[] = [];
  const root = readRoot(text, file, findings);
  if (root !== undefined && findings.length === 0) return withoutDerived(complete(RESULT_SHAPE, root) as JsonObject);
  throw new ConfigError('CONFIG_INVALID', `${file} is no result of standin`, {
    findings: findings.slice(0, MOST_FINDINGS),
    hint: 'standin verify --report json=FILE writes one. docs/result.schema.json describes the format.',
  });
}

function readRoot(text: string, file: string, findings: SourceFinding[]): JsonValue | undefined {
  try {
    const document = readSource(text, file);
    judgeShape(RESULT_SHAPE, document.root, '', (pointer, message, expected) => {
      if (findings.length < MOST_FINDINGS)
        findings.push(findingAt(document, pointer, { rule: FORMAT_RULE, message, expected, hint: undefined }));
    });
    return document.root;
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    findings.push(...error.findings);
    return undefined;
  }
}

const FORMAT_RULE = 'result-format';

/** Every member that the model has, `undefined` where the file leaves it out. */
function complete(shape: Shape, value: JsonValue): unknown {
  if (shape.kind === 'list' && Array.isArray(value)) return value.map((item) => complete(shape.items, item));
  if (!isJsonObject(value)) return value;
  if (shape.kind === 'object') return completeMembers(shape, value);
  if (shape.kind !== 'choice') return value;
  const chosen = shape.of.find(({ required: { kind } }) => kind?.kind === 'words' && kind.words[0] === value['kind']);
  return chosen === undefined ? value : completeMembers(chosen, value);
}

function completeMembers({ required, optional }: ObjectShape, value: JsonObject): unknown {
  return Object.fromEntries(
    Object.entries({ ...required, ...optional }).map(([name, shape]) => {
      const member = value[name];
      return [name, member === undefined ? undefined : complete(shape, member)];
    }),
  );
}

/** The shape has been judged, so that what is left is a result. */
function withoutDerived(members: JsonObject): RunResult {
  const kept = Object.entries(members).filter(([name]) => !DERIVED_MEMBERS.includes(name));
  return Object.fromEntries(kept) as unknown as RunResult;
}
