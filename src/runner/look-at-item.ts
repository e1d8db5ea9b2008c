import { stringifyJson } from '../json/stringify-json';
import { callOperation, type CallAnswer } from './call-operation';
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
}

/** Reads what stands where a creation put something. @returns `undefined` where the description has no way to */
export async function lookAt(run: Run, creation: Creation, item: string): Promise<Look | undefined> {
  const read = routeOf(run.api, item)?.route.operations.get('GET');
  if (read === undefined) return undefined;
  const answer = await callOperation(run, read, item, 'cleanup', creation.auth);
  if (answer === undefined) return { status: undefined, evidence: 'none' };
  const { status } = answer;
  return { status, evidence: isSuccess(status) ? judge(run, creation, item, answer) : 'none' };
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
  if (isNamedByRun(item, run.runId)) return 'marked';
  if (body === undefined) return 'none';
  if (sent.length > 0) return evidenceOfAnswer(body, [...sent, ...changed], run.runId);
  if (marked !== true) return 'none';
  return holdsMark(stringifyJson(body), run.runId) ? 'same' : 'foreign';
}
