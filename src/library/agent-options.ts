import type { AgentHost } from '../agents/agent-tool';
import { inGroup, type OptionTable } from '../core/options/option-table';
import { booleanValue, stringList } from '../core/options/option-types';

/** What agents may do with a mock. */
export interface AgentOptions {
  /** May agents, at `/__standin/mcp`, change the mock, and write contracts below the working folder? Default: false. */
  readonly allowWrites?: boolean | undefined;
  /** Base URLs of services at which agents may run contracts; only safe methods unless they may write. Default: none. */
  readonly targets?: readonly string[] | undefined;
}

export const AGENT_OPTIONS: OptionTable<keyof AgentOptions> = inGroup('Agents', {
  allowWrites: {
    flag: '--allow-writes',
    doc: 'agents may change the mock, and write contracts below the working folder',
    type: booleanValue,
  },
  targets: {
    flag: '--target <url>',
    doc: 'base URL of a service at which agents may run contracts',
    type: stringList,
    isRepeated: true,
    default: 'none',
  },
});

/** What agents may: nothing but to read, unless that is said. */
export function agentRights({
  allowWrites = false,
  targets = [],
}: AgentOptions): Pick<AgentHost, 'mayWrite' | 'targets'> {
  return { mayWrite: allowWrites, targets };
}
