import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type * as Chokidar from 'chokidar';

/** Editors write a file in several steps; they are one change when they are closer together than this. */
const QUIET_MS = 60;

/** A folder that is watched anew is read by then; what changed before that, no watcher tells. */
const SETTLED_MS = 1000;
/** Times of files are as coarse as the ticks of a kernel. */
const TICK_MS = 10;

/** Files that are being watched. */
export interface Watching {
  /** From here on no change is missed. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
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
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only by who watches
  const { watch } = require('chokidar') as typeof Chokidar;
  let watched = new Set<string>();
  let folders = new Set<string>();
  /** Folders that are not there and have to be, before a file in them is. */
  let missing = new Set<string>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let settling: NodeJS.Timeout | undefined;
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
    // A watcher that is closed would open again.
    if (isStopped) return;
    watchMore(startedAt);
    if (changed.size > 0) schedule();
  };
  /** One that is watched already is not read again: what is new in it just now would not count as a change. */
  const watchMore = (startedAt: number): void => {
    const more = places().filter((place) => known.get(place) !== identityOf(place));
    if (more.length === 0) return;
    for (const place of more) {
      // Another folder of the same name: the watcher may still hold on to the one that is gone.
      if (known.has(place)) watcher.unwatch(place);
      known.set(place, identityOf(place));
      watcher.add(place);
    }
    clearTimeout(settling);
    settling = setTimeout(() => {
      for (const path of watched) {
        const { ctimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
        if (ctimeMs > startedAt - TICK_MS) changed.add(path);
      }
      if (changed.size > 0) schedule();
    }, SETTLED_MS);
  };
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), QUIET_MS);
  };
  const known = new Map(places().map((place) => [place, identityOf(place)]));
  const watcher = watch([...known.keys()], {
    depth: 0,
    ignoreInitial: true,
    ignored: (path, stats) => stats?.isFile() === true && !isOurs(resolve(path)),
  });
  watcher.on('all', (event, path) => {
    const isLost = event === 'unlinkDir' && known.delete(resolve(path));
    if (!isLost && !isOurs(resolve(path))) return;
    changed.add(resolve(path));
    schedule();
  });
  // Without a listener it would end the process.
  watcher.on('error', onFault);
  return {
    ready: new Promise((resolve) => watcher.once('ready', resolve)),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      clearTimeout(settling);
      await watcher.close();
    },
  };
}

/** Tells a folder from another one that takes its place; a file system gives out the number of one that is gone again. */
function identityOf(folder: string): string {
  const { ino, birthtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? {};
  return `${ino ?? ''} ${birthtimeMs ?? ''}`;
}
