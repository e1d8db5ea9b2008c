import { ConfigError } from '../../core/errors/standin-error';
import type { RawHeaders } from '../../core/http/message';
import { isHttpUrl } from '../../core/http/request-target';
import { counted, printable } from '../../core/text/printable';
import type { Mock } from '../../mock/create-mock';
import type { StoredBody, StoredRequest } from '../../mock/sandbox/journal-entry';
import type { JournalOfSandboxes } from '../../mock/sandbox/sandbox-facts';
import { MAIN_ID } from '../../mock/sandbox/sandbox-selection';
import { contractOfTraffic, siftTraffic, verifyCommand } from '../../traffic/contract/contract-of-traffic';
import { contractText } from '../../traffic/contract/contract-text';
import { recordedBody } from '../../traffic/exchange/recorded-body';
import type { CleanExchange, RecordedBody, RecordedExchange } from '../../traffic/exchange/recorded-exchange';
import { createSecretVault, type SecretVault } from '../../traffic/secrets/secret-vault';
import { announcesBody, withoutSandbox } from './mock-exchange';
import { type RememberedPlace, rememberedAfter, storedAt } from '../../mock/sandbox/remembered-requests';
import { descriptionName, servedApi } from './served-api';

/** Which remembered requests become a contract, and what it is called. */
export interface ContractChoice {
  /** Their numbers, as the window and `GET /__standin/requests` show them; all of this state when left out. */
  readonly requests?: readonly number[] | undefined;
  /** File of the contract, which is not written: `contracts/recorded.yaml` by default. */
  readonly file?: string | undefined;
  /** Of the mock, for the command that replays it: `http://127.0.0.1:4010` by default. */
  readonly baseUrl?: string | undefined;
}

/** A contract of remembered requests, and what a reader has to know of it. */
export interface ContractOfRequests {
  readonly file: string;
  /** The contract. Every secret stands in it as a name. */
  readonly yaml: string;
  /** How many requests it was made of, before those that are left out. */
  readonly requests: number;
  readonly counts: { readonly setup: number; readonly steps: number; readonly cleanup: number };
  readonly leftOut: readonly {
    readonly reason: string;
    readonly count: number;
    readonly examples: readonly string[];
  }[];
  /** To look at: what is not remembered as a whole, what stayed literal and why. */
  readonly notes: readonly string[];
  /** Names of the environment that it needs a value of. */
  readonly environment: readonly string[];
  /** Callers beside the one of the run, that need a key. */
  readonly identities: readonly string[];
  /** Replays it at this mock. */
  readonly command: string;
}

const USUAL_FILE = 'contracts/recorded.yaml';
const USUAL_ADDRESS = 'http://127.0.0.1:4010';

/** A contract of requests that the mock remembers, as a value. @param sandbox - whose; `default` for the main state */
export function contractOfJournal(
  mock: Mock,
  sandbox: string,
  journals: readonly JournalOfSandboxes[],
  choice: ContractChoice,
): ContractOfRequests {
  const { file = USUAL_FILE, baseUrl = USUAL_ADDRESS } = choice;
  requireUsable(file, baseUrl);
  const chosen = choose(journals, sandbox, choice.requests);
  if (chosen.places.length === 0) throw nothingRemembered(sandbox);
  const api = servedApi(mock);
  const { headers: secretHeaders, pointers: secretPointers } = mock.context.options.secretNames;
  const vault = createSecretVault({ api, secretHeaders, secretPointers });
  const { exchanges, notes } = exchangesOf(mock, chosen, new URL(baseUrl).origin, vault);
  const sifted = siftTraffic(exchanges, undefined, true);
  const description = descriptionName(api);
  const address = `${baseUrl.replace(/\/$/, '')}${api.basePath}`;
  const traffic = { api, sifted, out: file, description, isInferred: false, baseUrl: address };
  const { derivation } = contractOfTraffic(traffic);
  const yaml = contractText(derivation.draft);
  const told = {
    leftOut: sifted.dropped.map(({ reason, count, examples }) => ({ reason, count, examples })),
    notes: [...chosen.notes, ...notes, ...derivation.notes],
    environment: derivation.environment,
    identities: derivation.identities,
    command: verifyCommand(file, traffic, address),
  };
  for (const text of [yaml, JSON.stringify(told)]) vault.assertClean(file, text);
  return { file, yaml, requests: exchanges.length, counts: derivation.counts, ...told };
}

function requireUsable(file: string, baseUrl: string): void {
  if (!/[^/\\]\.(?:ya?ml|json)$/i.test(file)) {
    throw new ConfigError('CONFIG_INVALID', `"${file}" is no name of a contract`, {
      hint: 'It ends in .yaml, .yml or .json: contracts/recorded.yaml.',
    });
  }
  if (!isHttpUrl(baseUrl) || !URL.canParse(baseUrl)) {
    throw new ConfigError('CONFIG_INVALID', `The baseUrl "${baseUrl}" is not an http or https URL`, {
      hint: `Give that of the mock: ${USUAL_ADDRESS}.`,
    });
  }
}

