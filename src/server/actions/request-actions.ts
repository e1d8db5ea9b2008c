import { problem } from '../../core/http/problem';
import { type Action, action, type ActionCall, NO_CONTENT, type Rejection, shown } from './action';
import type { FoundRequest } from './request-log';
import { sendRequest } from './send-request';

/** What one answer shows at the most. */
const MAX_REQUESTS = 1000;
const USUAL_REQUESTS = 200;

/** What was asked, and what it led to. */
export const REQUEST_ACTIONS: readonly Action[] = [
  action({
    name: 'journal',
    looksAtRequests: true,
    method: 'GET',
    path: '/journal',
    about: 'the latest requests with their responses and what they changed',
    input: {},
    library: 'journal',
    run: ({ controls }) => shown(controls.journal()),
  }),
  action({
    name: 'clearJournal',
    method: 'DELETE',
    path: '/journal',
    about: 'empties it',
    input: {},
    changes: 'requests',
    mayBeGone: true,
    run({ controls }) {
      controls.clearJournal();
      return NO_CONTENT;
    },
  }),
  action({
    name: 'requests',
    looksAtRequests: true,
    method: 'GET',
    path: '/requests',
    about:
      'the requests of all sandboxes, or of ?sandbox=b, as lines, oldest first: ?after=0&limit=200, or the newest: ?newest=true&before=9',
    input: {
      after: { in: 'query', type: 'integer', about: 'the number of the last request that is known already' },
      newest: {
        in: 'query',
        type: 'boolean',
        about: 'of more than limit the newest, where it is the oldest without it',
      },
      before: { in: 'query', type: 'integer', about: 'with newest: those before the request of this number' },
      limit: {
        in: 'query',
        type: 'integer',
        most: MAX_REQUESTS,
        about: `so many at the most, ${USUAL_REQUESTS} without it`,
      },
    },
    run({ target: { requests }, sandbox, input: { after = 0, newest = false, before, limit = USUAL_REQUESTS } }) {
      if (newest) return shown(requests.latest(after, before ?? Infinity, limit, sandbox));
      if (before === undefined) return shown(requests.oldest(after, limit, sandbox));
      return problem('invalid_parameter', 'before was given without newest=true: after says where the oldest begin');
    },
  }),
  action({
    name: 'request',
    looksAtRequests: true,
    method: 'GET',
    path: '/request',
    about: 'one of them with its response, what it changed, and how to send it again: ?seq=7',
    input: { seq: { in: 'query', type: 'integer', about: 'its number', required: true, example: '7' } },
    run({ target, address, input: { seq } }) {
      const found = target.requests.find(seq);
      return found === undefined ? notRemembered(seq) : shown(target.requests.details(found, address));
    },
  }),
  action({
    name: 'why',
    looksAtRequests: true,
    method: 'GET',
    path: '/why',
    about: 'why one of them got its response, and how to get another one: ?seq=7',
    input: { seq: { in: 'query', type: 'integer', about: 'its number', required: true, example: '7' } },
    async run({ target, input: { seq } }) {
      const found = target.requests.find(seq);
      return found === undefined ? notRemembered(seq) : shown({ sections: await target.why(found) });
    },
  }),
  action({
    name: 'send',
    looksAtRequests: true,
    isOutOfTurn: true,
    method: 'POST',
    path: '/send',
    about: 'sends a request to the mock: {"method":"GET","target":"/books","headers":["Accept","application/json"]}',
    input: {
      method: { in: 'body', type: 'name', about: 'its method', required: true },
      target: { in: 'body', type: 'name', about: 'its path and query', required: true },
      headers: { in: 'body', type: 'strings', about: 'names and values by turns' },
      body: { in: 'body', type: 'string', about: 'the text of its body', isNullable: true },
      like: { in: 'body', type: 'integer', about: 'the number of a request whose secrets replace their masks' },
    },
    // The request itself is told like any other.
    changes: 'state',
    async run({ target, address, input: { method, target: path, headers = [], body, like } }) {
      const pattern = patternOf({ target, address }, like);
      if (pattern !== undefined && 'code' in pattern) return pattern;
      const written = { method, target: path, headers, body };
      const host = new URL(address).host;
      const sent = await sendRequest(target.engine(), target.requests, written, pattern, host);
      return 'code' in sent ? sent : shown(sent);
    },
  }),
  action({
    name: 'contract',
    looksAtRequests: true,
    method: 'POST',
    path: '/contract',
    about:
      'a contract of requests that are remembered, as YAML, and what is to be known of it: {"requests":[7,8,9]}; without them all of this state',
    input: {
      requests: {
        in: 'body',
        type: 'integers',
        about: 'their numbers; all of the state when left out',
        example: '[7,8]',
      },
      file: { in: 'body', type: 'name', about: 'what it will be called: contracts/shop.yaml' },
    },
    library: 'contract',
    changes: [],
    run: ({ controls, address, input: { requests, file } }) =>
      shown(controls.contract({ requests, file, baseUrl: address })),
  }),
  action({
    name: 'stopRecording',
    isOutOfTurn: true,
    method: 'POST',
    path: '/stop-recording',
    about: 'ends what --record began, writes the contract, and says what became of it',
    input: {},
    library: 'stopRecording',
    changes: [],
    run: async ({ target }) => {
      const stopped = await target.stopRecording();
      return shown({ ...stopped, contract: stopped.contract ?? null });
    },
  }),
  action({
    name: 'events',
    looksAtRequests: true,
    isOutOfTurn: true,
    method: 'GET',
    path: '/events',
    about: 'what happens, as server-sent events; Last-Event-ID takes them up again',
    input: {},
    run: ({ target: { events }, lastEventId, sandbox }) =>
      events.refusal() ?? { status: 200, stream: (sink) => events.listen(sink, lastEventId, sandbox) },
  }),
];

function notRemembered(seq: number): Rejection {
  return problem('resource_not_found', `The request ${seq} is not remembered: it had to make room, or never was`);
}

function patternOf(
  { target: { requests }, address }: Pick<ActionCall, 'target' | 'address'>,
  seq: number | undefined,
): { readonly found: FoundRequest; readonly shown: ReturnType<typeof requests.details> } | Rejection | undefined {
  if (seq === undefined) return undefined;
  const found = requests.find(seq);
  return found === undefined ? notRemembered(seq) : { found, shown: requests.details(found, address) };
}
