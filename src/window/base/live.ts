import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { parseJson } from '../../core/json/parse-json';
import type { LiveEvents, RequestList } from '../../server/actions/shapes';
import { AdminFailure, callAdmin, errorDetails, fetchAdmin, isWithoutToken, tokenQuestion } from './client';
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
  replaceRequests,
  requestLog,
} from './store';

/** How long it waits before it connects again: twice as long after each failure. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** Listens to the mock as long as the page is open. */
export async function stayConnected(): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  // Asked for at once and not only when it listens: the first view is there sooner.
  void loadOverview();
  void catchUp();
  for (;;) {
    try {
      await listen(() => {
        pauseMs = FIRST_PAUSE_MS;
      });
      connection.value = 'lost';
    } catch (cause) {
      tellFailure(cause);
    }
    await (document.hidden ? whenSeen() : pause(pauseMs));
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

function tellFailure(cause: unknown): void {
  const error = errorDetails(cause);
  const isRefused = cause instanceof AdminFailure && error.status > 0;
  connectionError.value = isRefused ? error : undefined;
  connection.value = isRefused ? 'refused' : 'lost';
}

function whenSeen(): Promise<void> {
  return new Promise((resolve) => {
    document.addEventListener(
      'visibilitychange',
      () => {
        resolve();
      },
      { once: true },
    );
  });
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

/** A page that nobody sees gives its connection back: browsers have six to a host, and the client needs some. */
const HIDDEN_FOR_MS = 60_000;

/** @returns stops watching */
function whenHidden(leave: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(leave, HIDDEN_FOR_MS);
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
  };
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
  const abort = new AbortController();
  const leave = (): void => {
    abort.abort();
  };
  const stopWatching = whenHidden(leave);
  const silence = whenSilent(leave);
  try {
    const { body } = await fetchAdmin('events', { headers, signal: abort.signal });
    whenOpen();
    if (body !== null) await readEvents(body, silence.heard);
  } finally {
    stopWatching();
    silence.stop();
  }
}

/** The mock says that it is there more than twice in that time. */
const LONGEST_SILENCE_MS = 40_000;

/** A connection whose other end is gone without a word looks like one on which nothing happens. */
function whenSilent(leave: () => void): { readonly heard: () => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(timer);
  };
  const heard = (): void => {
    stop();
    // While a person is asked for the token, nothing is to be heard.
    timer = setTimeout(() => {
      if (tokenQuestion.value === undefined) leave();
      else heard();
    }, LONGEST_SILENCE_MS);
  };
  heard();
  return { heard, stop };
}

async function readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>, heard: () => void): Promise<void> {
  const parser = createParser({ onEvent: receive });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
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
  if (what === 'requests') void catchUp({ fromStart: true });
}

/** Live events wait while older requests are loaded, so that all come in their order. */
let isCatchingUp = false;
/** What is loaded when the present loading has ended: what came since, or all of it, because some were forgotten. */
let wanted: 'nothing' | 'rest' | 'all' = 'nothing';

function receiveRequests(list: RequestList): void {
  if (isCatchingUp || list.dropped > 0) void catchUp();
  else take(list);
}

/** Loads the requests that the page does not know yet. */
async function catchUp({ fromStart = false } = {}): Promise<void> {
  if (fromStart) wanted = 'all';
  else if (wanted === 'nothing') wanted = 'rest';
  if (isCatchingUp) return;
  isCatchingUp = true;
  try {
    // It changes while it is waited here.
    for (let next: string = wanted; next !== 'nothing'; next = wanted) {
      wanted = 'nothing';
      if (next === 'all') replaceRequests(await allRequests());
      else while (take(await requestsAfter(requestLog.value.last)));
    }
  } catch {
    // Whoever cannot ask is not connected either: all of it is done again with the next connection.
  } finally {
    isCatchingUp = false;
  }
}

function requestsAfter(after: number): Promise<RequestList> {
  return callAdmin<RequestList>('requests', { query: { after, limit: 500 } });
}

async function allRequests(): Promise<RequestList[]> {
  const lists: RequestList[] = [];
  for (let after = 0; ;) {
    const list = await requestsAfter(after);
    lists.push(list);
    if (list.requests.length === 0 || list.last === after) return lists;
    after = list.last;
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
