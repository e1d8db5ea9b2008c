import { joinPointer } from '../json/json-pointer';
import { RUN_ID, type Contract, type Step } from './contract';
import type { FormatJudge } from './member-reader';
import type { KnownOperation } from './read-step';
import { sentPlaceholdersOf } from './step-placeholders';

/** Methods whose meaning is their own (RFC 9110 §9.3): a word of the contract changes nothing of it. */
const PLAIN: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * What a step says that it touches is believed where it can be: a POST may be a question, what acts on the run's own
 * names it, and what is removed was made by a step before.
 */
export function checkTouches(
  { setup, steps, cleanup }: Contract,
  operations: readonly KnownOperation[],
  judge: FormatJudge,
): void {
  const earlier: string[] = [];
  for (const step of [...setup, ...steps, ...cleanup]) {
    const { pointer, touches, removes, name } = step;
    if (removes !== undefined && !earlier.includes(removes)) {
      judge.refuseName(joinPointer(pointer, 'removes'), `No earlier step is called "${removes}"`, removes, earlier);
    }
    if (touches === 'nothing' && PLAIN.has(methodOf(step, operations))) {
      judge.refuse(joinPointer(pointer, 'touches'), `A ${methodOf(step, operations)} does not touch nothing`, 'own');
    }
    if ((touches === 'own' || removes !== undefined) && !namesOwn(step)) {
      const member = touches === 'own' ? 'touches' : 'removes';
      judge.refuse(
        joinPointer(pointer, member),
        'The request names nothing of this run',
        `a captured value or \${${RUN_ID}} in its path, its parameters or its body`,
      );
    }
    earlier.push(name);
  }
}

function methodOf({ request }: Step, operations: readonly KnownOperation[]): string {
  if (request.kind === 'raw') return request.method;
  return operations.find(({ id }) => id === request.operationId)?.method ?? '';
}

function namesOwn(step: Step): boolean {
  const headers = joinPointer(step.pointer, 'headers');
  return sentPlaceholdersOf(step).some(({ pointer }) => !pointer.startsWith(`${headers}/`));
}
