import { type CallerFinding, otherCallerFindings } from '../../checks/callers/other-caller';
import type { Finding } from '../../core/errors/finding';
import { type Contract, type Repeat, type Step } from '../../formats/contract/contract';
import { ANY_RESPONSE } from '../exchange/interaction';
import type { Run } from '../exchange/run-state';
import type { StepResult } from '../result/run-result';
import { OTHER_CALLER, REJECTED_WRITE_CHANGED } from '../result/runner-checks';
import { type ReplayedStep, type SendAgain, sendAside } from './judge-groups';
import { shownRunFinding, withFindings } from './run-findings';

/**
 * Looks at what the requests of other callers in a contract show together with its own: what was refused and done all the
 * same, and what was refused in one way and not in another. What a caller did not find (404) he may find some time later,
 * where reads come from a copy: then the contract is sent once more, and waits for that.
 *
 * @returns what becomes of results
 */
export async function judgeCallers(
  run: Run,
  contract: Contract,
  sent: readonly ReplayedStep[],
  again: SendAgain,
): Promise<ReadonlyMap<StepResult, StepResult>> {
  const judged = new Map<StepResult, StepResult>();
  const found = findingsOf(run, sent, run.runId);
  const isDoubtful = found.some(isMaybeLate);
  const trial = isDoubtful ? await sendWaiting(run, contract, found, sent, again) : undefined;
  for (const each of found) {
    const owner = sent.find(({ exchange }) => exchange === each.exchange);
    if (owner === undefined) continue;
    const { result, step } = owner;
    const check = (each.isRejected ? REJECTED_WRITE_CHANGED : OTHER_CALLER).id;
    const spec = run.api.operationById(each.exchange.operation ?? '')?.pointer;
    const told: Finding = { severity: 'error', spec, ...each.finding, check };
    const isShown = !isMaybeLate(each) || trial?.has(step.pointer) === true;
    const finding = isShown
      ? told
      : { ...told, severity: 'warning' as const, hint: trial === undefined ? UNTRIED : LATE };
    const before = judged.get(result) ?? result;
    judged.set(result, withFindings(before, [shownRunFinding(run, result, finding)], run.pendingReasons.get(result)));
  }
  return judged;
}

const UNTRIED = 'It was not sent again, so that the caller may only have been shown the thing some time later.';
const LATE = 'Sent again, it did not show where the caller had waited: what is new he may be shown some time later.';

/** What is not there for a caller may come to be there; what is kept from him is known to the service. */
function isMaybeLate({ refusal, finding }: CallerFinding): boolean {
  return refusal?.status === 404 && finding.severity === 'error';
}

function findingsOf(run: Run, sent: readonly ReplayedStep[], mark: string): CallerFinding[] {
  const callers = new Set(run.identities?.keys());
  const exchanges = sent.map(({ exchange }) => exchange);
  if (!exchanges.some(({ auth }) => callers.has(auth))) return [];
  return otherCallerFindings(run.api, exchanges, callers, mark);
}

/** So long a caller may wait for what is new. */
const WAIT: Repeat = {
  until: { ...ANY_RESPONSE, statuses: [200, 201, 202, 203, 204, 206] },
  attempts: 5,
  timeoutMs: 2000,
  intervalMs: 300,
};

/** Sends a contract once more, in which callers wait for what they may read. @returns pointers of the steps that are wrong */
async function sendWaiting(
  run: Run,
  contract: Contract,
  found: readonly CallerFinding[],
  sent: readonly ReplayedStep[],
  again: SendAgain,
): Promise<ReadonlySet<string> | undefined> {
  const reads = new Set(
    found.flatMap(({ exchange: { auth }, refusal }) => {
      const first = sent.find(
        ({ exchange }) => exchange.auth === auth && exchange.method === 'GET' && exchange.path === refusal?.path,
      );
      return first === undefined ? [] : [first.step.pointer];
    }),
  );
  const waiting = (step: Step): Step => (reads.has(step.pointer) ? { ...step, repeat: WAIT } : step);
  const { setup, steps } = contract;
  const all = { ...contract, setup: setup.map(waiting), steps: steps.map(waiting) };
  const resent = await sendAside(run, all, again, 1);
  if (typeof resent === 'string') return undefined;
  const wrong = new Set(findingsOf(run, resent, `${run.runId}1`).map(({ exchange }) => exchange));
  return new Set(resent.flatMap(({ exchange, step }) => (wrong.has(exchange) ? [step.pointer] : [])));
}
