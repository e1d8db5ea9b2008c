import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { parseJson } from '../../core/json/parse-json';
import type { LiveEvents, RequestList } from '../../server/actions/shapes';
import { AdminFailure, callAdmin, errorDetails, fetchAdmin, isWithoutToken, tokenQuestion } from './client';
import {
  addRequests,
  connection,
  connectionError,
  forgetRequests,
  loadOverview,
  loadOverviewSoon,
  MOST_ENTRIES,
  noteAllChanges,
  noteChange,
  noteChangeSoon,
  noteLoading,
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
  if (isAnother) {
    forget();
    forgetRequests();
    noteRestart();
  }
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
  if (what !== 'requests') return;
  forget();
  void catchUp();
}

/** So many are loaded at once, at first what is in sight. */
const FIRST_PAGE = 100;
const PAGE = 500;
/** Requests that come too fast for the page are left out until so long after the last of them. */
const CALM_MS = 1000;

let whenCalm: ReturnType<typeof setTimeout> | undefined;
/** `seq` of the last request before the first that the page may not have. */
let gapAfter: number | undefined;

/** What the page knows is whole up to here; live events go on behind it. */
function noteGap(): number {
  gapAfter = Math.min(gapAfter ?? Infinity, isStale ? 0 : requestLog.value.last);
  return gapAfter;
}

function receiveRequests(list: RequestList): void {
  if (list.dropped > 0) catchUpWhenCalm();
  take(list);
}

/** To ask a mock that is under load would slow it down, for requests that nobody can read as they come. */
function catchUpWhenCalm(): void {
  noteGap();
  noteLoading(true);
  clearTimeout(whenCalm);
  whenCalm = setTimeout(() => void catchUp(), CALM_MS);
}

/** Is it loading, and has something been said meanwhile that makes it look again? */
let loading: 'no' | 'yes' | 'again' = 'no';
/** What was asked for before the page was told to forget is not taken any more. */
let forgettings = 0;
/** The entries are to be forgotten; they stay in sight until there is something in their place. */
let isStale = false;

/** Loads the requests that the page does not know yet. */
async function catchUp(): Promise<void> {
  noteGap();
  if (loading !== 'no') {
    loading = 'again';
    return;
  }
  noteLoading(true);
  do {
    loading = 'yes';
    const after = noteGap();
    gapAfter = undefined;
    if (!(await loadAfter(after))) gapAfter = Math.min(after, noteGap());
    // It changes while it is waited here.
  } while ((loading as string) === 'again');
  loading = 'no';
  noteLoading(gapAfter !== undefined);
}

/**
 * The newest first: they are what is looked at. They are drawn before the others come.
 *
 * @returns `false` where it could not ask: it is done again, from there on, with the next connection
 */
async function loadAfter(after: number): Promise<boolean> {
  const asked = forgettings;
  try {
    for (let before: number | undefined, limit = FIRST_PAGE; ; limit = PAGE) {
      const query = { newest: true, limit, after, before };
      const list = await callAdmin<RequestList>('requests', { query });
      if (asked !== forgettings) return true;
      if (isStale) replaceRequests(list);
      isStale = false;
      // What an older page says of the latest request is not what the page has.
      take(before === undefined ? list : { ...list, last: 0 });
      before = list.requests[0]?.seq;
      if (before === undefined || list.requests.length < limit || isBeyond(before)) return true;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } catch {
    return asked !== forgettings;
  }
}

/** Would the page cut off what is before a request, because it keeps so many that came later? */
function isBeyond(seq: number): boolean {
  return (requestLog.value.entries.at(-MOST_ENTRIES)?.seq ?? 0) >= seq;
}

/** What the mock forgot goes; all it remembers is loaded anew. */
function forget(): void {
  forgettings += 1;
  gapAfter = undefined;
  isStale = true;
}

function take(list: RequestList): void {
  const fresh = addRequests(list);
  if (fresh.length === 0) return;
  noteChangeSoon('requests', 1000);
  if (fresh.some((entry) => entry.changes > 0)) noteChangeSoon('state', 250);
  loadOverviewSoon(fresh.some((entry) => entry.forced !== null) ? 50 : 1000);
}
