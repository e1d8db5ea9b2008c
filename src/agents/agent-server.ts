import type * as ServerModule from '@modelcontextprotocol/sdk/server/index.js' with { 'resolution-mode': 'import' };
import type * as HttpModule from '@modelcontextprotocol/sdk/server/streamableHttp.js' with {
  'resolution-mode': 'import',
};
import type * as StdioModule from '@modelcontextprotocol/sdk/server/stdio.js' with { 'resolution-mode': 'import' };
import type * as ProtocolTypes from '@modelcontextprotocol/sdk/types.js' with { 'resolution-mode': 'import' };
import { StandinError } from '../core/errors/standin-error';
import { problem } from '../core/http/problem';
import type { JsonObject } from '../core/json/json-value';
import { stringifyJson, stringifyJsonPretty } from '../core/json/stringify-json';
import { once } from '../core/text/memoize';
import { similarName } from '../core/text/similar-name';
import {
  type AgentHost,
  type AgentTool,
  asJson,
  readToolInput,
  Refused,
  refused,
  resultText,
  type ToolResult,
  toolSchema,
} from './agent-tool';
import { ACTION_TOOLS } from './action-tools';
import { API_TOOLS } from './api-tools';
import { CONTRACT_TOOLS } from './contract-tools';
import { runSummary } from './finding-text';
import { PROMPTS } from './prompts';

/** Every tool, in the order in which an agent is shown them. */
const AGENT_TOOLS: readonly AgentTool[] = [...API_TOOLS, ...CONTRACT_TOOLS, ...ACTION_TOOLS];

type Library = typeof ServerModule & typeof HttpModule & typeof StdioModule & typeof ProtocolTypes;

/** The official SDK of the Model Context Protocol. */
// oxlint-disable-next-line typescript/no-require-imports -- loaded only for agents
export const mcpLibrary = once(() => require('#vendor/mcp') as Library);

// The one that takes schemas as they are: that of the high level makes them of another library's objects.
// oxlint-disable-next-line typescript/no-deprecated -- see above
type Server = InstanceType<typeof ServerModule.Server>;

/**
 * A server of the Model Context Protocol (2025-11-25) with the tools, resources and prompts of a mock. It is made for one
 * connection; what it works with is shared.
 */
export function createAgentServer(host: AgentHost, version: string): Server {
  // oxlint-disable-next-line typescript/no-deprecated -- see the type
  const { Server, ...types } = mcpLibrary();
  const capabilities = { tools: {}, resources: {}, prompts: {} };

  const server = new Server({ name: 'standin', version }, { capabilities, instructions: instructions(host) });
  const tools = AGENT_TOOLS.filter(({ effect }) => host.mayWrite || effect === 'reads');
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: tools.map(listed) }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, { signal }) => {
    const given = params.arguments ?? {};
    const result = await host.calls.track(callTool(host, params.name, given as JsonObject, signal));
    return result instanceof Refused
      ? { isError: true, content: [{ type: 'text', text: refusal(result) }] }
      : { content: [{ type: 'text', text: resultText(result) }] };
  });
  server.setRequestHandler(types.ListResourcesRequestSchema, () => ({
    resources: RESOURCES.map(({ uri, name, description, mimeType }) => ({ uri, name, description, mimeType })),
  }));
  server.setRequestHandler(types.ReadResourceRequestSchema, ({ params: { uri } }) => {
    const found = RESOURCES.find((each) => each.uri === uri);
    if (found === undefined) throw new types.McpError(NO_RESOURCE, `There is no resource ${uri.slice(0, 200)}`);
    return { contents: [{ uri, mimeType: found.mimeType, text: found.read(host) }] };
  });
  server.setRequestHandler(types.ListPromptsRequestSchema, () => ({
    prompts: PROMPTS.map(({ name, title, description, arguments: takes }) => ({
      name,
      title,
      description,
      arguments: takes,
    })),
  }));
  server.setRequestHandler(types.GetPromptRequestSchema, ({ params: { name, arguments: given = {} } }) => {
    const found = PROMPTS.find((each) => each.name === name);
    if (found === undefined)
      throw new types.McpError(types.ErrorCode.InvalidParams, `There is no prompt ${name.slice(0, 200)}`);
    const missing = found.arguments.find((each) => each.required && (given[each.name] ?? '') === '');
    if (missing !== undefined)
      throw new types.McpError(types.ErrorCode.InvalidParams, `The prompt ${name} needs the argument ${missing.name}`);
    return {
      description: found.description,
      messages: [{ role: 'user', content: { type: 'text', text: found.text(given) } }],
    };
  });
  return server;
}

