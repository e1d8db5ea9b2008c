import { ConfigError } from '../errors/harness-error';
import { DEFAULT_API_KEY } from '../mock/options';
import type { KeyInShell } from '../report/shell-command';
import { identityVariable } from '../runner/redact';
import type { TargetFlags, VerifyFlags } from './verify-command';

/** Variable that has the key when nothing else is said, and that the commands of the report take it from. */
const KEY_NAME = 'STANDIN_API_KEY';

/** @throws ConfigError when the variable that was named has no key */
export function readKey({ apiKey, apiKeyEnv }: Pick<TargetFlags, 'apiKey' | 'apiKeyEnv'>): string | undefined {
  if (apiKey !== undefined) return apiKey;
  const value = process.env[apiKeyEnv ?? KEY_NAME];
  if (value !== undefined && value !== '') return value;
  if (apiKeyEnv === undefined) return undefined;
  throw new ConfigError('CONFIG_INVALID', 'The variable that --api-key-env names is not set', {
    hint: 'It takes the name of a variable that holds the key, not the key.',
  });
}

/** The keys of further callers, by the name that contracts give them. @throws ConfigError when a variable has none */
export function readIdentities({ identity = [] }: Pick<TargetFlags, 'identity'>): Record<string, string> {
  return Object.fromEntries(
    identity.map(([name, variable]) => {
      const key = process.env[variable];
      if (key !== undefined && key !== '') return [name, key];
      throw new ConfigError('CONFIG_INVALID', `The variable that --identity names for ${name} is not set`, {
        hint: `It takes the key of ${name} from a variable: --identity ${name}=VARIABLE.`,
      });
    }),
  );
}

/** Where the shell of the user has the keys for the commands of the report; the report itself never shows them. */
export function keyInShell(flags: Pick<VerifyFlags, 'apiKey' | 'apiKeyEnv' | 'identity'>): KeyInShell {
  const identities = new Map(
    (flags.identity ?? []).map(([name, variable]) => {
      const own = identityVariable(name);
      return [own, `export ${own}="$${variable}"`];
    }),
  );
  return { ...ownKeyInShell(flags), identities };
}

function ownKeyInShell(flags: Pick<TargetFlags, 'apiKey' | 'apiKeyEnv'>): KeyInShell {
  if (flags.apiKey !== undefined)
    return { kind: 'export', command: `export ${KEY_NAME}=…  # the key that --api-key gave` };
  if (flags.apiKeyEnv !== undefined && flags.apiKeyEnv !== KEY_NAME)
    return { kind: 'export', command: `export ${KEY_NAME}="$${flags.apiKeyEnv}"` };
  return readKey(flags) === undefined ? { kind: 'well-known', key: DEFAULT_API_KEY } : { kind: 'set' };
}
