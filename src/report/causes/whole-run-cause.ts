import type { RunResult } from '../../runner/result/run-result';
import { sendsKey, shortHash } from './fingerprint';
import type { OwnedStep, RootCause, Suspect } from './root-cause';

/** What explains practically every response, and the steps that it explains. */
export interface RunCause extends Pick<
  RootCause,
  'fingerprint' | 'suspect' | 'check' | 'message' | 'expected' | 'hint'
> {
  readonly steps: readonly OwnedStep[];
}

/** A cause that says nothing of the responses to a valid key. */
export const NO_KEY_ASKED = 'no-key-asked';

export function explainsContracts({ kind, check }: Pick<RootCause, 'kind' | 'check'>): boolean {
  return kind === 'run' && check !== NO_KEY_ASKED;
}

/** Practically every one: a health check or a static file may answer in between. */
const PRACTICALLY_ALL = 0.9;
/** From fewer answers, or from one operation alone, nothing is concluded about all. */
const FEWEST_ANSWERS = 3;
const FEWEST_OPERATIONS = 2;
/** Content types are checked only where the description has one, so that not every page of HTML is noticed. */
const ENOUGH_PAGES = 0.3;

/** What is known of a run beside its steps. */
type RunFacts = Pick<RunResult, 'baseUrl' | 'basePaths' | 'coverage'>;

/** A wrong address, something in front of the service, or a key that it does not know: told once, before all else. */
export function findRunCause(steps: readonly OwnedStep[], about: RunFacts): RunCause | undefined {
  const answered = steps.filter(({ step }) => step.status !== undefined);
  if (answered.length === 0) return unreachable(steps);
  const inFront = failing(wrongBasePath(answered, about) ?? gateway(answered));
  return inFront ?? failing(wrongKey(steps, answered)) ?? failing(openToAll(answered));
}

/** A cause that made nothing fail is none: a contract may ask for nothing but rejections. */
function failing(cause: RunCause | undefined): RunCause | undefined {
  return cause?.steps.some(({ step }) => step.verdict.kind === 'fail') === true ? cause : undefined;
}

function unreachable(steps: readonly OwnedStep[]): RunCause | undefined {
  const lost = steps.flatMap((owned) =>
    owned.step.verdict.kind === 'error' ? [{ owned, error: owned.step.verdict.error }] : [],
  );
  const [first] = lost;
  if (first === undefined || !first.error.code.startsWith('TRANSPORT_')) return undefined;
  const { code, message, hint } = first.error;
  if (lost.some(({ error }) => error.code !== code)) return undefined;
  const suspect = code === 'TRANSPORT_UNREACHABLE' ? 'runner settings' : 'service';
  return {
    ...causeOf(
      code,
      suspect,
      message,
      lost.map(({ owned }) => owned),
    ),
    expected: 'a response',
    hint,
  };
}

function wrongBasePath(answered: readonly OwnedStep[], about: RunFacts): RunCause | undefined {
  // A server of files has 405 for what is not a GET.
  const isLost = ({ step }: OwnedStep): boolean => step.status === 404 || step.status === 405;
  const lost = answered.filter(isLost);
  if (!lost.some(({ step }) => step.status === 404)) return undefined;
  if (!isPracticallyAll(lost, answered) && !isElsewhere(lost, answered, about)) return undefined;
  return {
    ...causeOf('wrong-base-path', 'runner settings', 'Nearly every response is a 404, whatever the operation', lost),
    expected: 'responses of the API',
    hint: basePathHint(lost, about),
  };
}

/**
 * Was the description written for another path, and is nothing at this one? Then fewer answers are enough, because a
 * setup that meets a 404 stops its contract; a path without variables has something to answer with.
 */
function isElsewhere(lost: readonly OwnedStep[], answered: readonly OwnedStep[], about: RunFacts): boolean {
  if (otherBasePath(about) === undefined || lost.length < answered.length) return false;
  const fixed = new Set(about.coverage.flatMap(({ operation, path }) => (path.includes('{') ? [] : [operation])));
  return lost.some(({ step }) => step.verdict.kind === 'fail' && fixed.has(step.operation ?? ''));
}

/** The first path that the servers of the description name, where the base URL has none of them. */
function otherBasePath({ baseUrl, basePaths = [] }: RunFacts): string | undefined {
  const path = new URL(baseUrl).pathname.replace(/\/+$/, '');
  return basePaths.includes(path) ? undefined : basePaths[0];
}

/** A path that was typed may be one part too many; none may be one too few. */
function basePathHint([first]: readonly OwnedStep[], about: RunFacts): string {
  const described = otherBasePath(about);
  if (described !== undefined) {
    const url = `${new URL(about.baseUrl).origin}${described}`;
    const path = described === '' ? 'no path' : `the path ${described}`;
    return `The servers of the description have ${path}: try --base-url ${url}. Is the service the right one?`;
  }
  const { request, operation } = first?.step ?? {};
  const path = request === undefined || operation === undefined ? '' : new URL(request.url).pathname;
  const hasPrefix = path.split('/').filter((part) => /^v\d|^api$/i.test(part)).length > 0;
  return hasPrefix
    ? 'Is the path of the base URL one part too many? Try it without. Is the service the right one?'
    : 'Does the base URL lack the path before every path of the description, such as /v1? Is the service the right one?';
}

