import { getOrCreate } from '../../core/text/memoize';
import type { Producer } from './producers';

/** Of one kind so many are kept, and the latest beside them. */
const MOST_EARLY = 3;

/**
 * Who gave a value so far. What every response shows, such as a header that is always the same, is given over and over by
 * the same place of the same operation: of those only the first ones and the latest are ever chosen, and only they are kept.
 */
export class GivenValues {
  private readonly byText = new Map<string, Map<string, Producer[]>>();

  add(producer: Producer): void {
    const kinds = getOrCreate(this.byText, producer.text, () => new Map<string, Producer[]>());
    const { resource, nearness, isText, place, names, call } = producer;
    // Where no operation is known, one place may be called by other names in another path.
    const kind = JSON.stringify([call.operation?.id, resource, nearness, isText, place, ...names]);
    const same = getOrCreate(kinds, kind, () => []);
    // In a long list the first place is as good as the last.
    if (same.at(-1)?.call === call && same.length >= MOST_EARLY) return;
    if (same.length > MOST_EARLY) same.pop();
    same.push(producer);
  }

  /** In the order of the calls. */
  of(text: string): Producer[] {
    const kinds = this.byText.get(text);
    return kinds === undefined
      ? []
      : [...kinds.values()].flat().sort((one, other) => one.call.index - other.call.index);
  }
}
