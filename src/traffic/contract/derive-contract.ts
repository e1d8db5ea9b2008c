import type { JsonObject, JsonValue } from '../../core/json/json-value';
import { counted } from '../../core/text/printable';
import { CONTRACT_FORMAT } from '../../formats/contract/contract';
import type { ApiModel } from '../../openapi/model/api-model';
import type { CleanExchange } from '../exchange/recorded-exchange';
import { type Call, isFailure, readCalls } from '../flow/call';
import { type Flow, traceFlow } from '../flow/trace-flow';
import { cleanupSteps, removalsOfPrepared } from './cleanup-steps';
import { signIn } from './step-credentials';
import { BodyFiles, type DraftFile } from './body-files';
import { commentsAt, commentsInOrder, type ContractDraft, type DraftComment } from './contract-draft';
import { agreedValues } from './agreed-values';
import { type Agreed, expectationOf } from './expectations';
import { describeLoss, type LostPart, LostParts } from './lost-parts';
import { whoGave } from './names';
import { OwnThings } from './own-things';
import { type ContractPlan, planContract, type PlannedCapture } from './plan';
import { inFileOrder } from './placeholder-order';
import { findSecrets, isLogout, keylessNotes, type Secrets } from './secret-sources';
import { sectionComments } from './sections';
import { findRunNames, inSteadyOrder } from './session';
import { findSessionTimes } from './session-times';
import { stayingThings } from './staying-things';
import { leavingNotes, writeEffects } from './step-effects';
import { StepNames } from './step-names';
import type { StepContext } from './step-context';
import { writeRequest } from './step-request';
import { repeatOf } from './waits';

export interface DerivationInput {
  readonly api: ApiModel;
  /** Without noise, in the order in which their requests began. */
  readonly exchanges: readonly CleanExchange[];
  /** Those that were asked for until they came, each with all requests for it, itself the last. */
  readonly waited?: ReadonlyMap<CleanExchange, readonly CleanExchange[]> | undefined;
  /** Of the API at the target, `''` or `/v1`. */
  readonly basePath: string;
  readonly name: string;
  /** Lines before everything, without `#`. */
  readonly header: readonly string[];
  /** A second recording of the same session, as {@link exchanges}: literal values are those that both have. */
  readonly second?: readonly CleanExchange[] | undefined;
  /** Folder for files that steps send, from that of the contract; left out: such steps are pending. */
  readonly filesFolder?: string | undefined;
}

export interface Derivation {
  readonly draft: ContractDraft;
  /** What the contract names as `file`. */
  readonly files: readonly DraftFile[];
  /** What a reader has to know of it, in sentences: what stayed literal and why, what was not taken over. */
  readonly notes: readonly string[];
  readonly counts: { readonly setup: number; readonly steps: number; readonly cleanup: number };
  /** Names of the environment that the contract needs a value of. */
  readonly environment: readonly string[];
  /** Names of callers beside the one of the run, and the marks of their credentials. */
  readonly identities: readonly string[];
}

/** Makes a contract of recorded traffic: steps that carry values on, expect what holds anywhere, and clean up. */
export function deriveContract(input: DerivationInput): Derivation {
  const { api, exchanges, basePath, filesFolder } = input;
  const all = readCalls(api, exchanges, basePath);
  const read = all.filter(({ status }) => status !== undefined);
  const calls = inSteadyOrder(read.filter((call) => !isFailure(call)));
  const flow = traceFlow(api, calls);
  const secrets = findSecrets(api, calls);
  const plan = planContract(api, calls, flow, secrets);
  const [runNames, times] = [findRunNames(calls), findSessionTimes(calls)];
  const waits = new Map(
    all.map(({ exchange }, index) => [exchange, input.waited?.get(exchanges[index] ?? exchange) ?? []]),
  );
  const files = filesFolder === undefined ? undefined : new BodyFiles(filesFolder);
  const staying = stayingThings(api, calls, flow);
  const context: StepContext = {
    api,
    plan,
    secrets,
    runNames,
    times,
    idempotencyKeys: new Map(),
    waits,
    staying,
    files,
  };
  const second = (input.second ?? []).length === 0 ? [] : readCalls(api, input.second ?? [], basePath);
  const derivation = new Deriver({ context, calls, flow, input, agreed: agreedValues(calls, second) }).derive();
  const notes = [
    ...keylessNotes(api, secrets, calls),
    ...derivation.notes,
    ...leavingNotes(derivation.draft.value),
    ...read.filter(isFailure).map(failureNote),
  ];
  return { ...derivation, notes };
}

