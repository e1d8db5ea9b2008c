import { isJsonNumber } from '../json/exact-number';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { callOperation, type CallAnswer, type CallManner } from './call-operation';
import type { Creation } from './creation';
import { routeOf } from './item-routes';
import type { Run } from './run';
import { holdsMark } from './run-mark';
import { evidenceOfAnswer, type Evidence } from './sent-members';

/** What a GET of an item gave. */
export interface Look {
  /** `undefined` when no answer came. */
  readonly status: number | undefined;
  /** Whose it is, of what stands there; `none` where nothing could be read. */
  readonly evidence: Evidence;
  /** Does what stands there say itself that it was removed? */
  readonly saysGone: boolean;
}

/** Reads what stands where a creation put something. @returns `undefined` where the description has no way to */
export async function lookAt(run: Run, creation: Creation, item: string): Promise<Look | undefined> {
  const read = routeOf(run.api, item)?.route.operations.get('GET');
  if (read === undefined) return undefined;
  const answer = await callOperation(run, read, item, callerOf(creation));
  if (answer === undefined) return { status: undefined, evidence: 'none', saysGone: false };
  const { status } = answer;
  const evidence = isSuccess(status) ? judge(run, creation, item, answer) : 'none';
  return { status, evidence, saysGone: isSuccess(status) && saysGone(answer.body) };
}

/** As a creation was sent, so it is looked at and removed: by whom, and with what stands beside the path. */
export function callerOf({ auth, like }: Pick<Creation, 'auth' | 'like'>): CallManner {
  return { phase: 'cleanup', caller: auth, like };
}

export function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** There is nothing, or there is no such operation. */
export function isNothing(status: number | undefined): boolean {
  return status === 404 || status === 410;
}

/** A name with the id of the run in it is nobody else's. @param item - its path */
export function isNamedByRun(item: string, runId: string): boolean {
  return holdsMark(item.slice(item.lastIndexOf('/') + 1), runId);
}

function judge(run: Run, { sent = [], changed = [], marked }: Creation, item: string, { body }: CallAnswer): Evidence {
  const isDoubted = run.needsEvidence === true;
  if (!isDoubted && isNamedByRun(item, run.runId)) return 'marked';
  if (body === undefined) return 'none';
  if (sent.length > 0) return evidenceOfAnswer(body, [...sent, ...changed], run.runId);
  if (isDoubted || marked !== true) return 'none';
  return holdsMark(stringifyJson(body), run.runId) ? 'same' : 'foreign';
}

const GONE =
  /^(?:is)?(?:soft)?(?:deleted|removed|destroyed|trashed|purged|archived|expired|revoked)(?:at|on|time|date)?$/;
/** Further words for an end, as values of a state. */
const ENDED: ReadonlySet<string> = new Set([
  'inactive',
  'deactivated',
  'disabled',
  'cancelled',
  'canceled',
  'terminated',
]);
const STATES: ReadonlySet<string> = new Set(['status', 'state', 'lifecycle', 'lifecyclestate', 'phase']);

/**
 * Many a service keeps what was removed and says so: by `deleted: true`, `deletedAt` with a time, or a status
 * that is a word for it. In an envelope as well. To be asked only after a removal was answered with a success.
 */
function saysGone(body: JsonValue | undefined): boolean {
  if (body === undefined || !isJsonObject(body)) return false;
  const members = Object.entries(body);
  const [only] = members;
  if (members.length === 1 && only !== undefined && isJsonObject(only[1])) return saysGone(only[1]);
  return members.some(([name, value]) => {
    const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '');
    if (GONE.test(plain)) return value === true || (typeof value === 'string' && value !== '') || isJsonNumber(value);
    if (!STATES.has(plain)) return false;
    return isJsonObject(value) ? saysGone(value) : isEndWord(value);
  });
}

function isEndWord(value: JsonValue): boolean {
  if (typeof value !== 'string') return false;
  const word = value.toLowerCase().replaceAll(/[^a-z]/g, '');
  return GONE.test(word) || ENDED.has(word);
}
