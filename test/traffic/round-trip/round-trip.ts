import { readFileSync } from 'node:fs';
import type { RunContractOptions } from '../../../src/library/run-options';
import { runContract } from '../../../src/library/run-contract';
import { allSteps } from '../../../src/runner/result/outcome';
import type { RunResult } from '../../../src/runner/result/run-result';
import { standin } from '../../cli/standin-process';
import type { CreateMockServerOptions } from '../../../src/library/mock-options';
import { createSecondPetstore, type SecondPetstoreOptions } from '../../second-petstore/index';
import { startServer } from '../../support/server';

export const DESCRIPTION = 'spec/petstore.yaml';
const KEY = 'test-key';

/** A server that listens. */
export interface Service {
  readonly url: string;
  close(): Promise<void>;
}

export const SERVICES = {
  mock: (options: CreateMockServerOptions = {}): Promise<Service> => startServer(options),
  async second(options: SecondPetstoreOptions = {}): Promise<Service> {
    const petstore = createSecondPetstore(options);
    return { url: await petstore.listen(), close: () => petstore.close() };
  },
} as const;

export type ServiceName = keyof typeof SERVICES;

/** A contract that was made of recorded traffic. */
export interface Recorded {
  /** Files of the contract, and of the description that it is checked by. */
  readonly contract: string;
  readonly description: string;
  readonly text: string;
  /** All that was written beside it: the recording and the description that was inferred. */
  readonly files: readonly string[];
  /** What the command said. */
  readonly said: string;
}

/** How a session is recorded. */
export interface RecordedSession {
  readonly out: string;
  readonly withDescription: boolean;
  /** May the service do what its description does not say? Otherwise the recording fails. */
  readonly drifts?: boolean;
}

/** Runs the built `standin record` before a server while a client is at work. @throws Error where it does not end well */
export async function recordByCommand(
  { url }: Service,
  { out, withDescription, drifts = false }: RecordedSession,
  client: (baseUrl: string) => Promise<void>,
): Promise<Recorded> {
  const described = withDescription ? ['--spec', DESCRIPTION, ...(drifts ? [] : ['--fail-on-drift'])] : [];
  const started = await standin(['record', '--target', url, '--out', out, '--port', '0', '--force', ...described]);
  if (!('stop' in started)) throw new Error(started.stderr);
  try {
    await client(started.url);
  } finally {
    await started.stop('SIGINT');
  }
  const { exitCode, stdout, stderr } = await started.stop();
  if (exitCode !== 0) throw new Error(`standin record ended with ${String(exitCode)}\n${stdout}\n${stderr}`);
  const stem = out.replace(/\.yaml$/, '');
  const description = withDescription ? DESCRIPTION : `${stem}.openapi.yaml`;
  const files = [out, `${stem}.recording.ndjson`, `${stem}.generated`, ...(withDescription ? [] : [description])];
  return { contract: out, description, text: readFileSync(out, 'utf8'), files, said: stderr };
}

/** Runs a contract in mode own, without more than it says. */
export function replay(
  { contract, description }: Recorded,
  { url }: Service,
  options: Partial<RunContractOptions> = {},
): Promise<RunResult> {
  const fixed = {
    contracts: contract,
    description,
    baseUrl: url,
    mode: 'own',
    apiKey: KEY,
    probesAuth: false,
  } as const;
  return runContract({ ...fixed, ...options });
}

/** How a run ended, and what it found: `['conforms']` where all is well. */
export function verdictsOf(result: RunResult): string[] {
  const found = allSteps(result).flatMap(({ name, verdict }) => {
    if (verdict.kind === 'error') return [`${name}: ${verdict.error.message}`];
    if (verdict.kind !== 'fail') return [];
    return verdict.findings.map(({ check, at, message }) => `${name}: ${check} ${at} ${message}`);
  });
  const left = result.leftBehind.map((each) => `left behind: ${JSON.stringify(each)}`);
  return [result.outcome, ...found, ...left];
}

const LISTS = ['/categories', '/pets', '/store/orders', '/inventory'] as const;

/** Everything that a server shows, as text to compare; at most a hundred of each. */
export async function stateOf({ url }: Service): Promise<string> {
  const lists = await Promise.all(
    LISTS.map(async (path) => {
      const response = await fetch(`${url}${path}?limit=100`, { headers: { Authorization: `Bearer ${KEY}` } });
      return `${path} ${response.headers.get('x-total-count') ?? ''} ${await response.text()}`;
    }),
  );
  return lists.join('\n');
}

/** What others do meanwhile: ids go on, lists get longer. */
export async function otherTraffic({ url }: Service, count: number): Promise<void> {
  const post = async (path: string, body: object): Promise<{ readonly id: number }> => {
    const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as { readonly id: number };
  };
  for (let index = 0; index < count; index++) {
    const { id: categoryId } = await post('/categories', { name: `Others ${index}` });
    const { id: petId } = await post('/pets', { name: `Another ${index}`, categoryId, status: 'available' });
    if (index % 2 === 0) await post('/store/orders', { petId, quantity: 1 });
  }
}
