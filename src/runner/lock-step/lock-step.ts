import { failuresOf } from '../result/outcome';
import { observeResponse, type ObservedResponse } from '../../checks/response-check';
import { expectationFindings } from '../../checks/response/registry';
import { StandinError } from '../../core/errors/standin-error';
import type { Finding } from '../../core/errors/finding';
import { type HttpResponse, isSafe } from '../../core/http/message';
import type { JsonValue } from '../../core/json/json-value';
import { type Contract, placeholdersOf, type Step } from '../../formats/contract/contract';
import type { Operation } from '../../openapi/model/operation';
import { capture } from '../exchange/capture';
import { requestFacts } from '../exchange/credentials';
import type { ExchangeOutcome } from '../exchange/exchange';
import { locate } from '../exchange/finding-location';
import type { Interaction } from '../exchange/interaction';
import type { Run } from '../exchange/run-state';
import { routeOf } from '../ownership/item-routes';
import { jsonBodyOf } from '../ownership/sent-content';
import type { LocatedFinding, StepResult } from '../result/run-result';
import { LOCK_STEP } from '../result/runner-checks';
import { shownFinding } from '../result/step-result';
import { prepareStep } from '../steps/step-request';
import { compareAnswers, type ComparedStep } from './compare-answers';
import type { Difference } from './compare-items';
import { madeItem } from './made-items';
import { itemOfRequest, namedItems, nameOfItem, type PairedItem, PairedItems } from './paired-items';
import {
  type AnsweredRequest,
  type AnswerPair,
  type AnswerReason,
  isSuccess,
  type ReferenceSession,
} from '../transport/reference';
import { noteWrite } from './written-values';

/** A step that waits for something is asked of the mock so often at most: there nothing takes time. */
const MOST_ATTEMPTS = 20;

/** What the mock made of a step. */
interface MockAnswer {
  readonly interaction: Interaction;
  readonly observed: ObservedResponse;
  readonly answered: AnsweredRequest;
  readonly reason: AnswerReason;
}

/**
 * One contract at a mock beside the target: each step that the target got is sent there too, with the mock's own values in
 * the place of the target's, and the two answers are compared.
 */
export class LockStep {
  private readonly run: Run;
  /** The same run as the mock sees it. */
  private readonly mockRun: Run;
  private readonly contract: Contract;
  private readonly session: ReferenceSession;
  private readonly values: Map<string, JsonValue>;
  private readonly items = new PairedItems();
  /** Why nothing that follows can be compared. */
  private lost: string | undefined;

  /**
   * @param values - those that the contract begins with
   * @returns `undefined` where the run has no mock beside it
   */
  static of(run: Run, contract: Contract, values: ReadonlyMap<string, JsonValue>): LockStep | undefined {
    return run.reference === undefined ? undefined : new LockStep(run, contract, run.reference.open(), values);
  }

  private constructor(run: Run, contract: Contract, session: ReferenceSession, values: ReadonlyMap<string, JsonValue>) {
    this.run = run;
    this.contract = contract;
    this.session = session;
    const { transport } = session;
    this.mockRun = { ...run, transport, baseUrl: `http://localhost${run.basePath}`, sessions: new Map() };
    this.values = new Map(values);
  }

  /** Nothing that follows can be compared: the target did what the mock was not asked for. */
  lose(reason: string): void {
    this.lost ??= reason;
  }

  /**
   * Sends a step to the mock that the target has answered, and compares the answers. It has to be done before the next
   * step is sent.
   *
   * @returns the differences, those that the checks of the response have told already not left out
   */
  async follow(step: Step, interaction: Interaction, outcome: ExchangeOutcome): Promise<readonly LocatedFinding[]> {
    const { response } = outcome;
    if (response === undefined) {
      const { request } = await outcome.result;
      if (request !== undefined && !isSafe(interaction.request.method)) this.lose('an earlier write was not answered');
      return [];
    }
    if (isOfPolicy(step)) {
      this.run.lockStep.noteOmitted(this.lost ?? OF_POLICY);
      const isDone = isSuccess({ status: response.status }) && !isSafe(interaction.request.method);
      if (isDone) this.lose('another caller changed something, and nobody knows for whom');
      return [];
    }
    const result = this.lost ?? (await this.compare(step, interaction, outcome, response));
    if (typeof result === 'string') {
      this.run.lockStep.noteOmitted(result);
      return [];
    }
    this.run.lockStep.noteCompared();
    return result;
  }

