import { madeForTests } from './made-for-tests';
import { createServerParts, type ServerHooks } from '../../src/library/create-mock-server';
import { type CreateMockServerOptions } from '../../src/library/mock-options';
import { listen } from '../../src/server/listen';
import type { MockServer } from '../../src/server/mock-server';
import { stringifyJson } from '../../src/core/json/stringify-json';
import type { Mock } from '../../src/mock/create-mock';
import type { ApiModel } from '../../src/openapi/model/api-model';

export const KEY = 'Bearer test-key';

/** A mock on a port of its own, the Petstore unless told otherwise, wired as the command line does it. */
export interface TestServer {
  /** `http://127.0.0.1:41234`. */
  readonly url: string;
  /** `127.0.0.1:41234`, as the header has it. */
  readonly host: string;
  readonly port: number;
  readonly app: MockServer;
  readonly mock: Mock;
  readonly api: ApiModel;
  /** What was reported as the mock's own fault; empty unless something is wrong. */
  readonly defects: readonly unknown[];
  /** Everything that is stored, as text to compare. */
  stateText(): string;
  close(): Promise<void>;
}

/**
 * @param port - any free one unless given
 * @param hooks - what the mock calls while it works
 */
export async function startServer(
  options: CreateMockServerOptions = {},
  port = 0,
  hooks: ServerHooks = {},
): Promise<TestServer> {
  const defects: unknown[] = [];
  const { app, api, mock, serverOptions, agentCalls } = await createServerParts(options, {
    ...hooks,
    reportDefect(error) {
      defects.push(error);
    },
  });
  const origins = options.corsOrigins ?? ['*'];
  const listening = await listen(app, {
    host: '127.0.0.1',
    port,
    serverOptions,
    toErrorResponse: (fault) => mock.engine.refuse(fault),
    corsOrigin: origins.includes('*') ? '*' : undefined,
    whenUnused: () => agentCalls.idle(),
  });
  return {
    url: listening.url,
    host: new URL(listening.url).host,
    port: Number(new URL(listening.url).port),
    app,
    mock,
    api,
    defects,
    stateText: () => stringifyJson(app.state()),
    close: () => listening.close(),
  };
}

/** A server that is there while the tests of a file run, or those of the `describe` in which it is asked for. */
export function serverOfTests(...parameters: Parameters<typeof startServer>): TestServer {
  return madeForTests(() => startServer(...parameters));
}
