import { isJsonMediaType } from '../../core/http/media-type';
import type { HttpResponse, RequestHead } from '../../core/http/message';
import { problem, type Problem } from '../../core/http/problem';
import { parseJson } from '../../core/json/parse-json';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Mount } from '../../openapi/model/base-paths';
import type { Operation, Schema } from '../../openapi/model/operation';
import { resolveSchema } from '../../openapi/read/references';
import { findResponse } from '../../openapi/view/responses';
import type { PayloadSource } from '../../payload/payload-source';
import type { Violation } from '../../schema/validator';
import type { AcceptedCredentials, IssuerTokens } from '../../security/credential-check';
import type { Call } from '../calls/call';
import type { OperationPlan } from '../plans/operation-plan';
import type { OperationPlans } from '../plans/operation-planner';
import type { Rules } from '../rules/rules';
import type { Clock } from '../sandbox/clock';
import type { Limiter } from '../sandbox/rate-limiter';
import type { Sandbox } from '../sandbox/sandbox';
import type { Sandboxes } from '../sandbox/sandboxes';
import type { ChildCounts } from '../state/child-counts';
import type { Resource } from '../state/prepared-resource';
import type { Change } from '../state/state';
import type { ErrorWriter } from './error-response';
import type { MockOptions } from './options';
import { jsonEntry } from '../../openapi/view/operation-bodies';

/** Everything about a mock that stays the same from request to request. */
export interface MockContext {
  readonly api: ApiModel;
  readonly options: MockOptions;
  /** What answers where; a request meets the longest base path that has it. */
  readonly mounts: readonly Mount[];
  /** The first of the base paths: `''` or `/v1`. */
  readonly basePath: string;
  readonly clock: Clock;
  /** `undefined` takes every well-formed credential. */
  readonly credentials: AcceptedCredentials | undefined;
  /** Of the issuer beside the API; `undefined` where there is none. */
  readonly tokens: IssuerTokens | undefined;
  readonly limiter: Limiter | undefined;
  readonly rules: Rules | undefined;
  readonly resources: ReadonlyMap<string, Resource>;
  /** `undefined` where no item has a number that counts others. */
  readonly counts: ChildCounts | undefined;
  readonly plans: OperationPlans;
  readonly errors: ErrorWriter;
  readonly outgoing: OutgoingCheck;
  readonly payloads: PayloadSource;
  /** Told of each request of an operation that was done, with its response, when that is stored. */
  readonly onDone: OnDone | undefined;
}

/** A request of an operation that was done: the response is no error. */
export interface DoneRequest {
  readonly operation: Operation | undefined;
  readonly head: RequestHead;
  readonly body: Uint8Array | undefined;
  /** Scheme, host and base path that it was sent to. */
  readonly call: Pick<Call, 'baseUrl' | 'body'> | undefined;
  readonly changes: readonly Change[];
  readonly sandbox: Sandbox;
  readonly sandboxes: Sandboxes;
  /** With the clock of the sandbox. */
  readonly context: MockContext;
}

export type OnDone = (done: DoneRequest, response: HttpResponse) => void;

/** Texts that were found valid are not checked again; so many are stored for each response. */
const MAX_STORED = 500;
/** Longer ones are checked each time rather than kept. */
const MAX_STORED_LENGTH = 64 * 1024;

/** Checks a body; `undefined` where every body is valid by the way it was made. */
type ValidateBody = ((text: string) => Violation | undefined) | undefined;

/**
 * Holds what leaves the mock against the description. Bodies that are nothing but stored items are not checked again:
 * items conform when they are stored, and where one may not the state has it noted.
 */
export class OutgoingCheck {
  /** How many answers broke the description since the start. */
  violations = 0;
  private readonly api: ApiModel;
  private readonly report: (message: string) => void;
  private readonly judges = new WeakMap<OperationPlan, Map<string, ValidateBody>>();
  private readonly reported = new Set<string>();

  /** @param report - told of each violation once */
  constructor(api: ApiModel, report: (message: string) => void) {
    this.api = api;
    this.report = report;
  }

  /**
   * @param isOfState - whether the body was written from stored items that all match their schema
   * @returns how the response breaks the description; `undefined` when it keeps it
   */
  check(plan: OperationPlan, { status, headers, body }: HttpResponse, isOfState: boolean): Problem | undefined {
    if (typeof body !== 'string' || status >= 400) return undefined;
    const validate = this.judgeOf(plan, status, isOfState);
    if (validate === undefined || !isJsonMediaType(headers[headers.indexOf('Content-Type') + 1] ?? ''))
      return undefined;
    const violation = validate(body);
    return violation === undefined ? undefined : this.note(plan.operation, status, violation);
  }

  private note({ id }: Operation, status: number, { pointer, message }: Violation): Problem {
    this.violations += 1;
    const place = pointer === '' ? 'The body' : `The field ${pointer}`;
    const text = `${place} of the response ${status} of ${id} breaks the description: it ${message}`;
    if (!this.reported.has(text) && this.reported.size < MAX_STORED) {
      this.reported.add(text);
      this.report(text);
    }
    return problem('invalid_response', text, { pointer });
  }

  private judgeOf(plan: OperationPlan, status: number, isOfState: boolean): ValidateBody {
    const ofPlan = this.judges.get(plan) ?? new Map<string, ValidateBody>();
    this.judges.set(plan, ofPlan);
    const key = isOfState ? `${status} of state` : String(status);
    if (!ofPlan.has(key)) ofPlan.set(key, this.makeJudge(plan, status, isOfState));
    return ofPlan.get(key);
  }

  private makeJudge(plan: OperationPlan, status: number, isOfState: boolean): ValidateBody {
    const content = jsonEntry(findResponse(plan.operation, status)?.content ?? []);
    const schema = content?.schema;
    if (schema === undefined || (isOfState && this.isOfItems(schema, plan))) return undefined;
    const valid = new Set<string>();
    return (text) => {
      if (valid.has(text)) return undefined;
      const [violation] = schema.validate('response')(parseJson(text));
      if (violation === undefined && text.length <= MAX_STORED_LENGTH) {
        if (valid.size >= MAX_STORED) valid.clear();
        valid.add(text);
      }
      return violation;
    };
  }

  /** Is it the schema in which the items are stored, or that of a list of them which says no more? */
  private isOfItems({ pointer, value }: Schema, { behaviour }: OperationPlan): boolean {
    if (behaviour === undefined || behaviour.resource.hidden.size > 0) return false;
    const stored = behaviour.resource.schema.pointer;
    if (pointer === stored) return true;
    const saysMore = Object.keys(value).some((keyword) => !PLAIN_LIST.has(keyword));
    if (saysMore || value['items'] === undefined) return false;
    return resolveSchema(this.api.document, { value: value['items'], pointer: '' })?.pointer === stored;
  }
}

const PLAIN_LIST = new Set(['type', 'items', 'title', 'description', 'example']);
