import type { Token } from '../formats/tokens';
import type { JsonValue } from '../core/json/json-value';
import { DEFAULT_OPTIONS, type MockOptions } from '../mock/context/options';
import type { CreateMockServerOptions } from './mock-options';
import { readFaults } from '../server/controls/sandbox-controls';
import { isBundled } from '../files/file-access';
import { loadTokens, tokensOf } from '../files/load-mock-files';

/** What the options of a server say about its mock. @throws ConfigError for faults or tokens that cannot be read */
export function engineOptions(options: CreateMockServerOptions): Partial<MockOptions> {
  return {
    auth: options.auth ?? usualAuth(options),
    apiKeys: options.apiKeys ?? (options.tokens === undefined ? DEFAULT_OPTIONS.apiKeys : []),
    tokens: chooseTokens(options.tokens),
    basePath: options.basePath,
    rateLimit: options.rateLimit,
    afterSunset: options.afterSunset ?? DEFAULT_OPTIONS.afterSunset,
    requireIfMatch: options.requireIfMatch ?? DEFAULT_OPTIONS.requireIfMatch,
    strict: options.strict ?? DEFAULT_OPTIONS.strict,
    strictParents: options.strictParents ?? DEFAULT_OPTIONS.strictParents,
    idStart: options.idStart ?? DEFAULT_OPTIONS.idStart,
    ...(options.maxBody === undefined ? {} : { limits: limitsOf(options.maxBody) }),
    seed: String(options.seed ?? DEFAULT_OPTIONS.seed),
    faults: faultOptions(options.faults),
    sandboxes: sandboxOptions(options),
    secretNames: secretNames(options),
  };
}

/** A credential that nobody listed cannot be wrong (decision 0058). */
function usualAuth({ apiKeys, tokens, issuer, description }: CreateMockServerOptions): MockOptions['auth'] {
  const areListed = [apiKeys, tokens, issuer].some((given) => given !== undefined);
  return areListed || isBundled(description) ? 'keys' : 'open';
}

function secretNames({ secretHeaders, secretPointers }: CreateMockServerOptions): MockOptions['secretNames'] {
  return { headers: secretHeaders ?? [], pointers: secretPointers ?? [] };
}

/** A form that may be larger may have more fields as well. */
const BYTES_PER_FIELD = 100;

function limitsOf(bytes: number): MockOptions['limits'] {
  const { limits } = DEFAULT_OPTIONS;
  const formNames = Math.max(limits.formNames, Math.floor(bytes / BYTES_PER_FIELD));
  return { ...limits, bodyBytes: bytes, uploadBytes: bytes, formNames };
}

function faultOptions(faults: CreateMockServerOptions['faults'] = []): MockOptions['faults'] {
  if (faults === 'off') return { isOff: true, flags: [] };
  return { isOff: false, flags: faults.flatMap(readFaults) };
}

function sandboxOptions(options: CreateMockServerOptions): MockOptions['sandboxes'] {
  const usual = DEFAULT_OPTIONS.sandboxes;
  const unlessOff = (given: string | undefined, otherwise: string | undefined): string | undefined =>
    given === 'off' ? undefined : (given ?? otherwise);
  return {
    header: unlessOff(options.sandboxHeader?.toLowerCase(), usual.header),
    cookie: unlessOff(options.sandboxCookie, usual.cookie),
    path: unlessOff(options.sandboxPath, usual.path),
    count: options.maxSandboxes ?? usual.count,
    idleMs: options.sandboxIdleMs ?? usual.idleMs,
  };
}

function chooseTokens(tokens: CreateMockServerOptions['tokens']): readonly Token[] {
  if (tokens === undefined) return DEFAULT_OPTIONS.tokens;
  if (typeof tokens === 'string') return loadTokens(tokens);
  return tokensOf({ file: 'the tokens given', root: tokens as unknown as JsonValue, locationOf: () => undefined });
}
