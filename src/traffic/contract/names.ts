import { counted } from '../../core/text/printable';
import { singularOf, wordsOf } from '../../core/text/inflection';

/** Gives names to what placeholders stand for, each another one. */
export class Names {
  private readonly used: Set<string>;

  constructor(taken: Iterable<string> = ['runId']) {
    this.used = new Set(taken);
  }

  /** @param stem - any text; what comes is letters, digits and underscores, and begins with a letter */
  free(stem: string): string {
    const plain = camelCase(stem);
    let name = plain;
    for (let number = 2; this.used.has(name); number++) name = `${plain}_${number}`;
    this.used.add(name);
    return name;
  }
}

/** `book-id` and `Book id` are `bookId`. */
export function camelCase(text: string): string {
  const words = wordsOf(text).filter((word) => /^[A-Za-z0-9]+$/.test(word));
  const name = words
    .map((word, index) => (index === 0 ? word : `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`))
    .join('');
  return /^[A-Za-z]/.test(name) ? name : `value${name}`;
}

/** `order items` for `orderItems`, in the singular. */
export function inWords(name: string): string {
  return wordsOf(singularOf(name)).join(' ');
}

/** `a book`, `an author`. */
export function withArticle(noun: string): string {
  return `${/^[aeio]|^u(?!ni|se|rl)/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Who could have given a value, of so many producers; of many not all are known. */
export function whoGave(count: number): string {
  if (count > 3) return 'several responses of different things';
  return count > 1 ? `${counted(count, 'response')} of different things` : 'a response of another thing';
}
