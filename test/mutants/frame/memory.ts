import { textOf } from '../json';
import type { Answer } from '../message';
import { editData, editMeta, itemsOf, type Row, withList } from './envelope';

const keyOf = ({ id, handle, slug }: Row): string => textOf(id ?? handle ?? slug);

/** Resources that look different from what the server keeps, or are in no list. */
export class Memory {
  private readonly changes = new Map<string, (row: Row) => Row>();
  private readonly hidden = new Set<string>();

  change(key: string, change: (row: Row) => Row): void {
    this.changes.set(key, change);
  }

  hide(key: string): void {
    this.hidden.add(key);
  }

  show(answer: Answer): Answer {
    const changed = editData(answer, (row) => this.changes.get(keyOf(row))?.(row) ?? row);
    const items = itemsOf(changed);
    const left = items.filter((row) => !this.hidden.has(keyOf(row)));
    const gone = items.length - left.length;
    if (gone === 0) return changed;
    return editMeta(withList(changed, left), (meta) =>
      meta.total === undefined ? meta : { ...meta, total: Number(meta.total) - gone },
    );
  }
}
