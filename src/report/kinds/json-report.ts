import type { JsonObject } from '../../core/json/json-value';
import { type RunResult } from '../../runner/result/run-result';
import { allSteps, tallyOf } from '../../runner/result/outcome';
import { type ReportDefinition, requestIdText } from '../text/step-text';
import { exitCodeOf, runProblems } from '../causes/run-summary';
import type { RootCause } from '../causes/root-cause';
import { rootCauses } from '../causes/root-causes';
import { inSchemaOrder } from '../result/result-schema';
import { printableJson } from '../../core/text/printable';

export const report: ReportDefinition = {
  about: 'Programs, and standin merge-reports',
  format: formatResultJson,
};

/**
 * A result as JSON, `result/1`: everything that the run found, and what follows from it (exit code, tally, causes).
 * Properties stand in the order of the published schema.
 */
export function formatResultJson(result: RunResult): string {
  const derived = {
    exitCode: exitCodeOf(result.outcome),
    tally: tallyOf(allSteps(result)),
    causes: rootCauses(result).map(causeProperties),
    problems: runProblems(result),
  };
  // The result holds texts, numbers and booleans alone; properties without a value are left out.
  const plain = JSON.parse(JSON.stringify({ ...result, ...derived }, errorProperties)) as JsonObject;
  return `${printableJson(JSON.stringify(inSchemaOrder(plain), null, 2))}\n`;
}

/** An Error keeps its message where JSON does not look. */
function errorProperties(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { code, message, hint, findings } = value as Error & Readonly<Record<'code' | 'hint' | 'findings', unknown>>;
  return { code, message, hint, findings };
}

function causeProperties(cause: RootCause): object {
  // What else was said of a cause stands at its steps.
  const [{ step: first }] = cause.steps;
  return {
    ...cause,
    others: undefined,
    requestIds: requestIdText(first),
    steps: cause.steps.map(({ step }) => step.name),
  };
}