function failureNote({ method, path, status, exchange }: Call): string {
  const reason = 'a service that fails, or has no time, is nothing that a contract expects';
  return `${method} ${path} had the response ${status ?? ''} (${exchange.source}): ${reason}`;
}

interface WrittenStep {
  readonly call: Call;
  readonly value: JsonObject;
  readonly comments: readonly { readonly property: string; readonly text: string }[];
}

interface DeriverInput {
  readonly context: StepContext;
  readonly calls: readonly Call[];
  readonly flow: Flow;
  readonly input: DerivationInput;
  readonly agreed: Agreed;
}

class Deriver {
  private readonly names: StepNames;
  private readonly things: OwnThings;
  private readonly notes: string[] = [];
  private readonly lost = new LostParts();
  private readonly context: StepContext;
  readonly calls: readonly Call[];
  readonly flow: Flow;
  private readonly input: DerivationInput;
  private readonly agreed: Agreed;
  private readonly plan: ContractPlan;
  private readonly secrets: Secrets;
  private readonly stepOf = new Map<number, string>();

  constructor({ context, calls, flow, input, agreed }: DeriverInput) {
    this.context = context;
    this.things = new OwnThings(context.api);
    this.calls = calls;
    this.names = new StepNames(calls);
    this.flow = flow;
    this.input = input;
    this.agreed = agreed;
    this.plan = context.plan;
    this.secrets = context.secrets;
  }

  derive(): Derivation {
    const { plan, secrets, input } = this;
    const { first: opening, prepared } = signIn(this.context, this, plan.setup);
    for (const { value } of prepared) this.names.take(textAt(value['name']) ?? '');
    const all = this.calls.map((call) => this.write(call));
    const openings = all.filter(({ call }) => call === opening);
    const rest = all.filter(({ call }) => call !== opening);
    // What is removed in the end is removed before the session ends.
    const isLast = (call: Call): boolean => call === this.calls.at(-1) && isLogout(this.context.api, secrets, call);
    const ending =
      this.things.all().some(({ isRemoved }) => !isRemoved) || prepared.length > 0
        ? rest.filter(({ call }) => isLast(call))
        : [];
    const written = rest.filter((each) => !ending.includes(each));
    const first = this.endOfSetup(written);
    const setup = [...openings, ...prepared, ...written.slice(0, first)].map(({ value }) => value);
    const before = openings.length + prepared.length;
    const steps = written.slice(first).map(({ value }) => value);
    // The first is sent last.
    const cleanup = [
      ...ending.map(({ value }) => value),
      ...removalsOfPrepared(
        this.context,
        prepared.map(({ value }) => value),
        this.names,
      ),
      ...cleanupSteps(this.context, this.things.all(), this.names),
    ];
    const comments: DraftComment[] = [
      ...openings.flatMap(({ comments }, index) => commentsAt(`/setup/${index}`, comments)),
      ...prepared.map(({ comment }, index) => ({ pointer: `/setup/${openings.length + index}`, text: comment })),
      ...written.flatMap(({ comments: own }, index) =>
        commentsAt(index < first ? `/setup/${before + index}` : `/steps/${index - first}`, own),
      ),
      ...sectionComments(written.slice(first).map(({ call }) => call)),
    ];
    const identities = secrets.callers.slice(1).map((_, index) => `caller ${index + 2}`);
    const value: JsonObject = {
      standin: CONTRACT_FORMAT,
      name: input.name,
      ...(plan.variables.size === 0 ? {} : { variables: Object.fromEntries(plan.variables) }),
      ...(plan.environment.length === 0 ? {} : { env: [...plan.environment] }),
      ...(plan.within.size === 0 ? {} : { within: Object.fromEntries(plan.within) }),
      ...(setup.length === 0 ? {} : { setup }),
      steps,
      ...(cleanup.length === 0 ? {} : { cleanup }),
    };
    this.noteAmbiguities();
    return {
      draft: { header: input.header, ...inFileOrder({ value, comments: commentsInOrder(comments) }) },
      files: this.context.files?.all() ?? [],
      notes: this.notes,
      counts: { setup: setup.length, steps: steps.length, cleanup: cleanup.length },
      environment: plan.environment,
      identities,
    };
  }

