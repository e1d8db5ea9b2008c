import { isJsonObject, type JsonObject, type JsonValue, setProperty } from '../../core/json/json-value';
import type { CleanExchange } from '../exchange/recorded-exchange';
import { type ShownState, shownStates } from '../noise/repeats';
import { rewrite, type StepContext } from './step-context';

/** What `repeat` of a contract has where nothing is written. */
const DEFAULTS = { attempts: 30, timeoutMs: 30_000, intervalMs: 1000 };
/** Steps for what was measured: another recording of the same session has the same ones. */
const INTERVALS_MS = [100, 250, 500, 1000, 2000, 5000, 10_000, 30_000];
const TIMEOUTS_MS = [30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000];
/** Another day the service may be so much slower. */
const SLOWER = 3;
const MOST_ATTEMPTS = 1000;

/**
 * How a step waits for what the session waited for: until the status and the states that came last are there, as often
 * as the client asked, for a multiple of the time that it took.
 *
 * @param asked - the requests of the step, the awaited one last
 * @returns `undefined` where nothing says what was waited for, as where a number rose
 */
export function repeatOf(context: StepContext, asked: readonly CleanExchange[]): JsonObject | undefined {
  const last = asked.at(-1);
  const status = last?.response?.status;
  if (last === undefined || status === undefined || asked.length < 2) return undefined;
  const before = asked.slice(0, -1);
  const isStatus = before.some(({ response }) => response?.status !== status);
  const body = bodyOf(context, awaitedStates(before, last));
  if (!isStatus && body === undefined) return undefined;
  const until = { ...(isStatus ? { status } : {}), ...(body === undefined ? {} : { body }) };
  return { until, ...boundsOf(asked) };
}

/** The states that the last response has, and one before it had not. */
function awaitedStates(before: readonly CleanExchange[], last: CleanExchange): ShownState[] {
  const earlier = before.map((each) => shownStates(each));
  return shownStates(last).filter(({ path, value }) => {
    const has = (states: readonly ShownState[]): boolean =>
      states.some((state) => state.value === value && state.path.join('/') === path.join('/'));
    return !earlier.every(has);
  });
}

function bodyOf(context: StepContext, states: readonly ShownState[]): JsonObject | undefined {
  if (states.length === 0) return undefined;
  const body: Record<string, JsonValue> = {};
  for (const { path, value } of states) {
    let at = body;
    for (const name of path.slice(0, -1)) {
      const inner = at[name];
      const next: Record<string, JsonValue> = isJsonObject(inner) ? inner : {};
      setProperty(at, name, next);
      at = next;
    }
    setProperty(at, path.at(-1) ?? '', rewrite(context, value));
  }
  return body;
}

function boundsOf(asked: readonly CleanExchange[]): JsonObject {
  const times = asked.flatMap(({ startedAt }) => startedAt ?? []);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const usual = pauses.toSorted((one, other) => one - other)[Math.floor(pauses.length / 2)];
  // Without times, the bounds that every such step has.
  if (usual === undefined || pauses.length < asked.length - 1) return {};
  const intervalMs = INTERVALS_MS.reduce((best, each) => (distance(each, usual) < distance(best, usual) ? each : best));
  const took = pauses.reduce((sum, pause) => sum + pause, 0);
  const timeoutMs = TIMEOUTS_MS.find((each) => each >= took * SLOWER) ?? TIMEOUTS_MS.at(-1) ?? took;
  const attempts = Math.min(MOST_ATTEMPTS, Math.max(DEFAULTS.attempts, Math.ceil(timeoutMs / intervalMs)));
  const bounds = { attempts, timeoutMs, intervalMs };
  const isOther = (name: keyof typeof bounds): boolean => bounds[name] !== DEFAULTS[name];
  return Object.fromEntries(
    (['attempts', 'timeoutMs', 'intervalMs'] as const).filter(isOther).map((name) => [name, bounds[name]]),
  );
}

function distance(one: number, other: number): number {
  return Math.abs(Math.log(Math.max(one, 1) / Math.max(other, 1)));
}
