import { randomUUID } from 'node:crypto';
import { parse } from 'node:path';
import { ConfigError } from '../core/errors/standin-error';
import { similarName } from '../core/text/similar-name';
import { type Contract, type NamedParent, parentVariables } from '../formats/contract/contract';
import { RESPONSE_CHECKS } from '../checks/response/registry';
import { RUN_CHECKS } from '../checks/run/registry';
import { EVENT_ORDER, EVENT_REPEATED, EVENT_SIGNATURE, LOCK_STEP, OTHER_CALLER } from '../runner/result/runner-checks';
import { didYouMean } from '../core/text/similar-name';
import { parseBearer } from '../core/http/authorization';
import { DEFAULT_API_KEY } from '../mock/context/options';
import type { ApiModel } from '../openapi/model/api-model';
import type { Mode } from '../runner/result/run-result';
import { knownNames, selectSteps, usedNames } from '../runner/steps/selection';
import { operationOfStep } from '../runner/steps/step-request';
import { hasRunKey } from '../runner/exchange/credentials';
import { type Selection } from '../runner/exchange/run-state';
import { splitKey } from '../security/scheme';
import type { RunContractOptions } from './run-options';

const RUN_ID_LENGTH = 8;

/** Everything on this machine, which is nobody else's; elsewhere what the run makes itself. */
export function chooseMode(mode: Mode | undefined, isLoopback: boolean): Mode {
  return mode ?? (isLoopback ? 'full' : 'own');
}

/**
 * @param isAsked - is the key of the run sent at all? By what the description says, when left out
 * @throws ConfigError `CONFIG_INVALID`; its message never holds the key
 */
export function chooseKey(
  { apiKey, schemeKeys, auth }: Pick<RunContractOptions, 'apiKey' | 'schemeKeys' | 'auth'>,
  api: ApiModel,
  isLoopback: boolean,
  isAsked: boolean = api.operations.some(({ security }) => security.length > 0),
): string | undefined {
  if (auth === 'off') return undefined;
  if (apiKey !== undefined) {
    requireValidKey(apiKey, 'The API key');
    return apiKey;
  }
  // Who names schemes means no other key.
  if (schemeKeys !== undefined && Object.keys(schemeKeys).length > 0) return undefined;
  if (isLoopback) return DEFAULT_API_KEY;
  if (!isAsked) return undefined;
  throw new ConfigError('CONFIG_INVALID', 'The target is not this machine, and no API key was given', {
    hint: 'Set STANDIN_API_KEY, name another variable with --api-key-env, or give the key with --api-key; --no-auth sends no key but those that contracts have themselves.',
  });
}

/**
 * Keys of single security schemes.
 *
 * @returns `undefined` where there are none
 * @throws ConfigError `CONFIG_INVALID` for a scheme that the description does not have; its message never holds a key
 */
export function chooseSchemeKeys(
  { schemeKeys = {}, auth }: Pick<RunContractOptions, 'schemeKeys' | 'auth'>,
  { securitySchemes }: ApiModel,
): ReadonlyMap<string, string> | undefined {
  const keys = new Map(Object.entries(schemeKeys));
  for (const [name, key] of keys) {
    if (!securitySchemes.has(name)) {
      throw new ConfigError('CONFIG_INVALID', `The description has no security scheme "${name}"`, {
        hint: `There are ${[...securitySchemes.keys()].join(', ') || 'none'}.`,
      });
    }
    requireValidKey(key, `The key of the security scheme "${name}"`);
  }
  return keys.size === 0 || auth === 'off' ? undefined : keys;
}

/** Is a step sent with the key of the run? Others have one of their own, such as that of a login, or none. */
export function isRunKeyAsked(
  api: ApiModel,
  contracts: readonly Contract[],
  selection: Selection | undefined,
): boolean {
  const steps = contracts.flatMap((contract) => [...selectSteps(api, contract, selection)]);
  return steps.some((step) => hasRunKey(api, operationOfStep({ api }, step), step.auth));
}

/** @throws ConfigError `CONFIG_INVALID`; its message never holds a key */
export function chooseIdentities(identities: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  const keys = new Map(Object.entries(identities));
  for (const [name, key] of keys) requireValidKey(key, `The key of the identity "${name}"`);
  return keys;
}

/**
 * Keys that have to be rejected.
 *
 * @param apiKey - of the run
 * @param identities - keys of further callers, by name
 * @throws ConfigError `CONFIG_INVALID`; its message never holds a key
 */
export function chooseRefused(
  refused: Readonly<Record<string, string>> = {},
  apiKey: string | undefined,
  identities: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const keys = new Map(Object.entries(refused));
  const known = [...identities, ...(apiKey === undefined ? [] : [['the run', apiKey] as const])];
  for (const [name, key] of keys) {
    requireValidKey(key, `The key of the refused identity "${name}"`);
    const other = known.find((each) => each[0] === name || each[1] === key);
    if (other === undefined) continue;
    const message = `The refused identity "${name}" has the ${other[0] === name ? 'name' : 'key'} of "${other[0]}"`;
    throw new ConfigError('CONFIG_INVALID', message, { hint: 'A key is to be let in, or to be rejected.' });
  }
  return keys;
}

