import { headerValues } from '../../core/http/headers';
import type { Operation } from '../../openapi/model/operation';
import { isInAuthorization, wordInText } from '../../security/api-key';
import { chooseScheme, keyForScheme } from '../../security/registry';
import { splitKey } from '../../security/scheme';
import { endReason, FEWEST_REFUSALS, giveUpOnKey } from '../exchange/exchange-stages';
import { PROBE } from '../exchange/interaction';
import { callOperation, type CallResult, undefinedOnError } from '../exchange/operation-call';
import type { Run } from '../exchange/run-state';
import { harmlessTarget } from '../probes/probe-target';
import type { LearntFact, StepResult } from '../result/run-result';
import { skipped } from '../result/step-result';

/** After so many requests no further read is asked for the word of a scheme. */
const ENOUGH_REQUESTS = 8;

/**
 * Finds out how API keys stand in the header Authorization: bare, or behind a word such as `Bearer`. Reads are sent with
 * the form that the text of the scheme says and with others, until one read takes a form and answers 401 to another: a
 * read that is open to everybody takes every form.
 *
 * @returns the form of each scheme, for the report; none for a key that was given with its word
 */
export async function learnSchemeWords(run: Run): Promise<LearntFact[]> {
  const facts: LearntFact[] = [];
  const { keyRefusals } = run;
  // What is refused in a wrong form, and taken in any, says nothing of the key.
  run.keyRefusals = undefined;
  for (const scheme of run.api.securitySchemes.values()) {
    const key = keyForScheme(run, scheme.name);
    if (key === undefined || splitKey(key).word !== undefined || !isInAuthorization(scheme)) continue;
    const described = wordInText(scheme);
    const found = run.sendsKey === false ? undefined : await findWord(run, scheme.name, described);
    run.schemeWords.set(scheme.name, found?.[0] ?? described);
    if (found === undefined) continue;
    const [word, read] = found;
    const form = (each: string): string => `"Authorization: ${`${each} KEY`.trim()}"`;
    const after = word === described ? '' : `, after 401 to ${form(described)}`;
    facts.push({ operation: read.id, message: `sends the key of ${scheme.name} as ${form(word)}${after}` });
  }
  run.keyRefusals = keyRefusals;
  return facts;
}

/**
 * Ends the run where a key was refused by everything that the contracts sent it to, but by too few operations to end
 * them: further reads make up what is missing.
 *
 * @returns a step that was not sent, which says so; none while the key may be right
 */
export async function judgeKey(run: Run): Promise<StepResult[]> {
  const { keyRefusals: refused, keyAnswers } = run;
  if (refused === undefined || refused.size === 0 || endReason(run) !== undefined) return [];
  for (const read of readsWithKey(run))
    if (refused.size < FEWEST_REFUSALS && !refused.has(read.id) && !keyAnswers.has(read.id)) await ask(run, read);
  if (refused.size >= FEWEST_REFUSALS) await giveUpOnKey(run, 403);
  const end = endReason(run);
  const about = { ...PROBE, name: 'more requests', operation: undefined };
  return end === undefined ? [] : [skipped(about, end.reason, end.cause)];
}

/** Reads that the key of a scheme, or of any, is sent to. */
function readsWithKey(run: Run, name?: string): Operation[] {
  return run.api.operations.filter((operation) => {
    const choice = chooseScheme(run.api, operation, run);
    const isSent = choice.kind === 'known' && choice.parts.some((part) => name === undefined || part.name === name);
    return isSent && operation.method === 'GET' && operation.disabled === undefined;
  });
}

/** Sends a read with the key of the run. @returns `undefined` where it cannot be sent, or got no response */
async function ask(run: Run, read: Operation): Promise<CallResult | undefined> {
  const target = harmlessTarget(read, run.runId);
  return typeof target === 'string' ? undefined : undefinedOnError(() => callOperation(run, read, target.path));
}

/** @returns the word, and the read that shows it; `undefined` where none takes one form and answers 401 to another */
async function findWord(run: Run, name: string, described: string): Promise<[string, Operation] | undefined> {
  const words = new Set([described, '', 'Bearer', 'Token']);
  const { length: before } = run.log.exchanges();
  for (const read of readsWithKey(run, name)) {
    if (run.log.exchanges().length - before >= ENOUGH_REQUESTS) break;
    const word = await takenWord(run, name, read, words);
    if (word !== undefined) return [word, read];
  }
  return undefined;
}

/** Its word, where a key may stand behind it. */
const CHALLENGE = /^(?!(?:basic|digest|negotiate|ntlm)\b)[\w-]+/i;

/** @param words - to be tried; what a challenge names is added */
async function takenWord(run: Run, name: string, read: Operation, words: Set<string>): Promise<string | undefined> {
  let isRefused = false;
  let taken: string | undefined;
  for (const word of words) {
    run.schemeWords.set(name, word);
    const answer = await ask(run, read);
    if (answer === undefined) return undefined;
    isRefused ||= answer.status === 401;
    // What is forbidden or not found has got past the credentials, where another form gets 401.
    if (/^(?:2..|403|404)$/.test(String(answer.status))) taken ??= word;
    if (isRefused && taken !== undefined) return taken;
    if (!isRefused && taken !== word) return undefined;
    const challenges = headerValues(answer.headers, 'www-authenticate');
    for (const other of challenges.flatMap((text) => CHALLENGE.exec(text) ?? [])) words.add(other);
  }
  return undefined;
}
