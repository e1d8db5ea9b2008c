import { signal } from '@preact/signals';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { MAX_DEPTH, parseJson } from '../../core/json/parse-json';
import { stringifyJson } from '../../core/json/stringify-json';
import type { AdminError } from '../../server/actions/shapes';
import { type Query, queryText } from './address';

/** An admin action that failed, or could not be asked for: then its status is 0. */
export class AdminFailure extends Error {
  readonly error: AdminError;

  constructor(error: AdminError) {
    super(error.message);
    this.error = error;
  }
}

export interface AdminCall {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: Query;
  readonly body?: JsonValue;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Numbers keep their digits, so that one of a body can be anything; those of the shapes are plain. */
const LIMITS = { maxDepth: MAX_DEPTH, maxNumberLength: 100_000 };

/** @throws AdminFailure */
export async function callAdmin<Result = undefined>(path: string, call: AdminCall = {}): Promise<Result> {
  const response = await fetchAdmin(path, call);
  const text = await response.text().catch(unreachable);
  return (text === '' ? undefined : parseJson(text, LIMITS)) as Result;
}

/**
 * The response of an admin action, below the address of the page. Where the mock wants its token, the person is asked.
 *
 * @throws AdminFailure for every response that is no success
 */
export async function fetchAdmin(path: string, call: AdminCall = {}): Promise<Response> {
  for (;;) {
    const sent = token;
    const response = await fetch(`${path}${queryText(call.query ?? {})}`, initOf(call)).catch(unreachable);
    if (response.ok) return response;
    const error = await errorOf(response);
    if (!asksForToken(error) || !(await askForToken(sent))) throw new AdminFailure(error);
  }
}

function initOf({ method = 'GET', body, headers, signal: abort }: AdminCall): RequestInit {
  const type = method === 'GET' ? {} : { 'Content-Type': 'application/json' };
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return {
    method,
    headers: { Accept: 'application/json', ...type, ...authorization, ...headers },
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
    ...(body === undefined ? {} : { body: stringifyJson(body) }),
    ...(abort === undefined ? {} : { signal: abort }),
  };
}

function unreachable(cause: unknown): never {
  if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
  throw new AdminFailure({
    status: 0,
    code: 'unreachable',
    message: 'The mock does not answer. Is it still running?',
    findings: [],
    current: null,
  });
}

async function errorOf(response: Response): Promise<AdminError> {
  const { status } = response;
  const value: JsonObject = await response.text().then(readObject, () => ({}));
  const { code, message } = value;
  return {
    findings: [],
    current: null,
    ...value,
    status,
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : `The mock answered with status ${status}`,
  };
}

function readObject(text: string): JsonObject {
  try {
    const value = parseJson(text, LIMITS);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** What a failure says, whatever was thrown. */
export function errorDetails(cause: unknown): AdminError {
  if (cause instanceof AdminFailure) return cause.error;
  const message = cause instanceof Error ? cause.message : String(cause);
  return { status: 0, code: 'failed', message, findings: [], current: null };
}

/** In memory only: a reload asks again. */
let token: string | undefined;

/** The question for the token, while it stands open. */
interface TokenQuestion {
  /** The one before was not the right one. */
  readonly isAgain: boolean;
  /** @param given - `undefined` for no answer */
  readonly answer: (given: string | undefined) => void;
}

export const tokenQuestion = signal<TokenQuestion | undefined>(undefined);

/** The person gave no token: nothing is asked again until they want to. */
export const isWithoutToken = signal(false);

let question: Promise<boolean> | undefined;

function asksForToken({ status, message }: AdminError): boolean {
  return status === 401 || (status === 403 && message.includes('Authorization: Bearer'));
}

/**
 * One question for all requests that wait for its answer.
 *
 * @param sent - what was refused
 * @returns whether there is another one to try
 */
async function askForToken(sent: string | undefined): Promise<boolean> {
  if (sent !== token) return true;
  if (isWithoutToken.value) return false;
  question ??= new Promise<boolean>((resolve) => {
    const answer = (given: string | undefined): void => {
      question = undefined;
      tokenQuestion.value = undefined;
      token = given ?? token;
      isWithoutToken.value = given === undefined;
      resolve(given !== undefined);
    };
    tokenQuestion.value = { isAgain: sent !== undefined, answer };
  });
  return question;
}
