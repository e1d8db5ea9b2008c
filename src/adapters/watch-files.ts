import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type * as Chokidar from 'chokidar';

/** Editors write a file in several steps; they are one change when they are closer together than this. */
const QUIET_MS = 60;

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
 */
export function watchFiles(
  files: () => readonly string[],
  onChange: (changed: readonly string[]) => Promise<void>,
): Watching {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only by who watches
  const { watch } = require('chokidar') as typeof Chokidar;
  let watched = new Set<string>();
  let folders = new Set<string>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isBusy = false;

  const isOurs = (path: string): boolean => watched.has(path) || folders.has(dirname(path));
  const places = (): string[] => {
    const paths = files().map((file) => resolve(file));
    folders = new Set(paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true));
    watched = new Set(paths);
    // The folder, not the file: a file that another one takes the place of is lost to a watcher of its own.
    return [...new Set(paths.map((path) => (folders.has(path) ? path : dirname(path))))];
  };
  const run = async (): Promise<void> => {
    if (isBusy || changed.size === 0) return;
    isBusy = true;
    const paths = [...changed];
    changed.clear();
    try {
      await onChange(paths);
    } finally {
      isBusy = false;
    }
    watcher.add(places());
    if (changed.size > 0) schedule();
  };
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), QUIET_MS);
  };
  const watcher = watch(places(), {
    depth: 0,
    ignoreInitial: true,
    ignored: (path, stats) => stats?.isFile() === true && !isOurs(resolve(path)),
  });
  watcher.on('all', (_event, path) => {
    if (!isOurs(resolve(path))) return;
    changed.add(resolve(path));
    schedule();
  });
  return {
    ready: new Promise((resolve) => watcher.once('ready', resolve)),
    async stop() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
