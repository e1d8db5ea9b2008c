import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeOf, messageOf } from '../../errors/error-facts';
import { ConfigError } from '../../errors/harness-error';
import type { Rules } from '../../mock/rules';
import { isTypeScript, loadAnew, type OnRead } from './load-anew';

/**
 * Loads a rules file: `.js`, `.cjs`, `.mjs`, or TypeScript (`.ts`, `.cts`, `.mts`).
 *
 * @param file - path with or without its extension
 * @param onRead - for a file that may change: it is loaded as it is now, and each module that it is made of is told
 * @throws ConfigError `RULES_UNREADABLE` when it cannot be loaded, `RULES_INVALID` when it exports no rules
 */
export async function loadRules(file: string, onRead?: OnRead): Promise<Rules> {
  const path = resolve(file);
  if (extname(path) !== '' && /\.[cm]?[jt]s$/.test(path) && !existsSync(path)) {
    const hint = 'Check the path; it is relative to the current folder.';
    throw new ConfigError('RULES_UNREADABLE', `${file} does not exist`, { hint });
  }
  let loaded: unknown;
  try {
    loaded = await importModule(path, onRead);
  } catch (cause) {
    const message = messageOf(cause);
    const hint = 'A rules file is a module that exports its rules by default.';
    throw new ConfigError('RULES_UNREADABLE', `${file} cannot be loaded: ${message}`, { cause, hint });
  }
  const rules = defaultExport(loaded);
  if (!isRules(rules)) {
    throw new ConfigError('RULES_INVALID', `${file} does not export rules`, {
      hint: "Export { standin: 'rules/1', references: […], operations: { … } } by default.",
    });
  }
  return rules;
}

async function importModule(path: string, onRead: OnRead | undefined): Promise<unknown> {
  if (onRead !== undefined || isTypeScript(path)) return loadAnew(path, onRead);
  try {
    // `require` first: it works inside jest, and finds the form of the bundled rules that is there.
    return createRequire(__filename)(path);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ERR_REQUIRE_ESM' && code !== 'ERR_REQUIRE_ASYNC_MODULE' && !path.endsWith('.mjs')) throw error;
    return import(pathToFileURL(path).href);
  }
}

/** A CommonJS module that was imported has its exports under `default`, and its own default under that. */
function defaultExport(loaded: unknown): unknown {
  let value = loaded;
  for (let depth = 0; depth < 2 && !isRules(value); depth++) {
    if (typeof value !== 'object' || value === null || !('default' in value)) return value;
    value = value.default;
  }
  return value;
}

function isRules(value: unknown): value is Rules {
  return typeof value === 'object' && value !== null && 'standin' in value && value.standin === 'rules/1';
}
