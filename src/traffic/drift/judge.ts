import type { RunFinding } from '../../checks/observed-exchange';
import { requestIdsOf } from '../../core/http/headers';
import type { ApiModel } from '../../openapi/model/api-model';
import { locate } from '../../runner/exchange/finding-location';
import { outcomeOf } from '../../runner/result/outcome';
import { type OperationCoverage, RESULT_FORMAT, type RunResult, type StepResult } from '../../runner/result/run-result';
import { maskFinding, redactFinding, redactResponse, reportRedaction } from '../../runner/result/step-redaction';
import { unsent } from '../../runner/result/step-result';
import { received } from '../../runner/run/response-excerpts';
import { plainFinding, withFindings } from '../../runner/run/run-findings';
import type { CleanExchange } from '../exchange/recorded-exchange';
import { type JudgeContext, judgeOperation, judgeUndocumented, withVariables } from './judge-exchange';
import { ObservedTraffic, toShown } from './observed-traffic';
import { type AnsweredExchange, readExchange, type ReadExchange } from './read-exchange';
import { StepGroups } from './step-groups';
import { type Routed, TrafficRouting } from './traffic-routing';
import { UnmatchedTraffic } from './unmatched-traffic';

export interface JudgeInput {
  readonly api: ApiModel;
  /**
   * Scheme, host, port and the path before every path of the description. Without a path, or with one that a server of
   * the description has, these say where its paths begin. What went to another origin is not judged.
   */
  readonly baseUrl: string;
  /** Version of the tool, for the result. */
  readonly version: string;
  /** Of the result; different in each recording. */
  readonly runId: string;
  /** What was recorded, for reports: the file, or what was listened to; `recorded traffic` when left out. */
  readonly source?: string | undefined;
}

/** Judges recorded traffic by a description: what was sent, and what was answered. */
export interface Judge {
  /**
   * Judges one exchange: what its request and its response say by themselves.
   *
   * @returns `undefined` where there is nothing to say of it: another origin, no response, a page and what it loads, a
   *   preflight, one more request for something that is not described; and once the description is found not to fit
   * @throws an error of the tool itself; what a schema that does not compile keeps from being judged is a result
   */
  judge(exchange: CleanExchange): StepResult | undefined;
  /** Everything that was judged so far, with what several exchanges say together. The judge may go on afterwards. */
  result(): RunResult;
}

/** Makes a judge that holds no more than a report can bear, however long the traffic goes on. */
export function createJudge(input: JudgeInput): Judge {
  return new TrafficJudge(input);
}

interface Called {
  steps: number;
  readonly statuses: Set<number>;
}

class TrafficJudge implements Judge {
  private readonly input: JudgeInput;
  private readonly origin: string;
  private readonly routing: TrafficRouting;
  private readonly groups = new StepGroups();
  private readonly unmatched = new UnmatchedTraffic();
  private readonly observed: ObservedTraffic;
  private readonly shapes = new Set<string>();
  private readonly called = new Map<string, Called>();
  private readonly createdAt = Date.now();
  private beganAt: number | undefined;
  private endedAt: number | undefined;
  private isMisfitTold = false;

  constructor(input: JudgeInput) {
    this.input = input;
    this.origin = new URL(input.baseUrl).origin;
    this.routing = new TrafficRouting(input.api, input.baseUrl);
    this.observed = new ObservedTraffic(input.api);
  }

  judge(exchange: CleanExchange): StepResult | undefined {
    if (!isOrigin(exchange.origin, this.origin)) {
      this.unmatched.addElsewhere(exchange.origin);
      return undefined;
    }
    // Behind a 101 it is no HTTP any more (RFC 9110 §15.2.2).
    if (!isAnswered(exchange) || exchange.response.status === 101) return undefined;
    const read = readExchange(exchange);
    const routed = this.routing.route(exchange, read.request.headers);
    if (routed.kind === 'other') return undefined;
    this.noteTime(exchange);
    return routed.kind === 'operation'
      ? this.judgeMatched(exchange, read, routed)
      : this.judgeUnmatched(exchange, read, routed);
  }

  private judgeMatched(
    exchange: AnsweredExchange,
    read: ReadExchange,
    routed: Extract<Routed, { kind: 'operation' }>,
  ): StepResult {
    const { id } = routed.operation;
    this.unmatched.addMatched();
    const called = this.called.get(id) ?? { steps: 0, statuses: new Set() };
    called.steps += 1;
    called.statuses.add(read.response.status);
    this.called.set(id, called);
    const step = judgeOperation(this.context(), exchange, read, routed);
    this.groups.add(step, () => this.evidence(id, read));
    this.observed.add(id, exchange, read);
    return step;
  }

