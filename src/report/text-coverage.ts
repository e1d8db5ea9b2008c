import { printable } from '../errors/printable';
import { allSteps, type OperationCoverage, type RunResult } from '../runner/run-result';
import type { Colours } from './text-cause';
import type { TextReportOptions } from './text-report';
import { counted, unanswered } from './wording';

/** Which operations gave no answer; when verbose, what each answered with, and what it documents and never did. */
export function formatCoverage(result: RunResult, colours: Colours, options: TextReportOptions): string[] {
  const silent = unanswered(result);
  const isSelected = allSteps(result).some(
    ({ verdict }) => verdict.kind === 'skipped' && verdict.cause === 'selection',
  );
  const lines = [
    ...listed(
      'that a step was to call gave no answer',
      silent.filter(({ wasMeant }) => wasMeant),
    ),
    ...listed(
      'not called by any step',
      // What was left out by --only or --skip is no news to who wrote it.
      isSelected ? [] : silent.filter(({ wasMeant }) => !wasMeant),
    ),
    ...(options.isVerbose === true ? result.coverage.map((operation) => formatOperation(operation, options)) : []),
  ];
  return lines.length === 0 ? [] : [[colours.cyan('COVERAGE'), ...lines.map(printable)].join('\n')];
}

function listed(what: string, operations: readonly { readonly operation: string }[]): string[] {
  if (operations.length === 0) return [];
  return [
    `  ${counted(operations.length, 'operation')} ${what}: ${operations.map(({ operation }) => operation).join(', ')}`,
  ];
}

function formatOperation(
  { operation, method, path, steps, statuses }: OperationCoverage,
  options: TextReportOptions,
): string {
  const documented = options.documented?.get(operation) ?? [];
  const unseen = documented.filter((key) => !statuses.some((status) => isMeant(key, status)));
  const seen = statuses.length === 0 ? 'no answer' : statuses.join(', ');
  const rest = unseen.length === 0 ? '' : `; documented and never seen: ${unseen.join(', ')}`;
  return `  ${operation} (${method} ${printable(path)}), ${counted(steps, 'step')}: ${seen}${rest}`;
}

/** Does a key of a Responses Object, `404` or `4XX`, mean the status (OAS 3.0.3 §4.7.16)? `default` is never missed. */
function isMeant(key: string, status: number): boolean {
  return key === 'default' || key === String(status) || key.toUpperCase() === `${String(status).charAt(0)}XX`;
}
