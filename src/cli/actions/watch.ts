import { statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type * as Chokidar from 'chokidar';
import { formatStandinError, messageOf, stackOf, StandinError } from '../../core/errors/standin-error';
import { counted, printable } from '../../core/text/printable';
import type { Reloaded, ServerParts } from '../../library/create-mock-server';
import { logWarnings, requestFacts, type RequestLog } from './request-log';

/** More items than this are counted, not listed. */
const MAX_LISTED = 20;

/** Puts what changed behind the running mock; what cannot be used is reported, and the mock stays as it is. */
export function watchMock(parts: ServerParts, log: RequestLog): Watching {
  let known: ReadonlySet<string> = new Set();
  const onChange = async (changed: readonly string[]): Promise<void> => {
    const names = changed.map((file) => relative('', file)).join(', ');
    const startedAt = performance.now();
    try {
      const reloaded = await parts.reload();
      const ms = Math.round(performance.now() - startedAt);
      log.describe(requestFacts(parts.mock.context.mounts));
      log.notice(`reloaded ${printable(names)} in ${ms} ms`, { files: changed, ms });
      logWarnings(reloaded.warnings, log);
      known = warnAboutItems(reloaded, known, log);
    } catch (error) {
      const why = error instanceof StandinError ? formatStandinError(error) : stackOf(error);
      const text = `not reloaded, the mock goes on as it was: ${printable(names)}\n${why}`;
      log.alert(text, { files: changed, reason: why });
    }
  };
  return watchFiles(parts.files, onChange, (fault) => {
    const reason = messageOf(fault);
    log.alert(printable(`cannot be watched: ${reason}`), { reason });
  });
}

/**
 * Tells what does not fit any more; what was told at the reload before this one, in the same words, is not told again.
 *
 * @param known - what did not fit then
 * @returns what does not fit now
 */
function warnAboutItems(
  { nonconforming, removedCollections, removedResponses }: Reloaded,
  known: ReadonlySet<string>,
  log: RequestLog,
): Set<string> {
  const told = new Set<string>();
  const isNew = (text: string): boolean => {
    told.add(text);
    return !known.has(text);
  };
  for (const path of removedCollections) {
    const text = `the description has no collection ${path} any more; its items are kept, and shown in the state`;
    if (isNew(text)) log.alert(printable(text), { collection: path });
  }
  for (const { operation, sandbox, text, message } of removedResponses) {
    log.alert(printable(`the response that was forced on ${operation} is gone (${text}): ${message}`), {
      operation,
      sandbox,
    });
  }
  const fresh = nonconforming
    .map((misfit) => {
      const { sandbox, collection, key, message } = misfit;
      const where = sandbox === undefined ? '' : ` (sandbox ${sandbox})`;
      const text = `${collection}/${key}${where} does not fit any more, and is kept: ${message}`;
      return { text, facts: { ...misfit } };
    })
    .filter(({ text }) => isNew(text));
  for (const { text, facts } of fresh.slice(0, MAX_LISTED)) log.alert(printable(text), facts);
  const more = fresh.length - MAX_LISTED;
  if (more > 0) log.alert(`… and ${counted(more, 'item')} more that do not fit`, { more });
  return told;
}

/** Editors write a file in several steps; they are one change when they are closer together than this. */
const QUIET_MS = 60;

/** The time stamps of files are only as precise as the clock ticks of the kernel. */
const TICK_MS = 10;

/** Files that are being watched. */
interface Watching {
  /** Resolves when every folder is watched that is to be watched now: no change is missed from then on. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

/** A folder that is being watched. */
interface WatchedFolder {
  readonly identity: string;
  /** Resolves when changes are noticed, or when the folder is not watched any more. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/**
 * Calls back when files change, one call at a time: what changes meanwhile leads to another call. A file that is saved
 * by renaming another one over it counts as changed too.
 *
 * @param files - files, and folders whose files count; asked again after each call
 * @param onChange - with the paths that changed
 * @param onFault - with what cannot be watched; the rest is watched all the same
 */
export function watchFiles(
  files: () => readonly string[],
  onChange: (changed: readonly string[]) => Promise<void>,
  onFault: (fault: unknown) => void = () => undefined,
): Watching {
  // oxlint-disable-next-line typescript/no-require-imports -- loaded only by who watches
  const { watch } = require('chokidar') as typeof Chokidar;
  let watched = new Set<string>();
  let folders = new Set<string>();
  /** Folders that are not there and have to be, before a file in them is. */
  let missing = new Set<string>();
  const open = new Map<string, WatchedFolder>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isBusy = false;
  let isStopped = false;

  const isOurs = (path: string): boolean => watched.has(path) || folders.has(dirname(path)) || missing.has(path);
  const watchable = (folder: string): string => {
    if (statSync(folder, { throwIfNoEntry: false }) !== undefined || dirname(folder) === folder) return folder;
    missing.add(folder);
    return watchable(dirname(folder));
  };
  const places = (): string[] => {
    const paths = files().map((file) => resolve(file));
    folders = new Set(paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true));
    watched = new Set(paths);
    missing = new Set();
    // The folder, not the file: a file that another one takes the place of is lost to a watcher of its own.
    return [...new Set(paths.map((path) => (folders.has(path) ? path : watchable(dirname(path)))))];
  };
  const run = async (): Promise<void> => {
    if (isBusy || changed.size === 0) return;
    isBusy = true;
    const startedAt = Date.now();
    const paths = [...changed];
    changed.clear();
    try {
      await onChange(paths);
    } finally {
      isBusy = false;
    }
    if (isStopped) return;
    openFolders(startedAt);
    if (changed.size > 0) schedule();
  };
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), QUIET_MS);
  };
  /**
   * Watches the folders that are not watched yet.
   *
   * @param since - files that changed at this time or later, before their folder was watched, count as changed
   */
  const openFolders = (since?: number): void => {
    const added = places().filter((place) => open.get(place)?.identity !== identityOf(place));
    for (const place of added) {
      // Another folder of the same name: its watcher may still hold on to the one that is gone.
      void open.get(place)?.close();
      open.set(place, openFolder(place));
    }
    if (added.length === 0 || since === undefined) return;
    void Promise.all(added.map((place) => open.get(place)?.ready ?? Promise.resolve())).then(() => {
      if (!isStopped) addChangedSince(since);
    });
  };
  const openFolder = (place: string): WatchedFolder => {
    const identity = identityOf(place);
    const watcher = watch(place, {
      depth: 0,
      ignoreInitial: true,
      ignored: (path, stats) => stats?.isFile() === true && !isOurs(resolve(path)),
    });
    watcher.on('all', (event, path) => {
      const removed = event === 'unlinkDir' ? open.get(resolve(path)) : undefined;
      if (removed === undefined && !isOurs(resolve(path))) return;
      if (removed !== undefined) {
        open.delete(resolve(path));
        void removed.close();
      }
      changed.add(resolve(path));
      schedule();
    });
    // Without a listener it would end the process.
    watcher.on('error', onFault);
    let setReady: () => void = () => undefined;
    const ready = new Promise<void>((resolveReady) => (setReady = resolveReady));
    watcher.once('ready', setReady);
    return {
      identity,
      ready,
      close() {
        setReady();
        // A closed watcher of chokidar 4 opens itself again where its folder is gone and comes back.
        watcher.add = () => watcher;
        return watcher.close();
      },
    };
  };
  const addChangedSince = (since: number): void => {
    for (const path of watched) {
      const { ctimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
      if (ctimeMs > since - TICK_MS) changed.add(path);
    }
    if (changed.size > 0) schedule();
  };

  openFolders();
  return {
    get ready() {
      return Promise.all([...open.values()].map((folder) => folder.ready)).then(() => undefined);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await Promise.all([...open.values()].map((folder) => folder.close()));
    },
  };
}

/** Tells a folder from another one that takes its place; a file system gives out the number of one that is gone again. */
function identityOf(folder: string): string {
  const { ino, birthtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? {};
  return `${ino ?? ''} ${birthtimeMs ?? ''}`;
}
