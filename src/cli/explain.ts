import { createServerParts, type ServerParts } from '../adapters/create-mock-server';
import { ConfigError } from '../errors/harness-error';
import { descriptionOptions } from './description-flags';
import { explanationOf } from './explanation';
import type { ExplainFlags } from './explain-command';
import { explainRequest } from './explain-request';
import { packText } from './pack-text';
import { requestText } from './explain-request-text';
import { explanationText } from './explain-text';
import { say } from './terminal';
import { printableJson } from '../errors/printable';

/**
 * Prints what was inferred from a description, or why one request gets its answer.
 *
 * @returns the exit code
 * @throws HarnessError for files that cannot be used, and a path that nothing matches
 */
export async function explain(
  description: string | undefined,
  method: string | undefined,
  path: string | undefined,
  flags: ExplainFlags,
): Promise<number> {
  if ((method === undefined) !== (path === undefined))
    throw new ConfigError('CONFIG_INVALID', `There is a method and no path: ${method ?? ''}`, {
      hint: 'Write standin explain openapi.yaml GET /path.',
    });
  if (path?.startsWith('/') === false)
    throw new ConfigError('CONFIG_INVALID', `The path does not begin with a slash: ${path}`, {
      hint: `Did you mean /${path}?`,
    });
  const { overrides, fixtures, rules, seed, json, all } = flags;
  const options = { ...descriptionOptions(flags), description, overrides, fixtures, rules, seed };
  const parts: ServerParts = await createServerParts(options, { keepsOrigins: true });
  for (const pack of parts.packs) say(process.stderr, `Pack: ${packText(pack)}\n`);
  if (method === undefined || path === undefined) {
    const explanation = await explanationOf(parts);
    say(
      process.stdout,
      json === true
        ? `${printableJson(JSON.stringify(explanation, undefined, 2))}\n`
        : explanationText(explanation, all),
    );
    return 0;
  }
  const explained = await explainRequest(parts, method.toUpperCase(), path, flags.body);
  say(
    process.stdout,
    json === true ? `${printableJson(JSON.stringify(explained, undefined, 2))}\n` : requestText(explained),
  );
  return 0;
}
