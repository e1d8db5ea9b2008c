import './node-globals';
import { ConfigError, formatStandinError, withFullMessage } from '../core/errors/standin-error';
import type { Contract, Step } from '../formats/contract/contract';
import { findingLines } from '../report/text/step-text';
import type { RootCause } from '../report/causes/root-cause';
import { rootCauses } from '../report/causes/root-causes';
import { runProblems } from '../report/causes/run-summary';
import { counted } from '../core/text/printable';
import { selectSteps, usedOperations } from '../runner/steps/selection';
import { type ContractResult, type RunResult, type StepResult } from '../runner/result/run-result';
import { allSteps } from '../runner/result/outcome';
import { checkDescribeOptions, type DescribeContractOptions, type RunContractOptions } from './run-options';
import { loadRun, runContract } from './run-contract';
import { chooseSelection } from './run-choices';

/** What jest puts into the global scope, and what others give under the same names. */
interface TestFunctions {
  describe: (name: string, define: () => void) => void;
  test: ((name: string, run: () => void, timeoutMs?: number) => void) & { skip(name: string, run: () => void): void };
  beforeAll: (run: () => Promise<void>, timeoutMs?: number) => void;
}

const WHOLE_RUN = 'the run as a whole';
const RUN_TIMEOUT_MS = 300_000;
/** For removing what a run made that was stopped. */
const MOST_CLEANUP_MS = 60_000;

/**
 * Makes each step of contracts a test of its own, against an app in this process or a URL. The steps run once, in
 * their order, before the first test looks at its own; each test then tells what became of its step.
 *
 * @example
 * describeContract({ createApp: () => createMyApp(), description: 'openapi.yaml', contracts: 'contracts' });
 * @param functions - of a test runner that has no global ones
 * @throws ConfigError, SpecError, ContractError when the files cannot be used; outside a test runner as well
 */
export function describeContract(options: DescribeContractOptions, functions?: TestFunctions): void {
  const { describe, test, beforeAll } = functions ?? testGlobals();
  const { api, contracts, selection } = load(options);
  let result: RunResult | undefined;
  let lost: RootCause | undefined;
  const probed = options.probesAuth === false ? [] : usedOperations({ api, selection }, contracts).map(({ id }) => id);
  describe(`${api.title} ${api.version}`.trim(), () => {
    beforeAll(async () => {
      result = await runInTime(options);
      lost = outageCause(result);
    }, RUN_TIMEOUT_MS + MOST_CLEANUP_MS);
    contracts.forEach((contract, index) => {
      describe(contract.name, () => {
        const resultOf = (): ContractResult | undefined => result?.contracts[index];
        defineSteps(test, contract, selectSteps(api, contract, selection), resultOf, () => lost);
      });
    });
    describe('auth behaviour', () => {
      for (const id of probed) {
        test(id, () => {
          if (lost !== undefined) throw notCheckedError(lost);
          for (const probe of result?.probes ?? []) if (probe.operation === id) assertPassed(probe, isOptionalProbe);
        });
      }
    });
    test('nothing is left behind', () => {
      const left = result?.leftBehind.filter(({ isAccepted }) => !isAccepted) ?? [];
      if (left.length > 0) throw new Error(left.map(({ url, reason }) => `${url}: ${reason}`).join('\n'));
    });
    test(WHOLE_RUN, () => {
      if (result === undefined) throw new Error('The contracts did not run');
      if (lost !== undefined) throw new Error(outageText(result, lost));
      assertRun(result, probed);
    });
  });
}

interface Loaded extends ReturnType<typeof loadRun> {
  readonly selection: ReturnType<typeof chooseSelection>;
}

function load(options: DescribeContractOptions): Loaded {
  try {
    checkDescribeOptions(options);
    const { api, contracts } = loadRun(options, {});
    return { api, contracts, selection: chooseSelection(options, api, contracts) };
  } catch (error) {
    throw withFullMessage(error);
  }
}

/** Why no response came at all. One test tells it in full: those of the steps would say the same again, each. */
function outageCause(result: RunResult): RootCause | undefined {
  return rootCauses(result).find(({ kind, check }) => kind === 'run' && check.startsWith('TRANSPORT_'));
}

function outageText(result: RunResult, { check, message, hint }: RootCause): string {
  const rest = `No response came to any of ${counted(allSteps(result).length, 'step')}.`;
  return [`${check}: ${message}`, ...(hint === undefined ? [] : [`  hint: ${hint}`]), rest].join('\n');
}

