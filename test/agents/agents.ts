import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import { startServer, type TestServer } from '../support/server';

/** An agent that is connected to a mock by the official client. */
export interface Agent {
  readonly client: Client;
  readonly server: TestServer;
  /** Calls a tool. @returns its text; of one that refuses, `refused: …` */
  readonly call: (name: string, input?: object) => Promise<string>;
  /** The same as JSON. */
  readonly json: <Shape = Record<string, unknown>>(name: string, input?: object) => Promise<Shape>;
  readonly close: () => Promise<void>;
}

export async function startAgent(options: CreateMockServerOptions = {}): Promise<Agent> {
  const server = await startServer(options);
  const client = await connect(`${server.url}/__standin/mcp`);
  return { ...agentOf(client), server, close: () => client.close().then(() => server.close()) };
}

export async function connect(address: string): Promise<Client> {
  const client = new Client({ name: 'a test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  return client;
}

export function agentOf(client: Client): Omit<Agent, 'server' | 'close'> {
  const call: Agent['call'] = async (name, input = {}) => {
    // A grade takes seconds, and on a busy machine longer than the minute that the client waits otherwise.
    const waits = { timeout: 280_000 };
    const result = await client.callTool({ name, arguments: input as Record<string, unknown> }, undefined, waits);
    const [content] = result.content as { type: string; text: string }[];
    return `${result.isError === true ? 'refused: ' : ''}${content?.text ?? ''}`;
  };
  const json = async <Shape>(name: string, input?: object): Promise<Shape> => {
    const text = await call(name, input);
    if (text.startsWith('refused')) throw new Error(text);
    return JSON.parse(text) as Shape;
  };
  return { client, call, json };
}
