import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerAgent } from '../agents/agent-endpoint';
import type { AgentHost } from '../agents/agent-tool';
import type { PendingWork } from '../core/time/pending-work';
import { packageVersion } from '../files/file-access';
import type { Pack } from '../files/load-rules-and-packs';
import type { Mock } from '../mock/create-mock';
import { addressOf } from '../server/images';
import type { AdminServer } from '../server/perform-action';
import { agentLibrary, type CreateMock } from './agent-library';
import { agentRights } from './agent-options';
import type { CreateMockServerOptions } from './mock-options';

/** The mock that agents work with. */
export interface AgentMock {
  readonly admin: AdminServer;
  readonly mock: Mock;
  readonly packs: readonly Pack[];
  /** Makes the mocks of their own that contracts run at. */
  readonly create: CreateMock;
}

/**
 * Returns what agents work with.
 *
 * @param current - as it is now; another one after a reload
 * @param calls - has every call of a tool until it ends
 */
export function agentHost(
  current: () => AgentMock,
  options: CreateMockServerOptions,
  address: string,
  calls: PendingWork,
): AgentHost {
  return {
    server: current().admin,
    mock: () => {
      const { mock, packs } = current();
      return { api: mock.context.api, mock, packs };
    },
    library: agentLibrary(options, current().create, () => current().mock.context.api, process.cwd()),
    address,
    ...agentRights(options),
    last: { run: undefined },
    calls,
  };
}

/** @returns answers requests of agents for the endpoint of a mock */
export function agentEndpoint(
  current: () => AgentMock,
  options: CreateMockServerOptions,
  calls: PendingWork,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const host = agentHost(current, options, '', calls);
  return (request, response) =>
    answerAgent({ ...host, address: addressOf(request) }, packageVersion(), request, response);
}
