import { problem, type Problem } from '../checks/problem';
import { isJsonMediaType } from '../http/media-type';
import type { HttpResponse } from '../http/message';
import { parseJson } from '../json/parse-json';
import type { Violation } from '../json-schema/violation';
import { findResponse } from '../openapi/find-response';
import type { ApiModel, Operation, Schema } from '../openapi/model';
import { resolveObject } from '../openapi/references';
import type { OperationPlan } from './operation-plan';

/** Texts that were found valid are not judged again; so many are kept for each response. */
const MAX_KEPT = 500;
/** Longer ones are judged each time rather than kept. */
const MAX_KEPT_LENGTH = 64 * 1024;

/** Judges a body; `undefined` where every body is valid by the way it was made. */
type JudgeBody = ((text: string) => Violation | undefined) | undefined;

/**
 * Holds what leaves the mock against the description. Bodies that are nothing but stored items are not judged again:
 * items conform when they are stored, and where one does not its resource knows.
 */
export class OutgoingCheck {
  /** How many answers broke the description since the start. */
  violations = 0;
  private readonly api: ApiModel;
  private readonly report: (message: string) => void;
  private readonly judges = new WeakMap<OperationPlan, Map<string, JudgeBody>>();
  private readonly reported = new Set<string>();

  /** @param report - told of each violation once */
  constructor(api: ApiModel, report: (message: string) => void) {
    this.api = api;
    this.report = report;
  }

  /**
   * @param isOfState - whether the body was written from what is stored
   * @returns how the answer breaks the description; `undefined` when it keeps it
   */
  check(plan: OperationPlan, { status, headers, body }: HttpResponse, isOfState: boolean): Problem | undefined {
    if (typeof body !== 'string' || status >= 400) return undefined;
    const judge = this.judgeOf(plan, status, isOfState);
    if (judge === undefined || !isJsonMediaType(headers[headers.indexOf('Content-Type') + 1] ?? '')) return undefined;
    const violation = judge(body);
    return violation === undefined ? undefined : this.note(plan.operation, status, violation);
  }

  private note({ id }: Operation, status: number, { pointer, message }: Violation): Problem {
    this.violations += 1;
    const place = pointer === '' ? 'The body' : `The field ${pointer}`;
    const text = `${place} of the answer ${status} of ${id} breaks the description: it ${message}`;
    if (!this.reported.has(text) && this.reported.size < MAX_KEPT) {
      this.reported.add(text);
      this.report(text);
    }
    return problem('invalid_response', text, { pointer });
  }

  private judgeOf(plan: OperationPlan, status: number, isOfState: boolean): JudgeBody {
    const ofPlan = this.judges.get(plan) ?? new Map<string, JudgeBody>();
    this.judges.set(plan, ofPlan);
    const isSure = isOfState && plan.behaviour?.resource.conformity.isSure !== false;
    const key = isSure ? `${status} of state` : String(status);
    if (!ofPlan.has(key)) ofPlan.set(key, this.makeJudge(plan, status, isSure));
    return ofPlan.get(key);
  }

  private makeJudge(plan: OperationPlan, status: number, isOfState: boolean): JudgeBody {
    const content = findResponse(plan.operation, status)?.content.find(({ mediaType }) => isJsonMediaType(mediaType));
    const schema = content?.schema;
    if (schema === undefined || (isOfState && this.isOfItems(schema, plan))) return undefined;
    const valid = new Set<string>();
    return (text) => {
      if (valid.has(text)) return undefined;
      const [violation] = schema.validate('response')(parseJson(text));
      if (violation === undefined && text.length <= MAX_KEPT_LENGTH) {
        if (valid.size >= MAX_KEPT) valid.clear();
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
    return resolveObject(this.api.document, { value: value['items'], pointer: '' })?.pointer === stored;
  }
}

const PLAIN_LIST = new Set(['type', 'items', 'title', 'description', 'example']);
