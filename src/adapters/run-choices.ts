import { createHash, randomUUID } from 'node:crypto';
import { ConfigError } from '../errors/harness-error';
import { similarName } from '../errors/similar-name';
import type { Contract } from '../formats/contract';
import { parseBearer } from '../http/authorization';
import { DEFAULT_API_KEY } from '../mock/options';
import type { ApiModel } from '../openapi/model';
import type { Mode } from '../runner/run-result';
import { knownNames, type Selection } from '../runner/selection';

const RUN_ID_LENGTH = 8;

/** Everything on this machine, which is nobody else's; elsewhere what the run makes itself. */
export function chooseMode(mode: Mode | undefined, isLoopback: boolean): Mode {
  return mode ?? (isLoopback ? 'full' : 'own');
}

/** @throws ConfigError `CONFIG_INVALID`; its message never holds the key */
export function chooseKey(apiKey: string | undefined, api: ApiModel, isLoopback: boolean): string | undefined {
  if (apiKey !== undefined) {
    requireKey(apiKey, 'The API key');
    return apiKey;
  }
  if (isLoopback) return DEFAULT_API_KEY;
  if (!api.operations.some(({ security }) => security.length > 0)) return undefined;
  throw new ConfigError('CONFIG_INVALID', 'The target is not this machine, and no API key was given', {
    hint: 'Set STANDIN_API_KEY, name another variable with --api-key-env, or give the key with --api-key.',
  });
}

/** @throws ConfigError `CONFIG_INVALID`; its message never holds a key */
export function chooseIdentities(identities: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  const keys = new Map(Object.entries(identities));
  for (const [name, key] of keys) requireKey(key, `The key of the identity "${name}"`);
  return keys;
}

function requireKey(key: string, what: string): void {
  if (parseBearer(`Bearer ${key}`).kind === 'bearer') return;
  throw new ConfigError('CONFIG_INVALID', `${what} is empty or holds a character that no key can have`, {
    hint: 'A key has letters, digits and -._~+/ and may end in = (RFC 6750 §2.1).',
  });
}

/** Different in each run, or the same for the same seed. */
export function chooseRunId(seed: number | undefined): string {
  if (seed === undefined) return randomUUID().slice(0, RUN_ID_LENGTH);
  return createHash('sha256').update(`standin ${seed}`).digest('hex').slice(0, RUN_ID_LENGTH);
}

/** @throws ConfigError for names that no contract and no operation has: they would choose nothing in silence */
export function chooseSelection(
  {
    only = [],
    skip = [],
  }: { readonly only?: readonly string[] | undefined; readonly skip?: readonly string[] | undefined },
  api: ApiModel,
  contracts: readonly Contract[],
): Selection | undefined {
  if (only.length === 0 && skip.length === 0) return undefined;
  const known = knownNames(api, contracts);
  const unknown = [...only, ...skip].find((name) => !known.has(name));
  if (unknown === undefined) return { only, skip };
  const similar = similarName(unknown, [...known]);
  throw new ConfigError('CONFIG_INVALID', `"${unknown}" is no tag of a contract and no operation`, {
    hint: similar === undefined ? `There are ${[...known].join(', ')}.` : `Did you mean "${similar}"?`,
  });
}
