import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeOf, messageOf } from '../../errors/error-facts';
import { ConfigError } from '../../errors/harness-error';
import type { Rules } from '../../mock/rules';

/**
 * Loads a rules file: `.js`, `.cjs`, `.mjs`, or `.ts` where Node strips types (22.18 and later) or tsx is installed.
 *
 * @param file - path with or without its extension
 * @param isFresh - the file may have changed since it was loaded
 * @throws ConfigError `RULES_UNREADABLE` when it cannot be loaded, `RULES_INVALID` when it exports no rules
 */
export async function loadRules(file: string, isFresh = false): Promise<Rules> {
  const path = resolve(file);
  if (extname(path) !== '' && /\.[cm]?[jt]s$/.test(path) && !existsSync(path)) {
    const hint = 'Check the path; it is relative to the current folder.';
    throw new ConfigError('RULES_UNREADABLE', `${file} does not exist`, { hint });
  }
  let loaded: unknown;
  try {
    loaded = await importModule(path, isFresh);
  } catch (cause) {
    const message = messageOf(cause);
    const hint = isTypeScript(path)
      ? 'Node strips types from 22.18 on; on older versions install tsx (npm install --save-dev tsx), or compile the file.'
      : 'A rules file is a module that exports its rules by default.';
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

/** A rules file by the name that it was given, and by those that it may have with an extension. */
export function rulesFiles(file: string): string[] {
  return [file, ...['.js', '.cjs', '.mjs', '.ts', '.cts', '.mts'].map((extension) => `${file}${extension}`)];
}

async function importModule(path: string, isFresh: boolean): Promise<unknown> {
  const load = createRequire(__filename);
  if (isFresh) forget(load, path);
  if (isTypeScript(path) && !stripsTypes()) {
    // tsx compiles what this one call loads; it is optional, and loaded only here.
    const tsx = createRequire(path)('tsx/cjs/api') as { require(id: string, from: string): unknown };
    return tsx.require(path, __filename);
  }
  try {
    // `require` first: it works inside jest, and finds the form of the bundled rules that is there.
    return load(path);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ERR_REQUIRE_ESM' && code !== 'ERR_REQUIRE_ASYNC_MODULE' && !path.endsWith('.mjs')) throw error;
    // A module is loaded once for each URL.
    return import(`${pathToFileURL(path).href}${isFresh ? `?at=${Date.now()}` : ''}`);
  }
}

/** Newer Node says so; the type declarations of Node 20 do not know the member. */
function stripsTypes(): boolean {
  const features = process.features as unknown as Readonly<Record<string, unknown>>;
  return typeof features['typescript'] === 'string';
}

/** Makes Node read a module again, with those of the same author that it loads. */
function forget(load: NodeJS.Require, path: string): void {
  const known = rulesFiles(path).flatMap((file) => load.cache[file] ?? []);
  for (let next = known.pop(); next !== undefined; next = known.pop()) {
    if (load.cache[next.id] === undefined || next.id.includes('node_modules')) continue;
    Reflect.deleteProperty(load.cache, next.id);
    known.push(...next.children);
  }
}

function isTypeScript(path: string): boolean {
  return /\.[cm]?ts$/.test(path);
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