function nothingRemembered(sandbox: string): ConfigError {
  const where = sandbox === MAIN_ID ? 'the main state' : `the sandbox ${sandbox}`;
  return new ConfigError('CONFIG_INVALID', `None of these requests of ${where} is remembered`, {
    hint: 'Send some, or choose others: GET /__standin/requests lists those of all sandboxes.',
  });
}

interface Chosen {
  readonly places: readonly RememberedPlace[];
  /** What of the choice is not there. */
  readonly notes: readonly string[];
}

/** @throws ConfigError for requests of another state: one contract cannot have both */
function choose(
  journals: readonly JournalOfSandboxes[],
  sandbox: string,
  numbers: readonly number[] | undefined,
): Chosen {
  if (numbers === undefined) return { places: rememberedAfter(journals, 0, sandbox), notes: [] };
  const wanted = new Set(numbers);
  const places = rememberedAfter(journals, 0, undefined).filter(({ seq }) => wanted.has(seq));
  const other = places.find((place) => place.sandbox !== sandbox);
  if (other !== undefined) {
    const own = other.sandbox === MAIN_ID ? 'the main state' : `the sandbox ${other.sandbox}`;
    throw new ConfigError('CONFIG_INVALID', `The request ${other.seq} is of ${own}, and a contract is of one state`, {
      hint: `Choose requests of one; ?sandbox=${other.sandbox} names that of this request.`,
    });
  }
  const gone = wanted.size - places.length;
  if (gone === 0) return { places, notes: [] };
  return {
    places,
    notes: [`${gone} of ${counted(wanted.size, 'request')} are not remembered any more, and not in it`],
  };
}

/** Exchanges without secrets, and what of them is not remembered as a whole. */
interface Exchanges {
  readonly exchanges: readonly CleanExchange[];
  readonly notes: readonly string[];
}

function exchangesOf(mock: Mock, { places }: Chosen, origin: string, vault: SecretVault): Exchanges {
  const { sandboxes } = mock.context.options;
  const notes: string[] = [];
  let latestMs = 0;
  const exchanges = places.map((place) => {
    const stored = storedAt(place);
    // Somebody may have set the clock back, and the order is known all the same.
    latestMs = Math.max(latestMs, stored.line.atMs);
    const id = place.sandbox === MAIN_ID ? undefined : place.sandbox;
    const exchange = vault.clean(withoutSandbox(exchangeOf(stored, origin, latestMs), sandboxes, id));
    notes.push(...missingParts(stored, exchange));
    return exchange;
  });
  return { exchanges, notes };
}

function exchangeOf(stored: StoredRequest, origin: string, endedAt: number): RecordedExchange {
  const { line, target, requestHeaders, requestBody, responseHeaders, responseBody } = stored;
  const { seq, durationMs = 0, method, status, delivery } = line;
  const lost = delivery?.end;
  return {
    source: `request ${seq}`,
    startedAt: endedAt - durationMs,
    endedAt: lost === undefined ? endedAt : undefined,
    origin,
    request: { method, target, headers: requestHeaders, body: rememberedBody(requestBody, requestHeaders) },
    response:
      lost === undefined
        ? { status, headers: responseHeaders, body: rememberedBody(responseBody, responseHeaders) }
        : undefined,
    notes: lost === undefined ? [] : ['a fault kept its response from the client'],
  };
}

const CUT = 'the mock remembers only the beginning of it (--record keeps it whole)';
const UNREAD = 'the mock did not read it, as its response did not depend on it (--record keeps it)';

function rememberedBody(body: StoredBody, headers: RawHeaders): RecordedBody | undefined {
  const { bytes, size, isUnread } = body;
  if (isUnread) return announcesBody(headers) ? { kind: 'omitted', reason: UNREAD, bytes: undefined } : undefined;
  if (isCut(body)) return { kind: 'omitted', reason: CUT, bytes: size };
  return recordedBody({ length: size, content: bytes }, headers);
}

function isCut({ bytes, size }: StoredBody): boolean {
  return size > bytes.length;
}

/** Of requests the step says it; a response that is not whole is expected to have its status, and nothing more. */
function missingParts({ line, responseBody }: StoredRequest, { request }: CleanExchange): string[] {
  if (!isCut(responseBody)) return [];
  const { bytes, size } = responseBody;
  const what = printable(`${request.method} ${request.target}`);
  return [
    `request ${line.seq} (${what}): the mock remembers ${bytes.length} of the ${size} bytes of its response, so that only its status is expected and nothing of it is carried on; --record keeps it whole`,
  ];
}
