import { type DeclaredSecret, SECRET_MARK, secretMark } from '../exchange/recorded-exchange';

/**
 * Stands for what a file takes from elsewhere: `$TOKEN` of a shell, a variable of a collection without a value. Most of
 * these are credentials, and none may be guessed: they are secrets from the beginning, and a contract takes them from the
 * environment.
 */
export class VariableMarks {
  private readonly names = new Map<string, string>();
  private readonly values = new Map<string, string>();

  /** What was asked for, as the file has it, in the order in which it was met. */
  get asked(): readonly string[] {
    return [...this.names.keys()].filter((name) => !this.values.has(name));
  }

  /** Secrets whose values the file has, by their marks. */
  get declared(): readonly DeclaredSecret[] {
    return [...this.values].map(([name, value]) => ({ name: this.names.get(name) ?? name, value }));
  }

  /** The mark of what the file calls secret; a text in which a mark stands already is none of its values. */
  markOfSecret(name: string, value: string): string {
    if (value === '' || value.search(SECRET_MARK) !== -1) return value;
    // One that has another value elsewhere has another mark.
    let own = name;
    for (let number = 2; (this.values.get(own) ?? value) !== value; number++) own = `${name}_${number}`;
    this.values.set(own, value);
    return this.markOf(own);
  }

  /** @param name - as the file has it; the mark has what of it a mark may have */
  markOf(name: string): string {
    const known = this.names.get(name);
    if (known !== undefined) return secretMark(known);
    const plain = name.replace(/\W+/g, '_').replace(/^(?=[^A-Za-z])/, 'value_');
    const taken = new Set(this.names.values());
    let free = plain;
    for (let number = 2; taken.has(free); number++) free = `${plain}_${number}`;
    this.names.set(name, free);
    return secretMark(free);
  }
}

/** What stands before the path of an address: scheme and host as far as they are there. */
const BEFORE_PATH = /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/)?[^/?#]*/;

/**
 * An address whose host is known. Where a variable without a value is in it, it is `http://NAME.invalid`: no real host
 * ends so (RFC 2606 §2).
 */
export function withKnownHost(url: string): string {
  const [before = ''] = BEFORE_PATH.exec(url) ?? [];
  const [mark] = before.matchAll(SECRET_MARK);
  if (mark === undefined) return url;
  const label = (mark[1] ?? '').toLowerCase().replaceAll('_', '-').replace(/-+$/, '');
  return `http://${label}.invalid${url.slice(before.length)}`;
}
