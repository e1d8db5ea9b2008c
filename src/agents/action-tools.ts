import { type Action, NO_CONTENT } from '../server/actions/action';
import { ADMIN_ACTIONS } from '../server/actions/registry';
import { performAction } from '../server/perform-action';
import { type AgentTool, Refused } from './agent-tool';

/** How an action is shown to an agent. */
interface ShownAction {
  readonly tool: string;
  /** In place of what the list of routes says, where that speaks of queries. */
  readonly about?: string;
}

/** Actions of the table that are tools, by name. The others are for pages and probes, or are done by a tool that does more. */
const SHOWN: Readonly<Record<string, ShownAction>> = {
  overview: { tool: 'overview' },
  requests: {
    tool: 'list_requests',
    about:
      'The requests that the mock answered, oldest first, each with its number (seq), status and code. newest=true with a limit shows the latest.',
  },
  request: {
    tool: 'show_request',
    about: 'One request with its response, what it changed, and how to send it again, by its number (seq).',
  },
  why: {
    tool: 'explain_response',
    about:
      'Why one request got its response, and how to get another one, by its number (seq). Use it when a response was a surprise.',
  },
  collections: {
    tool: 'list_collections',
    about: 'What is stored: every collection with its columns and how many items it has.',
  },
  rows: {
    tool: 'list_items',
    about: 'The items of a collection, in pages, with their versions. collection is the path, such as /books.',
  },
  diff: { tool: 'compare_state', about: 'What changed in the state since the start, or since a snapshot.' },
  snapshots: { tool: 'list_snapshots', about: 'The names of the snapshots.' },
  responses: { tool: 'list_forced_responses', about: 'The responses that are forced on operations.' },
  faults: { tool: 'list_faults', about: 'The faults that are injected.' },
  deliveries: {
    tool: 'list_events',
    about: 'Callbacks and webhooks that were sent or are on their way, with each try.',
  },
  sample: {
    tool: 'sample_response',
    about: 'A body that an operation would answer, made of its schema or an example.',
  },
  contract: {
    tool: 'contract_of_requests',
    about: 'A contract, as YAML, made of requests that the mock remembers: their numbers, or all. Nothing is written.',
  },
  tokenFor: {
    tool: 'token_for',
    about:
      'An access token of the issuer beside the API, for a user and scopes; only where the mock was started with --issuer.',
  },
  respond: {
    tool: 'set_next_response',
    about:
      'Forces what an operation answers next: a status, an example, a body, a delay in milliseconds or a fault, once (times: 1), some times, or until it is cleared. What the description does not document needs violates: true.',
  },
  clearResponses: {
    tool: 'clear_forced_responses',
    about: 'Operations answer by themselves again: all of them, or one.',
  },
  setFaults: {
    tool: 'set_faults',
    about: 'Injects faults in place of those before, such as status:503;for=30s or latency:200ms.',
  },
  clearFaults: { tool: 'clear_faults', about: 'Injects no faults any more.' },
  putRow: {
    tool: 'put_item',
    about:
      'Stores an item in a collection; version, as list_items shows it, refuses one that somebody changed meanwhile.',
  },
  patchRow: {
    tool: 'patch_item',
    about:
      'Changes properties of a stored item; version, as list_items shows it, refuses one that somebody changed meanwhile.',
  },
  removeRow: { tool: 'remove_item', about: 'Removes a stored item.' },
  load: { tool: 'load_state', about: 'Replaces all that is stored by a fixture document.' },
  reset: { tool: 'reset_state', about: 'Back to what the mock began with; the list of requests begins anew.' },
  undo: { tool: 'undo', about: 'Takes back the last change of the state; again, the one before.' },
  snapshot: { tool: 'save_snapshot', about: 'Stores the state under a name.' },
  restore: { tool: 'restore_snapshot', about: 'Brings a snapshot back.' },
  setClock: { tool: 'set_clock', about: 'Sets the time of the mock; null for the real one.' },
  createSandbox: {
    tool: 'create_sandbox',
    about: 'A state of its own, made of the start, another sandbox or a snapshot.',
  },
  removeSandboxes: { tool: 'remove_sandbox', about: 'Deletes the sandbox that is named, or all of them.' },
  sendAgain: { tool: 'send_event_again', about: 'Sends a callback or webhook again, under the same id.' },
  setEventFaults: {
    tool: 'set_event_faults',
    about: 'What goes wrong with events on their way: twice, late:30s, out-of-order, wrong-signature.',
  },
};

/** Actions that read, although they are no GET. */
const READING: ReadonlySet<string> = new Set(['contract', 'tokenFor']);

/** The tools that are actions of the table. */
export const ACTION_TOOLS: readonly AgentTool[] = Object.entries(SHOWN).map(([name, shown]) => {
  const action = ADMIN_ACTIONS.find((each) => each.name === name);
  if (action === undefined) throw new Error(`The table of actions has no ${name}`);
  return actionTool(action, shown);
});

function actionTool(action: Action, { tool: name, about = action.about }: ShownAction): AgentTool {
  return {
    name,
    about,
    input: action.input,
    effect: action.method === 'GET' || READING.has(action.name) ? 'reads' : 'changes',
    async run(host, values, sandbox) {
      const facts = { address: host.address, lastEventId: undefined };
      const result = await performAction(action, host.server, facts, () => ({ sandbox, input: values }));
      if ('code' in result) return new Refused(result);
      if ('stream' in result || result === NO_CONTENT || result.value === undefined) return { done: true };
      return result.value;
    },
  };
}
