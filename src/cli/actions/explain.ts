import { createServerParts, type ServerParts } from '../../library/create-mock-server';
import { ConfigError } from '../../core/errors/standin-error';
import { optionsIn } from '../../core/options/option-table';
import { type CreateMockServerOptions, MOCK_OPTIONS } from '../../library/mock-options';
import { explanationOf } from '../../explain/explain-api';
import { explainRequest } from '../../explain/explain-request';
import { packText } from '../../files/load-rules-and-packs';
import { requestText } from '../../explain/request-text';
import { explanationText } from '../../explain/api-text';
import { whileLoading } from '../terminal/progress-line';
import { printText } from '../terminal/terminal';
import { printableJson } from '../../core/text/printable';

/**
 * Prints what was inferred from a description, or why one request gets its response.
 *
 * @returns the exit code
 * @throws StandinError for files that cannot be used, and a path that nothing matches
 */
export async function explain(
  description: string | undefined,
  method: string | undefined,
  path: string | undefined,
  flags: ExplainFlags,
): Promise<number> {
  if ((method === undefined) !== (path === undefined))
    throw new ConfigError('CONFIG_INVALID', `The path is missing after the method ${method ?? ''}`, {
      hint: 'Write standin explain openapi.yaml GET /path.',
    });
  if (path?.startsWith('/') === false)
    throw new ConfigError('CONFIG_INVALID', `The path must begin with a slash, got ${path}`, {
      hint: `Did you mean /${path}?`,
    });
  const { json, all } = flags;
  const options = { ...optionsIn(MOCK_OPTIONS, flags), description };
  const parts: ServerParts = await whileLoading('explain', (onLoading) =>
    createServerParts(options, { keepsOrigins: true, onLoading }),
  );
  for (const pack of parts.packs) printText(process.stderr, `Pack: ${packText(pack)}\n`);
  if (method === undefined || path === undefined) {
    const explanation = await explanationOf(parts);
    printText(
      process.stdout,
      json === true
        ? `${printableJson(JSON.stringify(explanation, undefined, 2))}\n`
        : explanationText(explanation, all),
    );
    return 0;
  }
  const explained = await explainRequest(parts, method.toUpperCase(), path, flags.body);
  printText(
    process.stdout,
    json === true ? `${printableJson(JSON.stringify(explained, undefined, 2))}\n` : requestText(explained),
  );
  return 0;
}

/** Values of the flags of `standin explain`. */
export interface ExplainFlags extends CreateMockServerOptions {
  readonly body?: string;
  readonly all?: true;
  readonly json?: true;
}
