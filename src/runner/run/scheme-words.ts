import { headerValue } from '../../core/http/headers';
import type { Operation } from '../../openapi/model/operation';
import { isInAuthorization, wordInText } from '../../security/api-key';
import { chooseScheme, keyForScheme } from '../../security/registry';
import { splitKey } from '../../security/scheme';
import { callOperation, undefinedOnError } from '../exchange/operation-call';
import type { Run } from '../exchange/run-state';
import { harmlessTarget } from '../probes/probe-target';
import type { LearntFact } from '../result/run-result';

/**
 * Finds out how API keys stand in the header Authorization: bare, or behind a word such as `Bearer`. A read tries what the
 * text of the scheme says; where it gets 401, further reads try the word of its challenge and the usual forms.
 *
 * @returns the form of each scheme, for the report; none for a key that was given with its word
 */
export async function learnSchemeWords(run: Run): Promise<LearntFact[]> {
  const facts: LearntFact[] = [];
  for (const scheme of run.api.securitySchemes.values()) {
    const key = keyForScheme(run, scheme.name);
    if (key === undefined || splitKey(key).word !== undefined || !isInAuthorization(scheme)) continue;
    const described = wordInText(scheme);
    const read = run.sendsKey === false ? undefined : readWith(run, scheme.name);
    const found = read && (await findWord(run, scheme.name, described, read));
    run.schemeWords.set(scheme.name, found ?? described);
    if (read === undefined || found === undefined) continue;
    // What was refused in another form says nothing of the key.
    run.keyRefusals?.clear();
    const form = (word: string): string => `"Authorization: ${`${word} KEY`.trim()}"`;
    const after = found === described ? '' : `, after 401 to ${form(described)}`;
    facts.push({ operation: read.id, message: `sends the key of ${scheme.name} as ${form(found)}${after}` });
  }
  return facts;
}

function readWith(run: Run, name: string): Operation | undefined {
  return run.api.operations.find((operation) => {
    const choice = chooseScheme(run.api, operation, run);
    const isSent = choice.kind === 'known' && choice.parts.some((part) => part.name === name);
    return isSent && operation.method === 'GET' && operation.disabled === undefined;
  });
}

/** @returns `undefined` where each form gets 401, or nothing can be read */
async function findWord(run: Run, name: string, described: string, read: Operation): Promise<string | undefined> {
  const target = harmlessTarget(read, run.runId);
  if (typeof target === 'string') return undefined;
  const words = new Set([described]);
  for (const word of words) {
    run.schemeWords.set(name, word);
    const answer = await undefinedOnError(() => callOperation(run, read, target.path));
    if (answer === undefined) return undefined;
    if (answer.status !== 401) return word;
    const [challenge = ''] = /^[\w-]+/.exec(headerValue(answer.headers, 'www-authenticate') ?? '') ?? [];
    for (const other of [challenge, '', 'Bearer', 'Token'])
      if (!/^(?:basic|digest|negotiate|ntlm)$/i.test(other)) words.add(other);
  }
  return undefined;
}
