import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { allSteps, tallyOf, type RunResult } from '../runner/run-result';
import { requestIdText } from './evidence-text';
import { exitCodeOf } from './exit-code';
import type { RootCause } from './root-cause';
import { rootCauses } from './root-causes';
import { RESULT_SHAPE } from './result-shape';
import { runProblems } from './run-problems';
import type { ObjectShape, Shape } from './shape';
import { printableJson } from '../errors/printable';

/**
 * A result as JSON, `result/1`: everything that the run found, and what follows from it (exit code, tally, causes).
 * Members stand in the order of the published schema, whatever order they were made in.
 */
export function formatResultJson(result: RunResult): string {
  const derived = {
    exitCode: exitCodeOf(result.outcome),
    tally: tallyOf(allSteps(result)),
    causes: rootCauses(result).map(causeMembers),
    problems: runProblems(result),
  };
  // The result holds texts, numbers and booleans alone; members without a value are left out.
  const plain = JSON.parse(JSON.stringify({ ...result, ...derived }, errorMembers)) as JsonObject;
  return `${printableJson(JSON.stringify(inOrder(RESULT_SHAPE, plain), null, 2))}\n`;
}

/** An Error keeps its message where JSON does not look. */
function errorMembers(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { code, message, hint, findings } = value as Error & Readonly<Record<'code' | 'hint' | 'findings', unknown>>;
  return { code, message, hint, findings };
}

function causeMembers(cause: RootCause): object {
  // What else was said of a cause stands at its steps.
  const [{ step: first }] = cause.steps;
  return {
    ...cause,
    others: undefined,
    requestIds: requestIdText(first),
    steps: cause.steps.map(({ step }) => step.name),
  };
}

function inOrder(shape: Shape, value: JsonValue): JsonValue {
  if (shape.kind === 'list') return Array.isArray(value) ? value.map((item) => inOrder(shape.items, item)) : value;
  if (!isJsonObject(value)) return value;
  if (shape.kind === 'object') return orderMembers(shape, value);
  if (shape.kind !== 'choice') return value;
  const chosen = shape.of.find(({ required: { kind } }) => kind?.kind === 'words' && kind.words[0] === value['kind']);
  return chosen === undefined ? value : orderMembers(chosen, value);
}

function orderMembers({ required, optional }: ObjectShape, value: JsonObject): JsonObject {
  const members = Object.entries({ ...required, ...optional }).flatMap(([name, shape]): [string, JsonValue][] => {
    const member = value[name];
    return member === undefined ? [] : [[name, inOrder(shape, member)]];
  });
  return Object.fromEntries(members);
}
