import { createHash } from 'node:crypto';
import { pathKey } from './path-names';

/**
 * What a service had before the run wrote anything beside it. It is somebody else's, whatever it holds later: a request
 * that changes many rows writes the id of the run into all of them.
 */
export class KnownRows {
  private readonly digests = new Set<string>();
  /** Lists that were read before the first write to them, and whether to their end. */
  private readonly lists = new Map<string, boolean>();
  /** Lists that showed something of the run. */
  private readonly telling = new Set<string>();

  /** Something stands at a path, and the run did not put it there. */
  add(item: string): void {
    this.digests.add(digestOfPath(item));
  }

  has(item: string): boolean {
    return this.digests.has(digestOfPath(item));
  }

  /** @param digests - of the paths of the rows that a list showed, as {@link digestOfPath} makes them */
  addList(list: string, digests: readonly string[], isComplete: boolean): void {
    for (const digest of digests) this.digests.add(digest);
    this.lists.set(list, isComplete);
  }

  /** Was a list read to its end before the first write? */
  isWhole(list: string | undefined): boolean {
    return list !== undefined && this.lists.get(list) === true;
  }

  /** A list shows something that the run made. */
  noteTelling(list: string): void {
    this.telling.add(list);
  }

  /** Did a list that was whole before show something of the run since? Only then does it say what there is not. */
  isTelling(list: string | undefined): boolean {
    return list !== undefined && this.isWhole(list) && this.telling.has(list);
  }

  /** Is a row that a list shows now one that came to be since the first write of the run? */
  isNew(item: string, list: string | undefined): boolean {
    return this.isWhole(list) && !this.has(item);
  }
}

/** The beginning of a digest: ledgers say which rows were there, without their names. */
export function digestOfPath(item: string): string {
  return createHash('sha256').update(pathKey(item)).digest('hex').slice(0, 12);
}
