import type { Repeat } from './contract';
import { MemberReader, type FormatJudge } from './member-reader';
import { readCondition } from './read-expectation';

const MEMBERS = ['until', 'attempts', 'timeoutMs', 'intervalMs'];

const ATTEMPTS = 30;
const MOST_ATTEMPTS = 1000;
const TIMEOUT_MS = 30_000;
const INTERVAL_MS = 1000;
const AN_HOUR_MS = 3_600_000;

/** Reads `repeat` of a step. What has no bound in the file has one of its own: a run has to end. */
export function readRepeat(step: MemberReader, judge: FormatJudge): Repeat | undefined {
  const value = step.value('repeat');
  if (value === undefined) return undefined;
  const members = MemberReader.open({ value, pointer: step.at('repeat') }, 'repetition', MEMBERS, judge);
  if (members === undefined) return undefined;
  const until = readCondition(members, judge);
  const bounds = {
    attempts: members.whole('attempts', 1, MOST_ATTEMPTS) ?? ATTEMPTS,
    timeoutMs: members.whole('timeoutMs', 1, AN_HOUR_MS) ?? TIMEOUT_MS,
    intervalMs: members.whole('intervalMs', 0, AN_HOUR_MS) ?? INTERVAL_MS,
  };
  return until === undefined ? undefined : { until, ...bounds };
}
