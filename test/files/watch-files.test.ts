import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { watchFiles } from '../../src/cli/actions/watch';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/until';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder().path;
});

const countWatchers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'FSEventWrap').length;

test('a watcher that is stopped while a change is handled opens no folder afterwards', async () => {
  const before = countWatchers();
  const [file, later] = ['a', 'b'].map((name) => {
    mkdirSync(join(folder, name));
    return join(folder, name, 'api.yaml');
  }) as [string, string];
  writeFileSync(file, '1');
  writeFileSync(later, '1');
  let finish: () => void = () => undefined;
  const handled = new Promise<void>((resolve) => (finish = resolve));
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let files = [file];
  const watching = watchFiles(
    () => files,
    () => {
      // The description refers to a file in another folder now.
      files = [file, later];
      begin();
      return handled;
    },
  );
  await watching.ready;
  writeFileSync(file, '2');
  await begun;
  await watching.stop();
  finish();
  await handled;
  // A folder that is opened now is watched later than one that was opened before.
  mkdirSync(join(folder, 'c'));
  const next = watchFiles(
    () => [join(folder, 'c', 'api.yaml')],
    () => Promise.resolve(),
  );
  await next.ready;
  await watching.ready;
  expect(countWatchers()).toBe(before + 1);
  await next.stop();
});

test.each([
  { when: 'at once', waitsUntilGone: false },
  { when: 'after its removal was noticed', waitsUntilGone: true },
])('a folder that is created again $when is watched like the old one', async ({ waitsUntilGone }) => {
  const specs = join(folder, 'specs');
  const file = join(specs, 'a.yaml');
  const save = (text: string): void => {
    mkdirSync(specs, { recursive: true });
    writeFileSync(file, text);
  };
  save('1');
  const seen: string[] = [];
  const watching = watchFiles(
    () => [file],
    () => {
      seen.push(existsSync(file) ? readFileSync(file, 'utf8') : 'gone');
      return Promise.resolve();
    },
  );
  const isSeen = (text: string): Promise<unknown> => until(() => seen.at(-1) === text, `the change to ${text}`);
  await watching.ready;
  for (const text of ['2', '3']) {
    rmSync(specs, { recursive: true });
    if (waitsUntilGone) await isSeen('gone');
    save(text);
    await isSeen(text);
    await watching.ready;
    save(`${text} edited`);
    await isSeen(`${text} edited`);
  }
  await watching.stop();
});

test('a watcher that is stopped while its folder goes and comes back stays closed', async () => {
  await until(() => countWatchers() === 0, 'the end of the watchers of other tests');
  for (const [index, name] of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].entries()) {
    const specs = join(folder, name);
    const file = join(specs, 'api.yaml');
    mkdirSync(specs);
    writeFileSync(file, '1');
    let change: () => void = () => undefined;
    const changed = new Promise<void>((resolve) => (change = resolve));
    const watching = watchFiles(
      () => [file],
      () => {
        change();
        return Promise.resolve();
      },
    );
    await watching.ready;
    rmSync(specs, { recursive: true });
    // How far the watcher has come when the folder is back differs from round to round.
    for (let turns = 0; turns < index; turns++) await new Promise((resolve) => setImmediate(resolve));
    mkdirSync(specs);
    writeFileSync(file, '2');
    await changed;
    await watching.stop();
  }
  // What opens itself again does so before a change of another file is noticed.
  const file = join(folder, 'last.yaml');
  writeFileSync(file, '1');
  let notice: () => void = () => undefined;
  const noticed = new Promise<void>((resolve) => (notice = resolve));
  const last = watchFiles(
    () => [file],
    () => {
      notice();
      return Promise.resolve();
    },
  );
  await last.ready;
  writeFileSync(file, '2');
  await noticed;
  const count = countWatchers();
  await last.stop();
  // The file and its folder.
  expect(count).toBe(2);
});

test('a file that changes while its folder is not watched yet counts as changed', async () => {
  const [first, second] = ['a', 'b'].map((name) => join(folder, name, 'api.yaml')) as [string, string];
  for (const file of [first, second]) {
    mkdirSync(dirname(file));
    writeFileSync(file, '1');
  }
  let files = [first];
  const changed: string[] = [];
  const watching = watchFiles(
    () => files,
    (paths) => {
      if (files.length === 1) writeFileSync(second, '2');
      files = [first, second];
      changed.push(...paths);
      return Promise.resolve();
    },
  );
  await watching.ready;
  writeFileSync(first, '2');
  await until(() => changed.includes(second), 'the change of the second file');
  await watching.stop();
});

test('a path that cannot be watched is reported, and the other files are watched', async () => {
  const file = join(folder, 'a.yaml');
  writeFileSync(file, '1');
  symlinkSync('itself', join(folder, 'itself'));
  const faults: unknown[] = [];
  let change: () => void = () => undefined;
  const changed = new Promise<void>((resolve) => (change = resolve));
  const watching = watchFiles(
    () => [file],
    () => {
      change();
      return Promise.resolve();
    },
    (fault) => faults.push(fault),
  );
  await watching.ready;
  writeFileSync(file, '2');
  await changed;
  await watching.stop();
  expect(faults).toEqual([expect.objectContaining({ code: 'ELOOP' })]);
});
