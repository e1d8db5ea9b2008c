import { serveAgent } from '../../agents/agent-endpoint';
import { optionsIn } from '../../core/options/option-table';
import { printable } from '../../core/text/printable';
import { packageVersion } from '../../files/file-access';
import { agentHost } from '../../library/agent-host';
import { createMockServer, createServerParts } from '../../library/create-mock-server';
import { type CreateMockServerOptions, MOCK_OPTIONS } from '../../library/mock-options';
import { listen } from '../../server/listen';
import { EXIT, printText } from '../terminal/terminal';

/** What the mock is called in requests of an agent that nobody else can reach. */
const NOWHERE = 'http://localhost';

/**
 * Serves a coding agent by the standard streams, until it goes. Nothing but the protocol is written to stdout.
 *
 * @returns the exit code
 * @throws StandinError when the description or an option cannot be used, and where the port cannot be had
 */
export async function serveAgentByStreams(description: string | undefined, flags: AgentFlags): Promise<number> {
  const options: CreateMockServerOptions = { ...optionsIn(MOCK_OPTIONS, flags), description };
  const say = (text: string): void => {
    printText(process.stderr, `${printable(text)}\n`);
  };
  const parts = await createServerParts(options, {
    onNotice: say,
    reportDefect(error) {
      say(`defect in the mock: ${error instanceof Error ? error.message : String(error)}`);
    },
  });
  const { app, serverOptions, warnings } = parts;
  const listening =
    flags.port === undefined
      ? undefined
      : await listen(app, {
          host: '127.0.0.1',
          port: flags.port,
          serverOptions,
          toErrorResponse: (fault) => parts.mock.engine.refuse(fault),
          corsOrigin: options.corsOrigins?.includes('*') === false ? undefined : '*',
          whenUnused: () => parts.agentCalls.idle(),
        });
  if (listening !== undefined) say(`The mock is at ${listening.url}`);
  if (warnings.length > 0)
    say(`${warnings.length} warnings about the description; the tool check_description tells them`);
  await serveAgent(
    agentHost(() => ({ ...parts, create: createMockServer }), options, listening?.url ?? NOWHERE, parts.agentCalls),
    packageVersion(),
    process.stdin,
    process.stdout,
  );
  await listening?.close();
  await app.closeStore();
  return EXIT.ok;
}

/** Flags of `standin mcp`, parsed. */
export interface AgentFlags extends CreateMockServerOptions {
  readonly port?: number;
}