/** Nothing is green that nobody answered. */
function notCheckedError({ check }: RootCause): Error {
  return new Error(`Not judged, because no response came (${check}): "${WHOLE_RUN}" says why.`);
}

/** Runs everything; what takes too long is stopped, and what it made is removed. */
async function runInTime(options: DescribeContractOptions): Promise<RunResult> {
  const stop = new AbortController();
  const timer = setTimeout(() => {
    stop.abort();
  }, RUN_TIMEOUT_MS);
  try {
    return await runContract({ ...(await resolveTarget(options)), signal: stop.signal });
  } catch (error) {
    throw withFullMessage(error);
  } finally {
    clearTimeout(timer);
  }
}

/** What no test of a step tells: probes of no operation that has a test, and that nothing was checked at all. */
function assertRun(result: RunResult, probed: readonly string[]): void {
  for (const probe of result.probes) {
    if (probe.operation === undefined || !probed.includes(probe.operation)) assertPassed(probe, isOptionalProbe);
  }
  // What is left has a test of its own.
  const problems = runProblems(result).filter(({ id }) => id !== 'left-behind');
  if (problems.length > 0) throw new Error(problems.map(({ message, hint }) => `${message}\n${hint}`).join('\n'));
}

function defineSteps(
  test: TestFunctions['test'],
  { setup, steps, cleanup }: Contract,
  selected: ReadonlySet<Step>,
  resultOf: () => ContractResult | undefined,
  lossOfRun: () => RootCause | undefined,
): void {
  // In the order of a result: the cleanup runs from its last step to its first.
  [...setup, ...steps, ...cleanup.toReversed()].forEach((step, position) => {
    const name = `${step.phase === 'steps' ? '' : `${step.phase}: `}${step.name}`;
    if (!selected.has(step)) {
      test.skip(name, () => undefined);
      return;
    }
    test(name, () => {
      const ended = resultOf()?.steps[position];
      if (ended === undefined) throw new Error('The contract did not run');
      const lost = lossOfRun();
      if (lost !== undefined) throw notCheckedError(lost);
      assertPassed(ended, step.phase === 'cleanup' ? isOptionalCleanup : isChosenSkip);
    });
  });
}

type MayBeSkipped = (step: StepResult) => boolean;

const causeOf = ({ verdict }: StepResult): string => (verdict.kind === 'skipped' ? verdict.cause : '');
const isChosenSkip: MayBeSkipped = (step) => ['mode', 'pending', 'selection'].includes(causeOf(step));
/** What was never made need not be removed; that it was not made is reported by its own test. */
const isOptionalCleanup: MayBeSkipped = (step) => isChosenSkip(step) || causeOf(step) === 'missing-value';
const isOptionalProbe: MayBeSkipped = (step) => isChosenSkip(step) || causeOf(step) === 'not-harmless';

function assertPassed(step: StepResult, mayBeSkipped: MayBeSkipped): void {
  const { verdict, name, place } = step;
  if (verdict.kind === 'pass') return;
  if (verdict.kind === 'skipped') {
    if (mayBeSkipped(step)) return;
    throw new Error(`${name} was not sent: ${verdict.reason}`);
  }
  const lines = verdict.kind === 'fail' ? verdict.findings.flatMap(findingLines) : [formatStandinError(verdict.error)];
  throw new Error([`${name}${place === undefined ? '' : ` (${place})`}`, ...lines].join('\n'));
}

async function resolveTarget(options: DescribeContractOptions): Promise<RunContractOptions> {
  const { app, createApp, baseUrl, ...others } = options;
  if (baseUrl !== undefined) return { ...others, baseUrl: typeof baseUrl === 'string' ? baseUrl : await baseUrl() };
  return { ...others, app: app ?? (await createApp?.()) };
}

function testGlobals(): TestFunctions {
  const globals = globalThis as unknown as Partial<TestFunctions>;
  const { describe, test, beforeAll } = globals;
  if (describe !== undefined && test !== undefined && beforeAll !== undefined) return { describe, test, beforeAll };
  throw new ConfigError('CONFIG_INVALID', 'describeContract was called outside a test runner', {
    hint: 'Call it in a test file of jest. With another runner, such as Vitest without globals, give its functions: describeContract(options, { describe, test, beforeAll }).',
  });
}
