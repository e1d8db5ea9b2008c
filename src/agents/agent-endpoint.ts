import type { IncomingMessage, ServerResponse } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { Transform, type Readable, type Writable } from 'node:stream';
import { readBoundedBody } from '../core/http/bounded-body';
import type { AgentHost } from './agent-tool';
import { createAgentServer, mcpLibrary } from './agent-server';

/** Bytes of a message at the most: a whole state may be in one. */
const LARGEST_MESSAGE = 16 * 1024 * 1024;

/**
 * Answers a request for the endpoint of agents (MCP 2025-11-25, Streamable HTTP). Each message is answered by itself, as
 * JSON: there is no session that could end, and nothing is told between.
 */
export async function answerAgent(
  host: AgentHost,
  version: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    refuse(response, 405, -32000, 'There are no sessions here, and no events: send messages by POST', {
      Allow: 'POST',
    });
    return;
  }
  const text = await readBoundedBody(request, LARGEST_MESSAGE);
  if (text === undefined) {
    refuse(response, 413, -32600, `A message has at most ${LARGEST_MESSAGE} bytes`);
    return;
  }
  const message = parsed(text);
  if (message === undefined) {
    refuse(response, 400, -32700, 'The message is no JSON');
    return;
  }
  const { StreamableHTTPServerTransport } = mcpLibrary();
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createAgentServer(host, version);
  response.on('close', () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response, message);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuse(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}

/**
 * Serves one agent by the standard streams (MCP 2025-11-25, stdio), until it goes.
 *
 * @returns when the input has ended, and every call of a tool with it
 */
export async function serveAgent(host: AgentHost, version: string, input: Readable, output: Writable): Promise<void> {
  const { StdioServerTransport } = mcpLibrary();
  const bounded = input.pipe(new BoundedLines(output));
  const server = createAgentServer(host, version);
  const ended = new Promise<void>((resolve) => {
    bounded.on('end', resolve);
  });
  await server.connect(new StdioServerTransport(bounded, output));
  await ended;
  await server.close();
  await host.calls.idle();
}

/** Hands lines on, but those that are too long: they are answered at once, and would fill the memory. */
class BoundedLines extends Transform {
  private readonly output: Writable;
  private readonly decoder = new StringDecoder('utf8');
  private line = '';
  private isTooLong = false;

  constructor(output: Writable) {
    super();
    this.output = output;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    const [first = '', ...others] = this.decoder.write(chunk).split('\n');
    this.add(first);
    for (const next of others) {
      if (!this.isTooLong) this.push(`${this.line}\n`);
      this.line = '';
      this.isTooLong = false;
      this.add(next);
    }
    done();
  }

  private add(text: string): void {
    if (this.isTooLong) return;
    this.line += text;
    if (this.line.length <= LARGEST_MESSAGE) return;
    this.isTooLong = true;
    this.line = '';
    const error = { code: -32600, message: `A message has at most ${LARGEST_MESSAGE} characters` };
    this.output.write(`${JSON.stringify({ jsonrpc: '2.0', error, id: null })}\n`);
  }
}