function gateway(answered: readonly OwnedStep[]): RunCause | undefined {
  const status = mostFrequent(answered.map(({ step }) => step.status ?? 0));
  const alike = answered.filter(({ step }) => step.status === status);
  const passed = alike.filter(({ step }) => step.verdict.kind === 'pass').length;
  if (!isPracticallyAll(alike, answered) || passed > answered.length * (1 - PRACTICALLY_ALL)) return undefined;
  const about = (check: string, what: string, hint: string): RunCause => ({
    ...causeOf(check, 'gateway', `Nearly every response is ${what}, whatever the operation`, alike),
    expected: 'responses of the API',
    hint,
  });
  if (status >= 300 && status < 400 && status !== 304) {
    return about(
      'gateway-redirect',
      `a redirect, ${status}`,
      'A login page, or another scheme or host, is in front. Redirects are not followed: name the final base URL.',
    );
  }
  if (status >= 502 && status <= 504) {
    return about(
      'gateway-unavailable',
      `a ${status}`,
      'Something in front of the service does not reach it. Is the service up?',
    );
  }
  if (alike.filter(isPage).length < answered.length * ENOUGH_PAGES) return undefined;
  return about(
    'gateway-page',
    `a page of HTML, ${status}`,
    'A login page, a gateway or the files of a website respond in place of the API. Is the base URL the right one?',
  );
}

function isPage({ step: { verdict } }: OwnedStep): boolean {
  if (verdict.kind !== 'fail') return false;
  return verdict.findings.some(
    ({ check, actual = '' }) => check === 'content-type' && /^(?:text|application)\/x?html\b/i.test(actual),
  );
}

function wrongKey(steps: readonly OwnedStep[], answered: readonly OwnedStep[]): RunCause | undefined {
  const withKey = answered.filter((owned) => owned.step.phase !== 'auth' && sendsKey(owned.step.request));
  const rejected = withKey.filter(isRejected);
  const isStopped = steps.some(
    ({ step: { verdict } }) =>
      verdict.kind === 'skipped' && (verdict.cause === 'setup-failed' || verdict.cause === 'missing-value'),
  );
  const isFew = new Set(withKey.map(({ step }) => step.operation)).size < (isStopped ? 1 : FEWEST_OPERATIONS);
  if (isFew || rejected.length < withKey.length * PRACTICALLY_ALL) return undefined;
  // Probes that should have been let in are rejected for the same reason; those that should not be, passed.
  const probes = answered.filter((owned) => {
    return (
      owned.step.phase === 'auth' &&
      owned.step.verdict.kind === 'fail' &&
      isRejected(owned) &&
      sendsKey(owned.step.request)
    );
  });
  const statuses = [...new Set(rejected.map(({ step }) => step.status))].join(' or ');
  return {
    ...causeOf('wrong-key', 'runner settings', `Nearly every call with the API key is rejected: ${statuses}`, [
      ...rejected,
      ...probes,
    ]),
    expected: 'the key is accepted',
    hint: 'Give a key of this deployment with STANDIN_API_KEY or --api-key-env; it must not be expired, and have the rights to do this.',
  };
}

/** No operation looks at credentials: that is one matter, and may be meant. */
function openToAll(answered: readonly OwnedStep[]): RunCause | undefined {
  const probes = answered.filter(({ step }) => step.phase === 'auth');
  const letIn = probes.filter(isLetIn);
  if (!isPracticallyAll(letIn, [...letIn, ...probes.filter(isRejected)])) return undefined;
  return {
    ...causeOf(NO_KEY_ASKED, 'service', 'Nearly no call without a valid key is rejected', letIn),
    expected: '401, as the description asks for credentials',
    hint: 'Where that is intended, as at a deployment for tests, --no-auth says so: nothing is tried without a key then.',
  };
}

/** Was a stranger who was to be rejected answered as anybody else is? A redirect and a gateway that fails do not say so. */
function isLetIn({ step: { verdict, status = 0 } }: OwnedStep): boolean {
  if (verdict.kind !== 'fail' || (status >= 300 && status <= 399) || status >= 500) return false;
  return verdict.findings.some(({ statuses }) => statuses?.[0] === 401);
}

function isRejected({ step: { status } }: OwnedStep): boolean {
  return status === 401 || status === 403;
}

function isPracticallyAll(some: readonly OwnedStep[], all: readonly OwnedStep[]): boolean {
  const operations = new Set(some.map(({ step }) => step.operation));
  return (
    some.length >= FEWEST_ANSWERS && operations.size >= FEWEST_OPERATIONS && some.length >= all.length * PRACTICALLY_ALL
  );
}

function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])[0];
}

function causeOf(
  check: string,
  suspect: Suspect,
  message: string,
  steps: readonly OwnedStep[],
): Pick<RunCause, 'fingerprint' | 'check' | 'suspect' | 'message' | 'steps'> {
  return { fingerprint: shortHash(['*', check]), check, suspect, message, steps };
}
