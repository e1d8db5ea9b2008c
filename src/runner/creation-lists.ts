import type { Creation } from './creation';

/** What was removed, each place once: the last creation there. A place that was used again is not among them. */
export function removedOf(all: readonly Creation[]): Creation[] {
  const last = new Map(
    all.flatMap((creation) => (creation.item === undefined ? [] : [[creation.item, creation] as const])),
  );
  return [...last.values()].filter(({ state }) => state === 'removed');
}

/**
 * Every creation by POST, whatever became of it; none of a collection where the id of the run may have been written
 * into something of somebody else's, and nobody knows into which.
 */
export function postsOf(all: readonly Creation[]): Creation[] {
  const unclear = all.filter(({ mayBeOthers, perhaps }) => mayBeOthers === true && perhaps === undefined);
  const paths = new Set(unclear.map(({ path }) => path));
  return all.filter(({ operation, path }) => operation.method === 'POST' && !paths.has(path));
}

/** Is there something whose creation, by a certain step or by any, was answered with a value that was captured? */
export function hasGiven(all: readonly Creation[], value: string, step: string | undefined): boolean {
  const there = all.filter((creation) => creation.state === 'there' && (step === undefined || creation.step === step));
  return there.some(({ given = [] }) => given.includes(value));
}