  private write(call: Call): WrittenStep {
    const before = this.things.named(call);
    const changed = this.things.namedInBody(call);
    const made = this.things.follow(this.context, call);
    const request = writeRequest(this.context, call);
    const auth = textAt(request.value['auth']);
    const told = auth === 'none' && !request.isWithoutKey ? undefined : auth;
    const expect = expectationOf(this.context, call, this.things, made, this.agreed);
    const name = this.names.nameOf(call, changed ?? made ?? before, told, textAt(expect['code']));
    this.stepOf.set(call.index, name);
    const captures = this.plan.captures.get(call.index) ?? [];
    this.lost.add(name, request.lost);
    if (request.pending !== undefined) this.notes.push(`"${name}" is pending: ${request.pending}`);
    const effects = writeEffects(this.context, call, changed, made);
    const repeat = repeatOf(this.context, this.context.waits.get(call.exchange) ?? []);
    const value: JsonObject = {
      name,
      ...(request.pending === undefined ? {} : { pending: request.pending }),
      ...effects,
      ...request.value,
      ...(repeat === undefined ? {} : { repeat }),
      expect,
      ...captureNode(captures),
    };
    return { call, value, comments: this.commentsOf(call, request.lost) };
  }

  /** Why a step has placeholders, at the capture; why not, at the step. */
  private commentsOf({ index }: Call, lost: readonly LostPart[]): WrittenStep['comments'] {
    const captures = this.plan.captures.get(index) ?? [];
    const texts = captures.map(({ name, reason }) => {
      const users = new Set(
        this.flow.edges.flatMap(({ consumer }) => {
          const place = this.plan.placeholderOf(consumer.call, consumer.in, consumer.pointer ?? consumer.name);
          return place === `\${${name}}` ? [consumer.call.index] : [];
        }),
      );
      const used =
        users.size === 0 ? '' : `; ${counted(users.size, 'later step')} ${users.size === 1 ? 'sends' : 'send'} it`;
      return `${name}: ${reason}${used}`;
    });
    const literal = this.flow.ambiguous
      .filter(({ consumer }) => consumer.call.index === index)
      .map(({ consumer: { name, text }, producers }) => {
        return `${name} stays ${text}: ${whoGave(producers.length)} had this value.`;
      });
    const told = [...describeLoss(lost), ...literal];
    return [
      ...(told.length === 0 ? [] : [{ property: '', text: told.join('\n') }]),
      ...(texts.length === 0 ? [] : [{ property: 'capture', text: texts.join('\n') }]),
    ];
  }

  private noteAmbiguities(): void {
    this.notes.push(...this.lost.told());
    for (const { consumer, producers } of this.flow.ambiguous) {
      const step = this.stepOf.get(consumer.call.index) ?? '';
      const from = [...new Set(producers.map(({ call }) => `"${this.stepOf.get(call.index) ?? ''}"`))].slice(0, 3);
      this.notes.push(
        `"${step}": ${consumer.name} ${consumer.text} stayed literal, because ${from.join(' and ')} could have given it`,
      );
    }
  }

  /** The recording begins with things that others only refer to: without them no step has a sense. */
  private endOfSetup(written: readonly WrittenStep[]): number {
    let end = 0;
    for (const { call } of written) {
      if (!this.isPreparation(call)) break;
      end += 1;
    }
    return end === written.length ? 0 : end;
  }

  private isPreparation(call: Call): boolean {
    const thing = this.things.all().find(({ madeBy }) => madeBy === call);
    if (thing === undefined || call.binding?.behaviour !== 'create') return false;
    const name = this.plan.keyPlaceholder(thing.resource, thing.key);
    const uses = this.flow.edges.filter(
      ({ consumer }) => this.plan.placeholderOf(consumer.call, consumer.in, consumer.pointer ?? consumer.name) === name,
    );
    const isOther = ({ call: user }: { readonly call: Call }): boolean =>
      user.binding?.resource.path !== thing.resource;
    return (
      uses.some(({ consumer }) => isOther(consumer)) &&
      uses.every(({ consumer }) => isOther(consumer) || consumer.call.binding?.behaviour === 'remove')
    );
  }
}

function captureNode(captures: readonly PlannedCapture[]): JsonObject {
  if (captures.length === 0) return {};
  const entries = captures.map(({ name, expression, pattern }): [string, JsonValue] => [
    name,
    pattern === undefined ? expression : { from: expression, pattern },
  ]);
  return { capture: Object.fromEntries(entries) };
}

function textAt(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