  private judgeUnmatched(
    exchange: AnsweredExchange,
    read: ReadExchange,
    routed: Extract<Routed, { kind: 'undocumented' }>,
  ): StepResult | undefined {
    const shape = this.unmatched.add(exchange.request.method, routed.path, read.response.status);
    const step = judgeUndocumented(this.context(), exchange, read, routed, shape);
    this.groups.add(step, () => this.evidence(undefined, read));
    if (this.unmatched.isCertain) {
      if (this.isMisfitTold) return undefined;
      this.isMisfitTold = true;
      return this.misfit();
    }
    if (this.shapes.has(step.name)) return undefined;
    this.shapes.add(step.name);
    return step;
  }

  result(): RunResult {
    const { api, version, runId, baseUrl, source = 'recorded traffic' } = this.input;
    const misfit = this.misfit();
    const steps = misfit === undefined ? this.stepsOfAll() : [misfit];
    const { beganAt = this.createdAt, endedAt = beganAt } = this;
    return {
      format: RESULT_FORMAT,
      version,
      runId,
      startedAt: new Date(beganAt).toISOString(),
      durationMs: Math.max(0, endedAt - beganAt),
      api: `${api.title} ${api.version}`.trim(),
      description: api.document.file,
      baseUrl,
      basePaths: api.mounts.map(({ basePath }) => basePath),
      mode: 'recorded',
      shard: undefined,
      contracts: [{ name: 'recorded traffic', file: source, steps }],
      probes: [],
      coverage: this.coverage(),
      created: [],
      leftBehind: [],
      outcome: outcomeOf(steps, []),
    };
  }

  /** With what several exchanges say together, at the one that is at fault. */
  private stepsOfAll(): StepResult[] {
    const { api } = this.input;
    const groups = new StepGroups(this.groups);
    const found = new Map<AnsweredExchange, RunFinding[]>();
    for (const { exchange, finding } of this.observed.findings())
      found.set(exchange, [...(found.get(exchange) ?? []), finding]);
    for (const [exchange, findings] of found) {
      const read = readExchange(exchange);
      const routed = this.routing.route(exchange, read.request.headers);
      if (routed.kind !== 'operation') continue;
      const step = judgeOperation(this.context(), exchange, read, routed);
      const redaction = reportRedaction(api, routed.operation);
      const shown = findings.map((finding) =>
        maskFinding(redactFinding(locate(api, plainFinding(finding)), withVariables), redaction),
      );
      groups.remove(step);
      groups.add(withFindings(step, shown, undefined), () => this.evidence(routed.operation.id, read));
    }
    return groups.steps();
  }

  private misfit(): StepResult | undefined {
    const { api, baseUrl } = this.input;
    const error = this.unmatched.misfit(api, baseUrl);
    if (error === undefined) return undefined;
    const about = { name: 'the description', phase: 'steps', place: undefined, operation: undefined } as const;
    return unsent(about, { kind: 'error', error });
  }

  private evidence(operation: string | undefined, read: ReadExchange): Pick<StepResult, 'response' | 'requestIds'> {
    const { api } = this.input;
    const shown = toShown(api, operation, read);
    const redacted = redactResponse(shown, api, withVariables);
    const requestIds = requestIdsOf(redacted.headers);
    const response = received(redacted, shown, true);
    return requestIds.length === 0 ? { response } : { response, requestIds };
  }

  private coverage(): OperationCoverage[] {
    return this.input.api.operations.map(({ id, method, path }) => {
      const { steps = 0, statuses = [] } = this.called.get(id) ?? {};
      return { operation: id, method, path, steps, statuses: [...statuses].sort((left, right) => left - right) };
    });
  }

  private context(): JudgeContext {
    const { api, version, runId } = this.input;
    return { api, version, runId, beganAt: this.beganAt };
  }

  private noteTime({ startedAt, endedAt }: CleanExchange): void {
    if (startedAt !== undefined) this.beganAt = Math.min(this.beganAt ?? startedAt, startedAt);
    if (endedAt !== undefined) this.endedAt = Math.max(this.endedAt ?? endedAt, endedAt);
  }
}

function isAnswered(exchange: CleanExchange): exchange is AnsweredExchange {
  return exchange.response !== undefined;
}

function isOrigin(text: string, origin: string): boolean {
  return text === origin || (URL.canParse(text) && new URL(text).origin === origin);
}
