import type { ApiModel, Operation } from '../openapi/model';
import { bindingOf } from './item-routes';
import type { StepResult } from './run-result';

/** What a step asks for beyond what the description says. */
const EXPECTATIONS: ReadonlySet<string> = new Set([
  'status-expected',
  'code-expected',
  'body-expected',
  'headers-expected',
]);

/** A write that the mode held back, or one that a probe without a key did before the contract could. */
export interface HeldBack {
  readonly name: string;
  readonly operation: Operation;
  readonly wasDone?: true;
}

/**
 * A step that looks at what a write before it was to do, where the mode held that back, cannot find what it expects: it
 * is no failure, and counts as held back as well. The same holds after a write without a key that was done: that is the
 * finding, and not what follows from it. What breaks the description stays one.
 */
export function afterHeldBack(
  api: ApiModel,
  result: StepResult,
  operation: Operation | undefined,
  earlier: readonly HeldBack[],
): StepResult {
  const { verdict } = result;
  if (verdict.kind !== 'fail') return result;
  const cause = earlier.find((write) => operation === undefined || isRelated(api, write.operation, operation));
  const findings = verdict.findings.filter(({ check }) => !EXPECTATIONS.has(check));
  if (cause === undefined || findings.length === verdict.findings.length) return result;
  if (findings.length > 0) return { ...result, verdict: { kind: 'fail', findings } };
  const { name, wasDone } = cause;
  const reason =
    wasDone === true
      ? `what it expects may no longer hold after "${name}", which was done`
      : `what it expects may follow from "${name}", which the mode held back`;
  return { ...result, verdict: { kind: 'skipped', reason, cause: wasDone === true ? 'missing-value' : 'mode' } };
}

/** May one operation show what another one did? They share a resource, or one stands below the other's collection. */
function isRelated(api: ApiModel, write: Operation, read: Operation): boolean {
  const [written, shown] = [bindingOf(api, write)?.resource, bindingOf(api, read)?.resource];
  if (written !== undefined && written === shown) return true;
  const [left, right] = [collectionPath(write), collectionPath(read)];
  return `${left}/`.startsWith(`${right}/`) || `${right}/`.startsWith(`${left}/`);
}

/** The path without the variable that it may end in, and without the names of the others. */
function collectionPath({ path }: Operation): string {
  return path.replace(/\/\{[^{}/]*\}$/, '').replaceAll(/\{[^{}]*\}/g, '{}');
}
