import type { Contract } from '../formats/contract/contract';
import { locationAt } from '../openapi/read/source-document';
import { groupBy } from '../core/text/group-by';
import type { TellProgress } from '../core/text/progress';
import { type Answered, concerns, createService, type Service, type ServiceParts } from './service';
import { assertionFor, type AssertionMaker, type Course, shortest, stepAt } from './assertion';
import { type Assertion, type GradedDefect, type GradeResult, GRADE_FORMAT, gradeOf } from './grade-result';
import type { GradedApi, Mutant } from './mutants/mutant';
import { OPERATORS } from './mutants/operators';
import type { StepResult } from '../runner/result/run-result';
import { answersOtherwise, differences, type Failure, type RunSettings, type Trial, tryContract } from './trial';

export interface GradeInput extends GradedApi {
  readonly parts: ServiceParts;
  readonly settings: RunSettings;
  /** Those that are graded. */
  readonly contracts: readonly Contract[];
  /** What is asked for where the contracts show nothing: interactions that are made of the description. */
  readonly witnesses: () => readonly Contract[];
  /** Does a run probe the authentication as well? */
  readonly probes: boolean;
  /** Defects, kinds of them and operations that are tried alone; empty for all. */
  readonly only: readonly string[];
  /** So many defects are tried at most, of every kind some. */
  readonly maxDefects: number;
  /** Reads a contract that was changed; `undefined` where it is none any more. */
  readonly read: AssertionMaker['read'];
  readonly onProgress?: TellProgress | undefined;
}

/** A contract, and how it goes at the conforming mock. */
interface Known {
  readonly contract: Contract;
  readonly trial: Trial;
  readonly called: ReadonlySet<string>;
}

/**
 * Finds out which defects a run of contracts would notice. Once `settings.signal` is aborted, no further request is sent,
 * and the result has the defects that were judged before.
 */
export async function gradeContracts(input: GradeInput): Promise<GradeResult> {
  const startedAt = Date.now();
  const { settings, contracts, maxDefects, only } = input;
  const { api, signal } = settings;
  const grading = await Grading.of(input);
  const all = OPERATORS.flatMap(({ id, mutants }) =>
    [...mutants(input)].map((mutant) => ({ kind: id, mutant })),
  ).filter(({ kind, mutant }) => only.length === 0 || only.some((name) => isCalled(name, kind, mutant)));
  // With nothing to run, nothing is found out.
  const chosen = grading.isEmpty ? [] : chooseEvenly(all, maxDefects);
  const defects: GradedDefect[] = [];
  for (const { kind, mutant } of chosen) {
    input.onProgress?.({ phase: 'trying', what: 'defects', done: defects.length, total: chosen.length });
    const { id, words, pointer, operations } = mutant;
    const about = { id, kind, words, operations: [...(operations ?? [])], pointer, place: placeOf(input, pointer) };
    const judgement = await unlessAborted(signal, () => grading.grade(mutant));
    if (judgement === undefined) break;
    defects.push({ ...about, ...judgement });
  }
  return {
    format: GRADE_FORMAT,
    version: settings.version,
    api: `${api.title} ${api.version}`.trim(),
    description: api.document.file,
    durationMs: Date.now() - startedAt,
    contracts: contracts.map(({ name, document }) => ({ name, file: document.file })),
    excluded: grading.excluded.map(({ contract, failure }) => ({
      name: contract.name,
      file: contract.document.file,
      reason: `${failure.step}: ${failure.message}`,
    })),
    available: all.length,
    defects,
    grade: gradeOf(defects),
  };
}

/** Returns what `act` returns; `undefined` if the signal is aborted, before or meanwhile. */
async function unlessAborted<Result>(
  signal: AbortSignal | undefined,
  act: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    signal?.throwIfAborted();
    return await act();
  } catch (error) {
    if (signal?.aborted === true) return undefined;
    throw error;
  }
}

/** Is it the name of a defect, of its kind, or of an operation that has it? */
function isCalled(name: string, kind: string, { id, operations }: Mutant): boolean {
  return name === kind || name === id || operations?.has(name) === true;
}

