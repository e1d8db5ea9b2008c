import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, ContractError, messageOf } from '../../core/errors/standin-error';
import { isJsonObject, type JsonObject } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import { printable } from '../../core/text/printable';
import { type Contract, type Step, stepsOf } from '../../formats/contract/contract';
import { contractWith, stepsUntil, withoutDependents } from '../../formats/contract/contract-part';
import { runContract } from '../../library/run-contract';
import type { RunContractOptions } from '../../library/run-options';
import type { OwnedStep, RootCause } from '../../report/causes/root-cause';
import { rootCauses } from '../../report/causes/root-causes';
import { reproductionOf } from '../../report/text/reproduction';
import { allSteps } from '../../runner/result/outcome';
import type { RunResult, StepResult } from '../../runner/result/run-result';
import { NO_ORDER, OTHER_CALLER, REJECTED_WRITE_CHANGED } from '../../runner/result/runner-checks';
import { contractText } from '../../traffic/contract/contract-text';

/** What was saved, and how many failures were not: too many, or of no step of a contract that stands in one file. */
export interface SavedFailures {
  readonly saved: readonly SavedCase[];
  readonly others: number;
}

/** A failure as a contract of its own. */
export interface SavedCase {
  readonly file: string;
  /** Of the contract that is left, without what removes things. */
  readonly steps: number;
}

/** More failures than that nobody reads one by one. */
const MOST_CASES = 20;
/** So often a case is sent again to find out what it does not need. */
const MOST_TRIES = 25;

/**
 * Writes each failure of a run as the shortest contract that still fails in the same way, and as curl command lines.
 * Steps are left out one by one, and what is left is sent again.
 *
 * @param contracts - that were run
 * @param options - of the run
 * @throws ConfigError `CONFIG_INVALID` where the folder cannot be written
 */