  /** @returns why the answers cannot be compared */
  private async compare(
    step: Step,
    interaction: Interaction,
    { captured }: ExchangeOutcome,
    response: HttpResponse,
  ): Promise<readonly LocatedFinding[] | string> {
    const missing = placeholdersOf(step).find(({ name }) => !this.values.has(name));
    if (missing !== undefined) return 'it needs a value that the mock did not give';
    const answer = await this.ask(step);
    if (typeof answer === 'string') return answer;
    const { operation } = interaction;
    const mine = capture({
      run: this.mockRun,
      interaction: answer.interaction,
      observed: answer.observed,
      isLast: true,
    });
    for (const [name, value] of mine.values) this.values.set(name, value);
    if (operation === undefined) return 'the description has no such operation';
    const answers = { target: answeredRequest(this.run, interaction, response), mock: answer.answered };
    return this.compareAnswered(operation, interaction, answer, answers, { target: captured, mock: mine.values });
  }

  private async compareAnswered(
    operation: Operation,
    interaction: Interaction,
    { observed, reason, interaction: asked }: MockAnswer,
    answers: AnswerPair,
    captured: Parameters<typeof madeItem>[3],
  ): Promise<readonly LocatedFinding[] | string> {
    const compared = this.takeUp(operation, answers, reason, captured);
    const unmet = isMet(observed, asked) ? this.differencesOf(compared, interaction) : CONTRACT_DIFFERS;
    if (typeof unmet === 'string' || unmet.some(({ at }) => at === '/response/status')) this.diverge(compared);
    return typeof unmet === 'string' ? unmet : this.explained(unmet, interaction, reason);
  }

  /** Takes up what a step made and wrote, where both sides did it. */
  private takeUp(
    operation: Operation,
    answers: AnswerPair,
    reason: AnswerReason,
    captured: Parameters<typeof madeItem>[3],
  ): ComparedStep {
    const { run, items } = this;
    const binding = run.reference?.bindingOf(operation.id);
    const baseUrls = { target: run.baseUrl, mock: this.mockRun.baseUrl };
    const step = { api: run.api, operation, binding, answers, reason, items, runId: run.runId, baseUrls };
    if (binding === undefined || !isSuccess(answers.target) || !isSuccess(answers.mock))
      return { ...step, made: undefined };
    const made = madeItem(items, binding, { answers, reason }, captured);
    const pair = this.pairOf({ ...step, made }, !isSafe(operation.method));
    if (reason.changes.length > 0) noteWrite(items, { binding, answers, reason, pair, isNew: made !== undefined });
    return { ...step, made };
  }

  /** Sends a step to the mock. @returns why it cannot be, or has no answer */
  private async ask(step: Step): Promise<MockAnswer | string> {
    const { mockRun, contract, session, values } = this;
    try {
      const interaction = prepareStep(mockRun, contract, step, values);
      for (let attempt = 1; ; attempt++) {
        const response = await session.transport.send(interaction.request);
        if (response.status >= 500) return `the mock has no answer (${response.status})`;
        const { operation, expected, request } = interaction;
        const facts = requestFacts(mockRun, interaction);
        const observed = observeResponse(mockRun.api, {
          operation,
          method: request.method,
          response,
          ...facts,
          expected,
        });
        const isAwaited = interaction.repeat === undefined || isMet(observed, { expected: interaction.repeat.until });
        if (!isAwaited && attempt < MOST_ATTEMPTS) continue;
        return {
          interaction,
          observed,
          answered: answeredRequest(mockRun, interaction, response),
          reason: session.latest(),
        };
      }
    } catch (error) {
      if (!(error instanceof StandinError)) throw error;
      return 'the step cannot be sent to the mock';
    }
  }

