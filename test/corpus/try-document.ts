// Serves one description in a process of its own, calls all of it, and prints what came of it as one line of JSON.
//
//   tsx test/corpus/try-document.ts FILE NAME [--keys]
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createUndiciTransport } from '../../src/network/undici-transport';
import { StandinError } from '../../src/core/errors/standin-error';
import type { HttpRequest } from '../../src/core/http/message';
import { fetchApi } from '../../src/files/load-api';
import { inferResourceModel } from '../../src/resources/infer-resource-model';
import type { ApiModel } from '../../src/openapi/model/api-model';
import { callOperations } from './call-operations';
import { tryClientKeys } from './client-keys';
import { requestFor, type MakeValue } from './request-for';
import { tryRoundTrips } from './round-trip';
import { valueMaker } from './make-value';
import { serveFile, type Served } from './served';
import type { Trial } from './trial';

const REQUEST_LIMIT_MS = 20_000;

async function main([file, name = file, flag]: readonly (string | undefined)[]): Promise<void> {
  if (file === undefined || name === undefined) throw new Error('Which file?');
  const bytes = statSync(file).size;
  // Before the server is started: the two would else wait for each other.
  const api = await readable(file);
  const served = await serveFile(file);
  const trial =
    served.kind === 'refused' || api === undefined
      ? refused(file, name, bytes, served.kind === 'refused' ? served.reason : 'served, and not readable here')
      : await (flag === '--keys' ? onlyKeys : callAll)(api, name, bytes, served);
  process.stdout.write(`${JSON.stringify(trial)}\n`);
  process.exit(0);
}

async function readable(file: string): Promise<ApiModel | undefined> {
  try {
    return (await fetchApi(file)).api;
  } catch (error) {
    if (error instanceof StandinError) return undefined;
    throw error;
  }
}

function refused(file: string, name: string, bytes: number, reason: string): Trial {
  const none = { firstAnswerMs: 0, memoryMb: 0, operations: 0, answered: 0, succeeded: 0, resources: 0, stateful: 0 };
  const lists = { wrong: [], failed: [], broken: [], roundTrips: 0, roundTripsHeld: 0 };
  return { name, bytes, refused: reason.replaceAll(`${dirname(file)}/`, '').slice(0, 2000), ...none, ...lists };
}

async function callAll(api: ApiModel, name: string, bytes: number, served: Served): Promise<Trial> {
  const { origin } = new URL(served.url);
  const transport = createUndiciTransport(origin, { timeoutMs: REQUEST_LIMIT_MS });
  const makeValue = valueMaker(api);
  try {
    const first = firstRequest(api, served.url, makeValue);
    if (first !== undefined) await transport.send(first);
    const firstAnswerMs = performance.timeOrigin + performance.now() - served.startedAt;
    const memoryMb = served.memoryMb();
    const calls = await callOperations(api, served.url, transport, makeValue);
    const model = inferResourceModel(api);
    const trips = await tryRoundTrips({ api, model, base: served.url, transport, makeValue });
    return {
      name,
      bytes,
      refused: undefined,
      firstAnswerMs,
      memoryMb,
      operations: api.operations.length,
      ...calls,
      resources: model.resources.length,
      stateful: model.bindings.size,
      roundTrips: trips.tried,
      roundTripsHeld: trips.held,
      broken: trips.broken,
    };
  } finally {
    await transport.close();
    served.stop();
  }
}

/** What is created is read under the key that a client sees, and nothing else is tried. */
async function onlyKeys(api: ApiModel, name: string, bytes: number, served: Served): Promise<Trial> {
  const transport = createUndiciTransport(new URL(served.url).origin, { timeoutMs: REQUEST_LIMIT_MS });
  try {
    const keys = await tryClientKeys({ api, base: served.url, transport, makeValue: valueMaker(api), made: new Map() });
    return { ...refused('', name, bytes, ''), refused: undefined, operations: api.operations.length, keys };
  } finally {
    await transport.close();
    served.stop();
  }
}

/** What somebody who just started a mock would try: a GET that needs nothing. */
function firstRequest(api: ApiModel, base: string, makeValue: MakeValue): HttpRequest | undefined {
  const simple = api.operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  for (const operation of [...simple, ...api.operations]) {
    const made = requestFor(api, operation, base, makeValue);
    if (made.kind === 'made') return made.request;
  }
  return undefined;
}

void main(process.argv.slice(2));