export async function saveFailures(
  result: RunResult,
  contracts: readonly Contract[],
  options: RunContractOptions,
  { folder, key }: { readonly folder: string; readonly key: Parameters<typeof reproductionOf>[1] },
): Promise<SavedFailures> {
  const saved: SavedCase[] = [];
  const causes = rootCauses(result);
  const scratch = mkdtempSync(join(tmpdir(), 'standin-case-'));
  try {
    for (const cause of causes.slice(0, MOST_CASES)) {
      const found = caseOf(cause, contracts);
      if (found === undefined) continue;
      const trial: Trial = { cause, options, file: join(scratch, 'case.json') };
      const shortest = await shorten(found, trial);
      saved.push(write(shortest, cause, { folder, key, number: saved.length + 1 }));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return { saved, others: causes.length - saved.length };
}

/** Checks whose findings need the steps after the one that fails. */
const SHOWN_LATER: ReadonlySet<string> = new Set([NO_ORDER, OTHER_CALLER, REJECTED_WRITE_CHANGED].map(({ id }) => id));

/** A contract with the step that fails. */
interface FailingCase {
  readonly root: JsonObject;
  readonly kept: readonly Step[];
  readonly failing: Step;
  /** The last run of it. */
  readonly owned: OwnedStep;
}

interface Trial {
  readonly cause: RootCause;
  readonly options: RunContractOptions;
  readonly file: string;
}

/** @returns `undefined` for what no step of a contract shows, such as a probe, and for contracts that need other files */
function caseOf({ check, steps: [owned] }: RootCause, contracts: readonly Contract[]): FailingCase | undefined {
  const { contract: ran, step } = owned;
  const contract = contracts.find(({ name, document }) => name === ran?.name && document.file === ran.file);
  if (contract === undefined || ran === undefined || !isJsonObject(contract.document.root)) return undefined;
  const namesake = ran.steps.filter(({ phase, name }) => phase === step.phase && name === step.name).indexOf(step);
  const failing = stepsOf(contract).filter(({ phase, name }) => phase === step.phase && name === step.name)[namesake];
  if (failing === undefined || stringifyJson(contract.document.root).includes('"file":')) return undefined;
  // What requests at the same time, or those of another caller, did, later reads show.
  const last = SHOWN_LATER.has(check) ? undefined : failing;
  return { root: contract.document.root, kept: stepsUntil(contract, last), failing, owned };
}

/** Leaves out one step after the other, the last first, as long as what is left fails in the same way. */
async function shorten(found: FailingCase, trial: Trial): Promise<FailingCase> {
  let shortest = found;
  let tries = 0;
  for (const step of found.kept.toReversed()) {
    if (step === found.failing || step.phase === 'cleanup' || !shortest.kept.includes(step)) continue;
    if (tries >= MOST_TRIES) break;
    const kept = withoutDependents(shortest.kept, step);
    if (!kept.includes(found.failing)) continue;
    tries += 1;
    const owned = await failsAgain({ ...shortest, kept }, trial);
    if (owned !== undefined) shortest = { ...shortest, kept, owned };
  }
  return shortest;
}

/** Sends what is left once more. @returns the step that fails, where it does so in the same way */
async function failsAgain(found: FailingCase, { cause, options, file }: Trial): Promise<OwnedStep | undefined> {
  writeFileSync(file, stringifyJson(contractWith(found.root, found.kept)));
  const again = await replay(file, options);
  const step = again && allSteps(again).find((each) => each.name === found.failing.name && shows(each, cause));
  return step === undefined ? undefined : { step, contract: again?.contracts[0] };
}

/** @returns `undefined` where what is left is no contract, as where an expectation names a value that nothing captures */
async function replay(file: string, options: RunContractOptions): Promise<RunResult | undefined> {
  const alone: RunContractOptions = {
    ...options,
    contracts: [file],
    generate: false,
    probesAuth: false,
    only: undefined,
    skip: undefined,
    shard: undefined,
    minCoverage: undefined,
    ledger: undefined,
    onProgress: undefined,
  };
  try {
    return await runContract(alone);
  } catch (error) {
    if (error instanceof ContractError) return undefined;
    throw error;
  }
}

function shows({ verdict }: StepResult, { check, at }: RootCause): boolean {
  if (verdict.kind === 'error') return verdict.error.code === check;
  return verdict.kind === 'fail' && verdict.findings.some((finding) => finding.check === check && finding.at === at);
}

function write(
  found: FailingCase,
  { check, at, message, expected, actual, fingerprint }: RootCause,
  {
    folder,
    key,
    number,
  }: { readonly folder: string; readonly key: Parameters<typeof reproductionOf>[1]; readonly number: number },
): SavedCase {
  const { operation = '' } = found.owned.step;
  const name = `${String(number).padStart(2, '0')}-${check}-${operation.replaceAll(/[^A-Za-z0-9]+/g, '-') || 'step'}`;
  const file = join(folder, `${name}.yaml`);
  const comments = [
    `${check} at ${at ?? 'the step'}: ${message}`,
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(actual === undefined ? [] : [`actual ${actual}`]),
    `It is the step "${found.failing.name}". Again: standin verify --replay ${name}.yaml, with the other flags of the run.`,
    `Finding ${fingerprint}`,
  ].map((line) => printable(line));
  const steps = found.kept.filter(({ phase }) => phase !== 'cleanup').length;
  const commands = reproductionOf(found.owned, key)?.commands ?? [];
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, contractText({ value: contractWith(found.root, found.kept), header: comments, comments: [] }));
    const lines = ['#!/bin/sh', ...comments.map((line) => `# ${line}`), ...commands];
    if (commands.length > 0) writeFileSync(join(folder, `${name}.sh`), `${lines.join('\n')}\n`);
  } catch (error) {
    throw new ConfigError('CONFIG_INVALID', `The failures cannot be written into ${folder}: ${messageOf(error)}`, {
      hint: 'Name a folder that can be written after --save-failures.',
    });
  }
  return { file, steps };
}