  /** The item that a step made, or that it names; one that it wrote to is taken up although the run did not make it. */
  private pairOf({ binding, answers, made, items }: ComparedStep, isWrite: boolean): PairedItem | undefined {
    if (made !== undefined) return made.kind === 'paired' ? made.pair : undefined;
    if (binding === undefined) return undefined;
    const [target, mock] = [itemOfRequest(binding, answers.target), itemOfRequest(binding, answers.mock)];
    if (target === undefined || mock === undefined) return undefined;
    const known = items.find({ target, mock });
    if (known !== undefined || !isWrite) return known;
    const keyOf = ({ path }: AnsweredRequest): string => path[binding.keyParameter ?? ''] ?? '';
    const keys = { target: keyOf(answers.target), mock: keyOf(answers.mock) };
    return items.pair(binding.resource.path, { target, mock }, keys, false);
  }

  private differencesOf(step: ComparedStep, { expected }: Interaction): readonly Difference[] | string {
    const { status } = step.answers.target;
    // That is a finding of its own, and the rest of such an answer is another one than was asked for.
    if (expected.statuses.length > 0 && !expected.statuses.includes(status)) return 'its status is not as expected';
    const compared = compareAnswers(step);
    return 'incomparable' in compared ? compared.incomparable : compared;
  }

  /** Where one side did what the other did not, what follows of the same items says nothing more. */
  private diverge({ answers, binding, items, reason, operation }: ComparedStep): void {
    if (isSuccess(answers.target) === isSuccess(answers.mock) || binding === undefined) return;
    for (const { pair } of namedItems(items, binding, answers)) if (pair !== undefined) pair.isDiverged = true;
    if (isSafe(operation.method)) return;
    if (isSuccess(answers.target)) items.loseResource(binding.resource.path);
    for (const { collection, key } of reason.changes) {
      const changed = items.at('mock', nameOfItem(collection, key));
      if (changed !== undefined) changed.isDiverged = true;
    }
  }

  private async explained(
    differences: readonly Difference[],
    interaction: Interaction,
    reason: AnswerReason,
  ): Promise<readonly LocatedFinding[]> {
    if (differences.length === 0) return [];
    const hint = `The mock: ${await reason.explain()}`;
    return differences.map((difference) => {
      const finding: Finding = { check: LOCK_STEP.id, ...difference, hint };
      return shownFinding(this.run, interaction, locate(this.run.api, finding));
    });
  }
}

const OF_POLICY = 'it depends on who asks, which is in no description';

/** Is it sent with the key of another caller, and right whether he may do it or not? */
function isOfPolicy({ auth, expect: { statuses } }: Step): boolean {
  if (typeof auth !== 'object' || !('identity' in auth)) return false;
  const isLet = statuses.some((status) => status >= 200 && status < 300);
  return isLet && statuses.some((status) => status === 403 || status === 404);
}

/** The contract knows the service better than the mock does. */
const CONTRACT_DIFFERS = 'the mock does not answer as the contract expects';

function isMet(observed: ObservedResponse, { expected }: Pick<Interaction, 'expected'>): boolean {
  return expectationFindings(observed, expected).length === 0;
}

function answeredRequest(run: Run, { request }: Interaction, response: HttpResponse): AnsweredRequest {
  const below = request.target.slice(run.basePath.length);
  const { searchParams } = new URL(below, 'http://localhost');
  const observed = observeResponse(run.api, {
    operation: undefined,
    method: request.method,
    response,
    expected: undefined,
  });
  return {
    path: routeOf(run.api, below)?.pathParameters ?? {},
    query: searchParams,
    requestHeaders: request.rawHeaders,
    sent: jsonBodyOf(request),
    response,
    status: response.status,
    body: observed.body.kind === 'json' ? observed.body.value : undefined,
  };
}

/** The differences that no check of the response has told of the same place, or of a part of it. */
export function unreported(differences: readonly LocatedFinding[], step: StepResult): LocatedFinding[] {
  const told = [...failuresOf(step), ...step.warnings].map(({ at }) => at);
  return differences.filter(
    ({ at }) => !told.some((place) => place === at || at.startsWith(`${place}/`) || place.startsWith(`${at}/`)),
  );
}
