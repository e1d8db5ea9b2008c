import { inGroup } from '../../core/options/option-table';
import { wholeNumberWithin } from '../../core/options/option-types';
import { MOCK_OPTIONS } from '../../library/mock-options';
import type * as ServeAgent from '../actions/serve-agent';
import { type CommandDefinition, DESCRIPTION_ARGUMENT } from '../options/command-definition';

export const mcpCommand: CommandDefinition = {
  name: 'mcp',
  about: 'Serve a coding agent by its standard streams: a mock of its own, contracts, and what they find.',
  arguments: [['[description]', `${DESCRIPTION_ARGUMENT} (default: the bundled Petstore)`]],
  options: {
    ...inGroup('Server', {
      port: {
        flag: '-p, --port <port>',
        doc: 'serves the mock of the agent on this port of this machine, too; 0 takes any free one',
        type: {
          ...wholeNumberWithin(0, 65_535, 'a port'),
          expectedText: 'a port from 0 to 65535; 0 takes any free one',
        },
        default: 'on none',
      },
    }),
    ...MOCK_OPTIONS,
  },
  notes: `
The agent starts it, and speaks the Model Context Protocol with it; docs/agents.md says how to tell your agent.
A mock that is running already serves agents at http://127.0.0.1:4010/__standin/mcp.

Exit codes: 0 the agent has gone, 2 usage or document error.

Examples:
  standin mcp openapi.yaml
  standin mcp openapi.yaml --allow-writes --port 4010
`,
  async run([description]: readonly [string | undefined], values: ServeAgent.AgentFlags) {
    // oxlint-disable-next-line typescript/no-require-imports -- jest cannot run `import()` in CommonJS
    return (require('../actions/serve-agent') as typeof ServeAgent).serveAgentByStreams(description, values);
  },
};
