import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, ContractError, messageOf } from '../../core/errors/standin-error';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import { printable } from '../../core/text/printable';
import { type Contract, type Phase, placeholdersOf, type Step, stepsOf } from '../../formats/contract/contract';
import { runContract } from '../../library/run-contract';
import type { RunContractOptions } from '../../library/run-options';
import type { OwnedStep, RootCause } from '../../report/causes/root-cause';
import { rootCauses } from '../../report/causes/root-causes';
import { reproductionOf } from '../../report/text/reproduction';
import { allSteps } from '../../runner/result/outcome';
import type { RunResult, StepResult } from '../../runner/result/run-result';
import { contractText } from '../../traffic/contract/contract-text';

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
): Promise<SavedCase[]> {
  const saved: SavedCase[] = [];
  const scratch = mkdtempSync(join(tmpdir(), 'standin-case-'));
  try {
    for (const cause of rootCauses(result).slice(0, MOST_CASES)) {
      const found = caseOf(cause, contracts);
      if (found === undefined) continue;
      const trial: Trial = { cause, options, file: join(scratch, 'case.json') };
      const shortest = await shorten(found, trial);
      saved.push(write(shortest, cause, { folder, key, number: saved.length + 1 }));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return saved;
}

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
function caseOf({ steps: [owned] }: RootCause, contracts: readonly Contract[]): FailingCase | undefined {
  const { contract: ran, step } = owned;
  const contract = contracts.find(({ name, document }) => name === ran?.name && document.file === ran.file);
  if (contract === undefined || ran === undefined || !isJsonObject(contract.document.root)) return undefined;
  const place = ran.steps.filter(({ phase, name }) => phase === step.phase && name === step.name).indexOf(step);
  const failing = stepsOf(contract).filter(({ phase, name }) => phase === step.phase && name === step.name)[place];
  if (failing === undefined || stringifyJson(contract.document.root).includes('"file":')) return undefined;
  const order = [...contract.setup, ...contract.steps];
  const until = failing.phase === 'cleanup' ? order : order.slice(0, order.indexOf(failing) + 1);
  const lost = new Set(order.slice(until.length).flatMap(({ captures }) => captures.map(({ name }) => name)));
  for (const { captures } of until) for (const { name } of captures) lost.delete(name);
  const cleanup = contract.cleanup.filter((each) => !placeholdersOf(each).some(({ name }) => lost.has(name)));
  return { root: contract.document.root, kept: [...until, ...cleanup], failing, owned };
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

/** Without a step, and without those that need a value which it alone captures. */
function withoutDependents(steps: readonly Step[], left: Step): Step[] {
  const rest = steps.filter((step) => step !== left);
  const known = new Set(rest.flatMap(({ captures }) => captures.map(({ name }) => name)));
  const lost = left.captures.map(({ name }) => name).filter((name) => !known.has(name));
  const dependent = rest.find((step) => placeholdersOf(step).some(({ name }) => lost.includes(name)));
  return dependent === undefined ? rest : withoutDependents(rest, dependent);
}

/** Sends what is left once more. @returns the step that fails, where it does so in the same way */
async function failsAgain(found: FailingCase, { cause, options, file }: Trial): Promise<OwnedStep | undefined> {
  writeFileSync(file, stringifyJson(rootOf(found)));
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

/** The contract with the steps that are left. */
function rootOf({ root, kept }: Pick<FailingCase, 'root' | 'kept'>): JsonObject {
  const pointers = new Set(kept.map(({ pointer }) => pointer));
  const phaseOf = (phase: Phase): [string, JsonValue][] => {
    const written = root[phase];
    const own = Array.isArray(written) ? written.filter((_, index) => pointers.has(`/${phase}/${index}`)) : [];
    return own.length === 0 && phase !== 'steps' ? [] : [[phase, own]];
  };
  const rest = Object.entries(root).filter(([name]) => !['setup', 'steps', 'cleanup'].includes(name));
  return Object.fromEntries([...rest, ...phaseOf('setup'), ...phaseOf('steps'), ...phaseOf('cleanup')]);
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
    writeFileSync(file, contractText({ value: rootOf(withSteps(found)), header: comments, comments: [] }));
    const lines = ['#!/bin/sh', ...comments.map((line) => `# ${line}`), ...commands];
    if (commands.length > 0) writeFileSync(join(folder, `${name}.sh`), `${lines.join('\n')}\n`);
  } catch (error) {
    throw new ConfigError('CONFIG_INVALID', `The failures cannot be written into ${folder}: ${messageOf(error)}`, {
      hint: 'Name a folder that can be written after --save-failures.',
    });
  }
  return { file, steps };
}

/** A contract has steps: where the failing one is one of the setup, it is the step. */
function withSteps(found: FailingCase): FailingCase {
  const { failing, kept, root } = found;
  if (failing.phase !== 'setup') return found;
  const setup = Array.isArray(root['setup']) ? root['setup'] : [];
  const steps = kept
    .filter(({ phase }) => phase === 'setup')
    .flatMap(({ pointer }) => setup[Number(pointer.split('/').at(-1))] ?? []);
  const all = steps.map((_, index) => ({ ...failing, phase: 'steps' as const, pointer: `/steps/${index}` }));
  return {
    ...found,
    root: { ...root, setup: [], steps },
    kept: [...all, ...kept.filter(({ phase }) => phase === 'cleanup')],
  };
}
