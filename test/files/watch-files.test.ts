import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchFiles } from '../../src/cli/actions/watch';
import { temporaryFolder } from '../support/temporary-folder';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder().path;
});

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const watchers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'FSEventWrap').length;

test('a change that is being taken in does not open a watcher again that was stopped meanwhile', async () => {
  const before = watchers();
  const file = join(folder, 'a.yaml');
  writeFileSync(file, '1');
  let finish: () => void = () => undefined;
  const taken = new Promise<void>((resolve) => (finish = resolve));
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const watching = watchFiles(
    () => [file],
    () => {
      begin();
      return taken;
    },
  );
  await watching.ready;
  writeFileSync(file, '2');
  await begun;
  await watching.stop();
  finish();
  await taken;
  // What would open it again runs within this turn and the next.
  await sleep(200);
  expect(watchers()).toBe(before);
});

test.each([0, 500])('a folder that is made anew, after %i ms, is watched as the old one was', async (pause) => {
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
  await watching.ready;
  for (const text of ['2', '3']) {
    rmSync(specs, { recursive: true });
    await sleep(pause);
    save(text);
    while (seen.at(-1) !== text) await sleep(20);
    // Whoever watches has to know the new folder by now.
    await sleep(1500);
    save(`${text} edited`);
    while (seen.at(-1) !== `${text} edited`) await sleep(20);
  }
  await watching.stop();
});

test('what cannot be watched is told, and the rest is watched all the same', async () => {
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
