import { randomUUID } from 'node:crypto';
import { relative, resolve } from 'node:path';
import { ConfigError } from '../errors/harness-error';
import type { SourceFinding } from '../errors/source-finding';
import { parseBearer } from '../http/authorization';
import { isLoopbackHost } from '../http/host';
import type { Transport } from '../http/transport';
import { DEFAULT_API_KEY } from '../mock/options';
import type { ApiModel } from '../openapi/model';
import type { RunInput } from '../runner/run';
import { runContracts } from '../runner/run-contracts';
import type { RunResult } from '../runner/run-result';
import { loadApi } from './node/load-api';
import { loadContracts } from './node/load-contracts';
import { BUNDLED, packageVersion } from './node/package-root';
import { createUndiciTransport } from './node/undici-transport';

export type { RunResult } from '../runner/run-result';

export interface RunContractOptions {
  /** Where the service is, with the path before every path of the description. */
  readonly baseUrl: string;
  /** Contract files or folders. Left out: those of the bundled Petstore. */
  readonly contracts?: string | readonly string[] | undefined;
  /** Path of an OpenAPI description. Left out: the bundled Petstore. */
  readonly description?: string | undefined;
  /** Left out: `test-key` on this machine, and an error elsewhere. */
  readonly apiKey?: string | undefined;
  /** Send requests that change something? Left out: only to this machine. */
  readonly allowWrites?: boolean | undefined;
  /** For one exchange; 30 000 when left out. */
  readonly timeoutMs?: number | undefined;
  /** Takes the place of a socket, for a target in this process. */
  readonly transport?: Transport | undefined;
}

/** For the command line alone. */
export interface RunHooks {
  /** Called with what is doubtful about the description. */
  readonly warn?: ((finding: SourceFinding) => void) | undefined;
}

const TIMEOUT_MS = 30_000;

/**
 * Replays contracts against a service and judges every answer by its description.
 *
 * @returns what was found; `outcome` sums it up
 * @throws ConfigError, SpecError, ContractError when the options or the files cannot be used. A target that cannot be
 *   reached is no exception: its steps end in an error each
 */
export async function runContract(options: RunContractOptions, hooks: RunHooks = {}): Promise<RunResult> {
  const baseUrl = readBaseUrl(options.baseUrl);
  const paths = contractPaths(options);
  const { api, warnings } = loadApi(options.description ?? shownPath(BUNDLED.description));
  for (const warning of warnings) hooks.warn?.(warning);
  const input = { version: packageVersion(), api, baseUrl: baseUrl.text, ...choices(options, api, baseUrl.isLoopback) };
  const contracts = loadContracts(paths, api);
  const runId = randomUUID().slice(0, 8);
  if (options.transport !== undefined)
    return runContracts({ ...input, runId, transport: options.transport }, contracts);
  const transport = createUndiciTransport(baseUrl.origin, { timeoutMs: options.timeoutMs ?? TIMEOUT_MS });
  try {
    return await runContracts({ ...input, runId, transport }, contracts);
  } finally {
    await transport.close();
  }
}

interface BaseUrl {
  readonly origin: string;
  /** Without a slash at the end. */
  readonly text: string;
  readonly isLoopback: boolean;
}

/** @throws ConfigError `CONFIG_INVALID` */
function readBaseUrl(text: string): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(text)) {
    throw new ConfigError('CONFIG_INVALID', `The base URL "${text}" is no http or https URL`, {
      hint: 'Name scheme and host, such as http://127.0.0.1:4010.',
    });
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new ConfigError('CONFIG_INVALID', 'The base URL holds credentials, a query or a fragment', {
      hint: 'The API key has a place of its own; a base URL is scheme, host, port and path.',
    });
  }
  const { origin } = url;
  return { origin, text: `${origin}${url.pathname.replace(/\/+$/, '')}`, isLoopback: isLoopbackHost(url.hostname) };
}

function choices(
  { apiKey, allowWrites, baseUrl }: RunContractOptions,
  api: ApiModel,
  isLoopback: boolean,
): Pick<RunInput, 'apiKey' | 'writesRefused'> {
  const mayWrite = allowWrites ?? isLoopback;
  const { host } = new URL(baseUrl);
  return {
    apiKey: chooseKey(apiKey, api, isLoopback),
    writesRefused: mayWrite ? undefined : `it could change ${host}, which is not this machine; --allow-writes sends it`,
  };
}

/** @throws ConfigError `CONFIG_INVALID`; its message never holds the key */
function chooseKey(apiKey: string | undefined, api: ApiModel, isLoopback: boolean): string | undefined {
  if (apiKey !== undefined) {
    if (parseBearer(`Bearer ${apiKey}`).kind === 'bearer') return apiKey;
    throw new ConfigError('CONFIG_INVALID', 'The API key is empty or holds a character that no key can have', {
      hint: 'A key has letters, digits and -._~+/ and may end in = (RFC 6750 §2.1).',
    });
  }
  if (isLoopback) return DEFAULT_API_KEY;
  if (!api.operations.some(({ security }) => security.length > 0)) return undefined;
  throw new ConfigError('CONFIG_INVALID', 'The target is not this machine, and no API key was given', {
    hint: 'Set STANDIN_API_KEY, name another variable with --api-key-env, or give the key with --api-key.',
  });
}

/** @throws ConfigError when the bundled contracts would meet another description */
function contractPaths({ contracts, description }: RunContractOptions): readonly string[] {
  if (typeof contracts === 'string') return [contracts];
  if (contracts !== undefined && contracts.length > 0) return contracts;
  if (description === undefined || resolve(description) === BUNDLED.description) return [shownPath(BUNDLED.contracts)];
  throw new ConfigError('CONFIG_INVALID', 'The bundled contracts are for the bundled description', {
    hint: 'Name the contract files for your own one.',
  });
}

/** A path as people would write it: from the current folder, where it is below that. */
function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}
