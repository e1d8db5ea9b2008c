import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { parseJson } from '../../core/json/parse-json';
import type { LiveEvents, RequestList } from '../../server/actions/shapes';
import { AdminFailure, callAdmin, errorDetails, fetchAdmin, isWithoutToken } from './client';
import {
  addRequests,
  connection,
  connectionError,
  loadOverview,
  loadOverviewSoon,
  noteAllChanges,
  noteChange,
  noteChangeSoon,
  noteRestart,
  requestLog,
} from './store';

/** How long it waits before it connects again: twice as long after each failure. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** Listens to the mock as long as the page is open. */
export async function stayConnected(): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    try {
      await listen(() => {
        pauseMs = FIRST_PAUSE_MS;
      });
      connection.value = 'lost';
    } catch (cause) {
      tellFailure(cause);
    }
    await pause(pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

function tellFailure(cause: unknown): void {
  const error = errorDetails(cause);
  const isRefused = cause instanceof AdminFailure && (error.status === 403 || error.status === 401);
  connectionError.value = isRefused ? error : undefined;
  connection.value = isRefused ? 'refused' : 'lost';
}

/** Ends early when the network or the person is back, or gives a token. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      document.removeEventListener('visibilitychange', end);
      stopWatching();
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
    document.addEventListener('visibilitychange', end);
    const before = isWithoutToken.value;
    const stopWatching = isWithoutToken.subscribe((now) => {
      if (before && !now) setTimeout(end);
    });
  });
}

/** Of the event that came last: what was missed since is told after it. */
let lastEventId: string | undefined;
let instance: string | undefined;

/** Ends when the mock ends the response. @throws AdminFailure when it does not answer */
async function listen(whenOpen: () => void): Promise<void> {
  const headers = {
    Accept: 'text/event-stream',
    ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
  };
  const { body } = await fetchAdmin('events', { headers });
  if (body === null) return;
  const parser = createParser({ onEvent: receive });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  whenOpen();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    parser.feed(value);
  }
}

function receive({ id, event, data }: EventSourceMessage): void {
  const value: unknown = parseJson(data);
  if (event === 'hello') welcome(value as LiveEvents['hello']);
  else if (event === 'requests') receiveRequests(value as LiveEvents['requests']);
  else if (event === 'change') receiveChange(value as LiveEvents['change']);
  if (id !== undefined) lastEventId = id;
}

function welcome(hello: LiveEvents['hello']): void {
  const isAnother = instance !== undefined && instance !== hello.instance;
  if (isAnother) noteRestart();
  if (isAnother || connection.value === 'lost') noteAllChanges();
  instance = hello.instance;
  connection.value = 'live';
  connectionError.value = undefined;
  void loadOverview();
  void catchUp();
}

function receiveChange({ what }: LiveEvents['change']): void {
  noteChange(what);
  loadOverviewSoon(50);
}

/** Live events wait while older requests are loaded, so that all come in their order. */
let isCatchingUp = false;
let isBehind = false;

function receiveRequests(list: RequestList): void {
  if (isCatchingUp) {
    isBehind = true;
    return;
  }
  if (list.dropped > 0) {
    void catchUp();
    return;
  }
  take(list);
}

/** Loads the requests that the page does not know yet. */
async function catchUp(): Promise<void> {
  isBehind = true;
  if (isCatchingUp) return;
  isCatchingUp = true;
  try {
    while (isBehind) {
      isBehind = false;
      while (take(await callAdmin<RequestList>('requests', { query: { after: requestLog.value.last, limit: 500 } })));
    }
  } catch {
    // Whoever cannot ask is not connected either: all of it is done again with the next connection.
  } finally {
    isCatchingUp = false;
  }
}

function take(list: RequestList): boolean {
  const isNew = addRequests(list);
  if (!isNew) return false;
  noteChangeSoon('requests', 1000);
  if (list.requests.some((entry) => entry.changes > 0)) noteChangeSoon('state', 250);
  loadOverviewSoon(list.requests.some((entry) => entry.forced !== null) ? 50 : 1000);
  return true;
}
