import { runContract } from '../../../src/library/run-contract';
import { rootCauses } from '../../../src/report/causes/root-causes';
import { type RunResult, type StepResult } from '../../../src/runner/result/run-result';
import { allSteps } from '../../../src/runner/result/outcome';
import type { AnyApi } from '../apis';
import type { Alteration, AnyDefect } from '../defect';
import { startMutantProxy } from '../proxy';
import { type Nearness, nearnessOf, type Shown } from '../shown';
import type { Trigger } from '../trigger';
import type { Asked } from './asked';
import { TARGETS, type TargetName } from './targets';

/** What one run said of one defect. */
export interface Measurement {
  readonly id: string;
  readonly target: TargetName;
  readonly isCaught: boolean;
  /** Requests that were sent until the first finding; of all when there was none. */
  readonly requests: number;
  readonly ms: number;
  /** Checks that spoke first, or how the run ended. */
  readonly by: string;
  /** How often a response was not as a conforming server gives it. */
  readonly shown: number;
  /** Of a defect that was caught by a finding: does that name the place. */
  readonly named?: Naming | undefined;
  /** Of a server that conforms: the steps with findings. */
  readonly alarmed?: readonly string[];
}

/** How near the first finding is, and whether a part of a response was wrong that it could name. */
export interface Naming {
  readonly nearness: Nearness;
  readonly hasPart: boolean;
}

/** How slow a slow answer is here, and how long a run waits for one; all others have the time that a busy machine takes. */
const SLOW_MS = 1500;
const TIMEOUT_MS = 1000;
const PATIENT_MS = 10_000;

/**
 * Asks a server with a defect until something is found; its `verdict` says what that has to be.
 *
 * @param alarmed - steps that find something at the server without a defect too: they catch nothing
 */
export async function measureDefect(
  api: AnyApi,
  defect: AnyDefect,
  target: TargetName,
  asked: Asked,
  trigger: Trigger = 'always',
  alarmed: readonly string[] = [],
): Promise<Measurement> {
  const { verdict, largeIds = false } = defect;
  const { result, requests, ms, first, shown } = await run(api, defect, target, {
    largeIds,
    stopsAtFirst: verdict === undefined,
    options: verdict === 'inconclusive' ? asked.short : asked.options,
    timeoutMs: verdict === 'inconclusive' ? TIMEOUT_MS : PATIENT_MS,
    trigger,
    alarmed,
  });
  const isCaught = isRight(defect, result, first);
  const by = first === undefined ? result.outcome : checksOf(first);
  return { id: defect.id, target, isCaught, requests, ms, by, shown: shown.length, named: namingOf(first, shown, api) };
}

function namingOf(first: StepResult | undefined, shown: readonly Shown[], api: AnyApi): Naming | undefined {
  if (first?.verdict.kind !== 'fail' || shown.length === 0) return undefined;
  const { operation } = first;
  const findings = first.verdict.findings.map(({ at }) => ({ operation, at }));
  const near = shown.filter((each) => each.operation === operation);
  return {
    nearness: nearnessOf(findings, shown, api.dialect.resourceOf),
    hasPart: near.length > 0 && near.every(({ parts }) => parts !== undefined),
  };
}

/** Asks something lawful: whatever is found is a false alarm. */
export async function measureVariant(
  api: AnyApi,
  variant: Alteration | undefined,
  target: TargetName,
  { options }: Asked,
  seed = 1,
): Promise<Measurement> {
  const manner = { largeIds: false, stopsAtFirst: false, options, seed };
  const { result, requests, ms, first, shown } = await run(api, variant, target, manner);
  const isCaught = result.outcome !== 'conforms';
  const by = first === undefined ? result.outcome : `${first.name}: ${checksOf(first)}`;
  const alarmed = allSteps(result).filter(({ verdict }) => verdict.kind === 'fail');
  const alarms = alarmed.map(({ name }) => name);
  return { id: variant?.id ?? 'no defect', target, isCaught, requests, ms, by, shown: shown.length, alarmed: alarms };
}

function isRight({ verdict }: AnyDefect, result: RunResult, first: StepResult | undefined): boolean {
  switch (verdict) {
    case undefined:
      return first !== undefined;
    case 'one cause':
      return result.outcome !== 'conforms' && rootCauses(result).length === 1;
    case 'inconclusive':
      // Waited out, and told, or not judged: never a violation, never in silence.
      return result.outcome === 'inconclusive' || (result.outcome === 'conforms' && isTold(result));
    case 'eventual':
    default:
      return result.outcome !== 'conforms';
  }
}

function isTold(result: RunResult): boolean {
  return allSteps(result).some(({ warnings }) => warnings.some(({ check }) => check === 'sent-again'));
}

interface Ran {
  readonly result: RunResult;
  readonly requests: number;
  readonly ms: number;
  readonly first: StepResult | undefined;
  readonly shown: readonly Shown[];
}

interface Manner {
  readonly largeIds: boolean;
  readonly stopsAtFirst: boolean;
  readonly options: Asked['options'];
  readonly timeoutMs?: number;
  readonly trigger?: Trigger;
  readonly seed?: number;
  readonly alarmed?: readonly string[];
}

async function run(
  { dialect, runOptions }: AnyApi,
  alteration: Alteration | undefined,
  name: TargetName,
  {
    largeIds,
    stopsAtFirst,
    options: asked,
    timeoutMs = PATIENT_MS,
    trigger = 'always',
    seed = 1,
    alarmed = [],
  }: Manner,
): Promise<Ran> {
  const target = await TARGETS[name](largeIds);
  const shown: Shown[] = [];
  const proxy = await startMutantProxy({
    target: target.url,
    dialect,
    onShown: (each) => shown.push(each),
    slow: SLOW_MS,
    trigger,
    ...(alteration === undefined ? {} : { defect: alteration }),
  });
  const isFound = ({ name: step, verdict }: StepResult): boolean => verdict.kind === 'fail' && !alarmed.includes(step);
  const controller = new AbortController();
  let first: StepResult | undefined;
  let requests = 0;
  const startedAt = performance.now();
  try {
    const options = {
      ...runOptions(proxy.url),
      ...asked,
      timeoutMs,
      signal: controller.signal,
      concurrency: 4,
      seed,
    };
    const result = await runContract(options, {
      onStep(step) {
        if (first !== undefined && stopsAtFirst) return;
        requests += step.attempts;
        if (first === undefined && isFound(step)) {
          first = step;
          if (stopsAtFirst) controller.abort();
        }
      },
    });
    // Checks of a whole run speak at its end.
    first ??= allSteps(result).find(isFound);
    return { result, requests, ms: performance.now() - startedAt, first, shown };
  } finally {
    await proxy.close();
    await target.close();
  }
}

function checksOf({ verdict }: StepResult): string {
  return verdict.kind === 'fail' ? [...new Set(verdict.findings.map(({ check }) => check))].join(', ') : verdict.kind;
}
