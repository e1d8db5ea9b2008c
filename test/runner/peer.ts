import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServerParts } from '../../src/library/create-mock-server';
import { type CreateMockServerOptions } from '../../src/library/mock-options';
import { createInProcessTransport } from '../../src/network/target';
import { loadApi } from '../../src/files/load-api';
import type { SourceFinding } from '../../src/core/errors/standin-error';
import { readContract } from '../../src/formats/contract/contract-reader';
import type { HttpRequest, HttpResponse, Transport } from '../../src/core/http/message';
import { stringifyJson } from '../../src/core/json/stringify-json';
import { readSource } from '../../src/openapi/read/read-source';
import type { RunInput } from '../../src/runner/exchange/run-state';
import { runContracts } from '../../src/runner/run/run-contracts';
import { type RunResult, type StepResult } from '../../src/runner/result/run-result';
import { allSteps } from '../../src/runner/result/outcome';
import { failureLines } from '../support/failure-lines';

/** A server that listens on a port of its own. */
export interface Peer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function startPeer(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<Peer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** What is wrong with a server: it changes the answer, or what it looks at. */
export interface Defect {
  readonly answer?: (response: HttpResponse, request: HttpRequest) => HttpResponse;
  readonly request?: (request: HttpRequest) => HttpRequest;
}

/** The Petstore with a defect, behind a bare node:http server. */
export interface BrokenPetstore extends Peer {
  /** Everything that is stored, as text to compare. */
  stored(): string;
}

export async function startBroken(defect: Defect, options: CreateMockServerOptions = {}): Promise<BrokenPetstore> {
  const { mock, app } = await createServerParts(options);
  const petstore = createInProcessTransport(mock.engine);
  const peer = await startPeer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = 'GET', url: target = '/', headers, rawHeaders } = incoming;
      const received = { method, target, headers, rawHeaders, body: Buffer.concat(chunks) };
      void petstore.send(defect.request?.(received) ?? received).then((good) => {
        const { status, headers: lines, body } = defect.answer?.(good, received) ?? good;
        outgoing.writeHead(status, lines as never);
        outgoing.end(body);
      });
    });
  });
  return { ...peer, stored: () => stringifyJson(app.state()) };
}

/** The value of a member of a JSON body, changed; other bodies stay. */
export function changeBody(response: HttpResponse, change: (body: string) => string): HttpResponse {
  if (response.body === undefined) return response;
  const headers = withoutHeader(response.headers, 'content-length');
  return { ...response, headers, body: change(response.body.toString()) };
}

export function withoutHeader(headers: readonly string[], name: string): string[] {
  return headers.filter((_, index) => headers[index - (index % 2)]?.toLowerCase() !== name);
}

export function withHeader(response: HttpResponse, name: string, value: string): HttpResponse {
  return { ...response, headers: [...withoutHeader(response.headers, name.toLowerCase()), name, value] };
}

/** Replays a contract that stands in the test, against the bundled description. */
export function replayText(text: string, transport: Transport, more: Partial<RunInput> = {}): Promise<RunResult> {
  const { api } = loadApi();
  const findings: SourceFinding[] = [];
  const contract = readContract(readSource(text, 'test.yaml'), (more.api ?? api).operations, findings);
  expect(findings).toEqual([]);
  const run = {
    version: '0.0.0',
    api,
    baseUrl: 'http://localhost',
    apiKey: 'test-key',
    runId: 'run1',
    mode: 'full' as const,
    probesAuth: false,
  };
  return runContracts({ ...run, transport, ...more }, [contract!]);
}

/** The contract of one step, from the lines of that step. */
export function oneStep(...lines: string[]): string {
  const step = lines.map((line, index) => `${index === 0 ? '  - ' : '    '}${line}`);
  return ['standin: contract/1', 'name: test', 'steps:', ...step, ''].join('\n');
}

/** Answers every request alike, and keeps what was sent. */
export function cannedTransport(...answers: Partial<HttpResponse>[]): Transport & { readonly sent: HttpRequest[] } {
  const sent: HttpRequest[] = [];
  return {
    sent,
    send(request) {
      const answer = answers[Math.min(sent.length, answers.length - 1)];
      sent.push(request);
      return Promise.resolve({
        status: 200,
        headers: ['Content-Type', 'application/json'],
        body: undefined,
        ...answer,
      });
    },
  };
}

/** Checks that found an error, with the step each did in: `getPet body-schema`. */
export function failures(result: RunResult): string[] {
  const found = failureLines(result, ({ operation, name }, { check }) => `${operation ?? name} ${check}`);
  return [...new Set(found)].sort();
}

export function stepNamed(result: RunResult, name: string): StepResult {
  const step = allSteps(result).find((candidate) => candidate.name === name);
  if (step === undefined) throw new Error(`no step ${name}`);
  return step;
}