/** The code of the protocol for a resource that there is not. */
const NO_RESOURCE = -32002;

function instructions({ mock, mayWrite, targets }: AgentHost): string {
  const { api } = mock();
  return [
    `standin is a stateful mock of ${api.title}, made of its OpenAPI description, and a runner of contracts.`,
    'list_operations and describe_operation say what the API has; call_operation asks the mock; explain_response says why a response is what it is.',
    'run_contract checks a contract at a mock of its own, grade_contract says what it would not notice, read_findings has the evidence.',
    mayWrite
      ? 'You may change the mock and write contracts below the working folder. Work in a sandbox of your own (sandbox: a name) where others use the same mock.'
      : 'You may read; nothing of the mock or of files can be changed. Whoever started this can allow it by --allow-writes.',
    targets.length === 0
      ? 'There is no target: contracts run at mocks.'
      : `Contracts may run at ${targets.join(', ')}.`,
  ].join('\n');
}

function listed(tool: AgentTool): {
  name: string;
  description: string;
  inputSchema: { type: 'object' };
  annotations: object;
} {
  const { name, about, effect } = tool;
  return {
    name,
    description: about,
    inputSchema: toolSchema(tool) as unknown as { type: 'object' },
    annotations: { readOnlyHint: effect === 'reads', destructiveHint: false, openWorldHint: name === 'run_contract' },
  };
}

/** Never rejects: what goes wrong is told to the agent, who can do something about it. */
async function callTool(host: AgentHost, name: string, given: JsonObject, signal: AbortSignal): Promise<ToolResult> {
  const tool = AGENT_TOOLS.find((each) => each.name === name);
  if (tool === undefined) return unknownTool(name);
  if (tool.effect === 'changes' && !host.mayWrite)
    return refused('forbidden', `${name} changes something, and this server only reads; start it with --allow-writes`);
  const read = readToolInput(tool, given);
  if ('code' in read) return new Refused(read);
  try {
    return await tool.run(host, read.input, read.sandbox, signal);
  } catch (error) {
    if (error instanceof StandinError) return new Refused(problem('bad_request', error.message), hintOf(error));
    host.server.reportDefect(error);
    return refused('internal_error', 'The tool met a defect in the mock; its log says which');
  }
}

function unknownTool(name: string): Refused {
  const near = similarName(
    name,
    AGENT_TOOLS.map((each) => each.name),
  );
  return refused(
    'route_not_found',
    `There is no tool ${name.slice(0, 80)}${near === undefined ? '' : `; did you mean ${near}?`}`,
  );
}

/** What is wrong with a file, one finding a line. */
function hintOf({ hint, findings }: StandinError): string | undefined {
  const lines = findings
    .slice(0, 10)
    .map(({ message, pointer, hint: how }) => [pointer, message, how].filter(Boolean).join(' — '));
  return [...lines, ...(hint === undefined ? [] : [hint])].join('\n') || undefined;
}

function refusal({ code, message, hint }: Refused): string {
  return [`${code}: ${message}`, ...(hint === undefined ? [] : [hint])].join('\n');
}

/** What an agent can read without a tool. */
const RESOURCES: readonly {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  readonly read: (host: AgentHost) => string;
}[] = [
  {
    uri: 'standin://description',
    name: 'description',
    description:
      'The OpenAPI description of the API, whole; large ones are read better by list_operations and describe_operation',
    mimeType: 'application/json',
    read: ({ server, address }) => stringifyJson(server.description(address, undefined)),
  },
  {
    uri: 'standin://contract-format',
    name: 'contract-format',
    description: 'How contracts are written',
    mimeType: 'text/markdown',
    read: ({ library }) => library.contractFormat(),
  },
  {
    uri: 'standin://last-run',
    name: 'last-run',
    description: 'The last run of contracts, with its failures',
    mimeType: 'application/json',
    read: ({ last }) =>
      last.run === undefined ? '{"outcome":null}' : stringifyJsonPretty(asJson(runSummary(last.run, MOST_FAILURES))),
  },
];

const MOST_FAILURES = 50;