function placeOf({ api }: GradedApi, pointer: string): string {
  const { file, line, column } = locationAt(api.document, pointer);
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/** The same number of each kind, as far as there are so many, in their order. */
function chooseEvenly<Item extends { readonly kind: string }>(all: readonly Item[], most: number): Item[] {
  if (all.length <= most) return [...all];
  const queues = groupBy(all, ({ kind }) => kind).map(spread);
  const chosen = new Set<Item>();
  for (let round = 0; chosen.size < most; round++)
    for (const queue of queues) {
      const item = queue[round];
      if (item !== undefined && chosen.size < most) chosen.add(item);
    }
  return all.filter((item) => chosen.has(item));
}

/** In an order in which the first few are far apart from each other. */
function spread<Item>(items: readonly Item[]): Item[] {
  const steps = [7, 3, 1].filter((step) => step === 1 || items.length > step * 3);
  const seen = new Set<Item>();
  for (const step of steps) for (let at = 0; at < items.length; at += step) seen.add(items[at] as Item);
  return [...seen];
}

type Judgement = Pick<GradedDefect, 'verdict' | 'noticedBy' | 'shownBy' | 'assertion' | 'reason'>;

/** Where a defect shows in a response that nothing compares. */
interface Shown {
  readonly known: Known;
  readonly trial: Trial;
  readonly at: readonly number[];
}

class Grading {
  readonly excluded: readonly { readonly contract: Contract; readonly failure: Failure }[];
  private readonly input: GradeInput;
  private readonly conforming: Service;
  private readonly suite: readonly Known[];
  private readonly probed = new Map<Known, Trial>();
  private witnesses: readonly Known[] | undefined;

  private constructor(input: GradeInput, conforming: Service, suite: readonly Known[], excluded: Grading['excluded']) {
    this.input = input;
    this.conforming = conforming;
    this.suite = suite;
    this.excluded = excluded;
  }

  static async of(input: GradeInput): Promise<Grading> {
    const conforming = createService(input.parts);
    const known = await unlessAborted(input.settings.signal, () => knownOf(input, conforming, input.contracts));
    const { green, red } = known ?? { green: [], red: [] };
    return new Grading(input, conforming, green, red);
  }

  /** Is there no contract that is green at the conforming mock? */
  get isEmpty(): boolean {
    return this.suite.length === 0;
  }

  async grade(mutant: Mutant): Promise<Judgement> {
    let service: Service;
    try {
      service = createService(this.input.parts, mutant);
    } catch (error) {
      return { verdict: 'undecided', reason: `no mock can be made of it: ${String(error)}` };
    }
    const own = await this.tryAll(service, mutant, this.suite);
    if ('noticedBy' in own) return { verdict: 'noticed', noticedBy: own.noticedBy };
    const byProbe = await this.tryProbes(service, mutant, this.suite);
    if (byProbe !== undefined) return { verdict: 'noticed', noticedBy: byProbe.noticedBy };
    const { shown } = own;
    const ready = shown === undefined ? undefined : await assertionFor(this.maker(service), this.courseOf(shown));
    if (shown !== undefined && ready !== undefined) return missed(shown, ready.assertion);
    const other = await this.byWitness(service, mutant);
    if (shown !== undefined) return missed(shown, other?.assertion);
    if (other !== undefined) return { verdict: 'unreached', assertion: other.assertion };
    return { verdict: 'undecided', reason: 'no request that was tried shows it' };
  }

  /** Asks what the contracts do not ask. @returns `undefined` where nothing of it shows the defect */
  private async byWitness(
    service: Service,
    mutant: Mutant,
  ): Promise<{ readonly assertion: Assertion | undefined } | undefined> {
    this.witnesses ??= (await knownOf(this.input, this.conforming, this.input.witnesses())).green;
    const found = await this.tryAll(service, mutant, this.witnesses);
    const maker = this.maker(service);
    if ('noticedBy' in found) {
      const { contract } = found.known;
      return { assertion: await shortest(maker, contract, found.noticedBy.step) };
    }
    if (found.shown !== undefined) {
      const ready = await assertionFor(maker, this.courseOf(found.shown));
      return { assertion: ready && (await shortest(maker, ready.contract, ready.assertion.step)) };
    }
    const probed = await this.tryProbes(service, mutant, this.witnesses);
    if (probed === undefined) return undefined;
    // Whatever calls the operation has it probed.
    const { contract, step } = probed.call;
    return { assertion: await shortest(this.maker(service, true), contract, step) };
  }

  /** Runs all contracts that may show a defect, the short ones first, until one fails. */
  private async tryAll(
    service: Service,
    mutant: Mutant,
    all: readonly Known[],
  ): Promise<
    | { readonly noticedBy: NonNullable<GradedDefect['noticedBy']>; readonly known: Known; readonly trial: Trial }
    | { readonly shown: Shown | undefined }
  > {
    let shown: Shown | undefined;
    for (const known of all) {
      if (![...known.called].some((id) => concerns(mutant, id))) continue;
      if (!(await answersOtherwise(service, known.trial, this.input.settings.signal))) continue;
      const trial = await tryContract(service, known.contract, this.input.settings, false);
      const { failure } = trial;
      if (failure !== undefined) {
        const { step, check } = failure;
        return { noticedBy: { contract: known.contract.name, step, check }, known, trial };
      }
      // What the runner looks up on its own is no request of the contract.
      const usual = { contract: known.contract, steps: known.trial.steps, conforming: known.trial.answered };
      const at = differences(known.trial.answered, trial.answered).filter(
        (index) => stepAt(usual, index) !== undefined,
      );
      if (at.length > 0) shown ??= { known, trial, at };
    }
    return { shown };
  }

  /** Calls the operations of a defect without a valid key, as a run does beside the contracts. */
  private async tryProbes(
    service: Service,
    mutant: Mutant,
    all: readonly Known[],
  ): Promise<
    | {
        readonly noticedBy: NonNullable<GradedDefect['noticedBy']>;
        /** The step that calls the operation. */
        readonly call: { readonly contract: Contract; readonly step: string };
      }
    | undefined
  > {
    const { settings, probes } = this.input;
    const calls = ({ trial }: Known): StepResult | undefined =>
      trial.steps.find(({ operation, phase }) => phase !== 'cleanup' && concerns(mutant, operation));
    const known = probes ? all.find((each) => calls(each) !== undefined) : undefined;
    const step = known && calls(known)?.name;
    if (known === undefined || step === undefined) return undefined;
    const { contract } = known;
    const usual = this.probed.get(known) ?? (await tryContract(this.conforming, contract, settings, true));
    this.probed.set(known, usual);
    if (usual.failure !== undefined || !(await answersOtherwise(service, usual, settings.signal))) return undefined;
    const { failure } = await tryContract(service, contract, settings, true);
    if (failure === undefined) return undefined;
    return { noticedBy: { contract: 'probes', step: failure.step, check: failure.check }, call: { contract, step } };
  }

  private courseOf({ known, trial, at }: Shown): Course {
    const { contract, trial: usual } = known;
    return { contract, steps: usual.steps, conforming: usual.answered, defective: trial.answered, at };
  }

  private maker(service: Service, probes = false): AssertionMaker {
    const { settings, read } = this.input;
    const { conforming } = this;
    const isGreen = async (at: Service, contract: Contract): Promise<boolean> =>
      (await tryContract(at, contract, settings, probes)).failure === undefined;
    return {
      runId: settings.runId,
      read,
      notices: async (contract) => (await isGreen(conforming, contract)) && !(await isGreen(service, contract)),
    };
  }
}

function missed({ known, trial, at }: Shown, assertion: Assertion | undefined): Judgement {
  const [first = 0] = at;
  const { request } = (known.trial.answered[first] ?? trial.answered[first]) as Answered;
  const { name, document } = known.contract;
  const shownBy = { contract: name, file: document.file, request: `${request.method} ${request.target}` };
  return { verdict: 'missed', shownBy, assertion };
}

/** How contracts go at the conforming mock, the shortest first, and those that fail there. */
async function knownOf(
  { settings }: GradeInput,
  service: Service,
  contracts: readonly Contract[],
): Promise<{ readonly green: Known[]; readonly red: { contract: Contract; failure: Failure }[] }> {
  const green: Known[] = [];
  const red: { contract: Contract; failure: Failure }[] = [];
  for (const contract of contracts) {
    const trial = await tryContract(service, contract, settings, false);
    if (trial.failure !== undefined) red.push({ contract, failure: trial.failure });
    else green.push({ contract, trial, called: new Set(trial.answered.flatMap(({ operation }) => operation ?? [])) });
  }
  green.sort((one, two) => one.trial.answered.length - two.trial.answered.length);
  return { green, red };
}