function requireValidKey(text: string, what: string): void {
  // A word such as Token may stand before it.
  const { key } = splitKey(text);
  // With a colon it is the user and the password of Basic (RFC 7617 §2).
  if (parseBearer(`Bearer ${key}`).kind === 'bearer' || /^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/.test(key)) return;
  throw new ConfigError('CONFIG_INVALID', `${what} is empty or holds a character that no key can have`, {
    hint: 'A key has letters, digits and -._~+/ and may end in = (RFC 6750 §2.1).',
  });
}

/** The id of runs at a mock of their own process, where nothing is left: what they write down is the same each time. */
export const RUN_ID_AT_OWN_MOCK = 'e6b4a6bb';

/** Different in each run, also with the same seed: what an earlier run left, or a shard makes beside it, is not its own. */
export function chooseRunId(): string {
  return randomUUID().slice(0, RUN_ID_LENGTH);
}

/**
 * Existing things below which a run may make something.
 *
 * @throws ConfigError for a variable that no path has, and for a name that is empty
 */
export function chooseWithin(
  within: Readonly<Record<string, string | readonly string[]>> = {},
  { operations }: ApiModel,
): NamedParent[] {
  const known = parentVariables(operations);
  return Object.entries(within).flatMap(([variable, value]) => {
    if (!known.includes(variable)) {
      const similar = similarName(variable, known);
      const question = similar === undefined ? '' : `: did you mean "${similar}"?`;
      throw new ConfigError('CONFIG_INVALID', `No path of the description has the variable "${variable}"${question}`, {
        hint: known.length === 0 ? 'Its paths have no variables.' : `There are ${known.join(', ')}.`,
      });
    }
    const values = typeof value === 'string' ? [value] : value;
    if (values.length > 0 && values.every((each) => each !== ''))
      return values.map((each) => ({ variable, value: each }));
    throw new ConfigError('CONFIG_INVALID', `"${variable}" names nothing below which something may be made`, {
      hint: `Such as --within ${variable}=NAME, where NAME is in the path of something that is there.`,
    });
  });
}

interface Choices {
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
}

/**
 * @returns `undefined` for everything
 * @throws ConfigError for a name that no contract and no operation has, and when no step is left: nothing would be sent,
 *   in silence
 */
export function chooseSelection(
  { only = [], skip = [] }: Choices,
  api: ApiModel,
  contracts: readonly Contract[],
): Selection | undefined {
  if (only.length === 0 && skip.length === 0) return undefined;
  const known = knownNames(api, contracts);
  const unknown = [...only, ...skip].find((name) => !known.has(name));
  if (unknown !== undefined) throw unknownName(unknown, [...known], contracts);
  const selection = { only, skip };
  if (contracts.length === 0 || contracts.some((contract) => selectSteps(api, contract, selection).size > 0)) {
    return selection;
  }
  const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');
  const without = skip.length === 0 ? '' : ` without ${quoted(skip)}`;
  const chosen = only.length === 0 ? '' : ` with ${quoted(only)}`;
  throw new ConfigError('CONFIG_INVALID', `The contracts have no step${chosen}${without}: nothing would be sent`, {
    hint: `Their steps have ${usedNames(api, contracts).join(', ')}.`,
  });
}

/** The question is in the message, because test runners show nothing else. */
function unknownName(name: string, known: readonly string[], contracts: readonly Contract[]): ConfigError {
  const contract = contracts.find((each) => isNamed(each, name));
  if (contract !== undefined) {
    return new ConfigError(
      'CONFIG_INVALID',
      `"${name}" is the contract ${contract.document.file}, no tag and no operation`,
      {
        hint: 'To run it alone name its file in place of all contracts.',
      },
    );
  }
  const similar = similarName(name, known);
  const question = similar === undefined ? '' : `: did you mean "${similar}"?`;
  return new ConfigError('CONFIG_INVALID', `"${name}" is not a tag of a contract and no operation${question}`, {
    hint: `There are ${known.join(', ')}.`,
  });
}

/** By its name, its file, or the name of that. */
function isNamed(contract: Contract, name: string): boolean {
  const { name: stem, base } = parse(contract.document.file);
  return [contract.name, contract.document.file, base, stem].some((each) => each.toLowerCase() === name.toLowerCase());
}

/** Ids of checks that no registry has: the runner makes them on the way. */
const OF_RUNNER = [
  LOCK_STEP.id,
  OTHER_CALLER.id,
  EVENT_ORDER.id,
  EVENT_REPEATED.id,
  EVENT_SIGNATURE.id,
  'duration',
  'location-resolves',
  'not-evaluated',
  'refused',
  'sent-again',
];

/** @throws ConfigError `CONFIG_INVALID` for a name that no check has */
export function choosePromoted(names: readonly string[] = []): ReadonlySet<string> | undefined {
  const known = ['all', ...[...RESPONSE_CHECKS, ...RUN_CHECKS].map(({ id }) => id), ...OF_RUNNER];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names.length === 0 ? undefined : new Set(names);
  throw new ConfigError('CONFIG_INVALID', `There is no check "${unknown}" whose warnings could fail the run`, {
    hint: `${didYouMean(unknown, known) ?? ''} docs/reference/checks.md has all checks.`.trim(),
  });
}
