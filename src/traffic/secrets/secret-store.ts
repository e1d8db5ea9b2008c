import { parseBasic } from '../../core/http/authorization';
import { decodePathSegment, decodeQueryComponent } from '../../core/http/request-target';
import type { ApiModel } from '../../openapi/model/api-model';
import { credentialLocations, isSensitiveParameter, type SecretPlace } from '../../security/credential-locations';
import { secretMark, type SecretUse } from '../exchange/recorded-exchange';
import { credentialName, isMark, markedNames, markName, withoutMarks } from './secret-names';
import { type FoundSecret, isDistinctive, type SecretSearch } from './secret-search';
import { namedValue } from './value-names';

/** Where a secret was met: its place, in words with the message, and what it is. */
export interface MetSecret {
  readonly kind: SecretUse['kind'];
  /** By which the mark is named. */
  readonly name: string;
  /** `the property password of POST /users` */
  readonly where: () => string;
}

interface KnownUse {
  readonly use: SecretUse;
  /** Was a mark of that name put anywhere? */
  isUsed: boolean;
}

/** The secrets of one recording by their values and by their names. */
export class SecretStore {
  readonly #byValue = new Map<string, string>();
  readonly #byName = new Map<string, KnownUse>();
  readonly #places: ReturnType<typeof credentialLocations>;
  readonly #search: SecretSearch;

  constructor(api: ApiModel, search: SecretSearch) {
    this.#places = credentialLocations(api);
    this.#search = search;
  }

  /** The mark of a secret, which is known from then on. */
  mark(value: string, met: MetSecret): string {
    if (isMark(value)) {
      this.#know(markedNames(value)[0] ?? '', met);
      return value;
    }
    const name = this.#learn(value, met);
    this.#use(name);
    return secretMark(name);
  }

  /**
   * The same of one as it is written at its place.
   *
   * @param header - name of the header that it stands in
   * @param of - in words, the message: `POST /users`
   */
  markAt(written: string, place: SecretPlace, header: string, of: () => string): string {
    if (written === '' || isNamedByMark(place)) return written;
    const quoted = place.kind === 'cookie' ? /^"(.*)"$/.exec(written)?.[1] : undefined;
    if (quoted !== undefined) return `"${this.markAt(quoted, place, header, of)}"`;
    const value = decoded(written, place);
    const met = this.#meet(place, header, of);
    const mark = this.mark(value, met);
    if (place.kind === 'header') this.#learnPassword(written, place, header, of);
    return mark;
  }

  /** A text with marks in the place of the secrets that are known. */
  replace(text: string): string {
    const found = this.#search.find(text);
    if (found.length === 0) return text;
    found.forEach(({ name }) => {
      this.#use(name);
    });
    return this.#search.replace(text);
  }

  /** The same question of bytes, as text with one character for each. */
  isInBytes(bytes: string): boolean {
    return this.#search.isInBytes(bytes);
  }

  knowMarks(text: string): void {
    for (const name of markedNames(text))
      this.#know(name, { kind: 'value', name, where: () => 'a recording that was clean already' });
  }

  /** The value of a mark: it stands for that wherever it is met. */
  declare(name: string, value: string): void {
    if (value === '' || this.#byValue.has(value)) return;
    this.#byValue.set(value, name);
    if (isDistinctive(value)) this.#search.add(name, value);
    if (!this.#byName.has(name))
      this.#byName.set(name, { use: { name, kind: 'value', where: 'a variable of the file' }, isUsed: false });
  }

  uses(): SecretUse[] {
    // A secret that was met later may be the name of an earlier place.
    return [...this.#byName.values()].flatMap(({ use, isUsed }) =>
      isUsed ? [{ ...use, where: this.#search.replace(use.where) }] : [],
    );
  }

  #use(name: string): void {
    const known = this.#byName.get(name);
    if (known !== undefined) known.isUsed = true;
  }

  /** A mark that was there already; its place tells more than that it was. */
  #know(name: string, { kind, where }: MetSecret): void {
    const known = this.#byName.get(name);
    if (known !== undefined && (known.use.kind !== 'value' || kind === 'value')) return;
    this.#byName.set(name, { use: { name, kind, where: where() }, isUsed: true });
  }

  #learn(value: string, { kind, name: place, where }: MetSecret): string {
    const known = this.#byValue.get(value) ?? this.#search.find(value).find((found) => isEscaped(found, value))?.name;
    if (known !== undefined) return known;
    const isSecret = (text: string): boolean => this.#search.find(text).length > 0;
    const name = markName(place, value, (each) => this.#byName.has(each), isSecret);
    this.#byValue.set(value, name);
    if (isDistinctive(value)) this.#search.add(name, value);
    this.#byName.set(name, { use: { name, kind, where: where() }, isUsed: false });
    return name;
  }

  /** It may stand elsewhere by itself (RFC 7617 §2). */
  #learnPassword(written: string, { name }: SecretPlace, header: string, of: () => string): void {
    const basic = name.toLowerCase() === 'basic' ? parseBasic(`Basic ${written}`) : undefined;
    if (basic?.kind !== 'basic' || basic.password === '') return;
    const where = (): string => `the password in the header ${header} of ${of()}`;
    this.#learn(basic.password, { kind: 'credential', name: 'password', where });
  }

  #meet({ kind, name }: SecretPlace, header: string, of: () => string): MetSecret {
    switch (kind) {
      case 'header': {
        const isForgery = namedValue(name) === 'forgery-token';
        const scheme = name === header.toLowerCase() ? undefined : name;
        return {
          kind: isForgery ? 'parameter' : 'credential',
          name: scheme === undefined ? name : credentialName(scheme),
          where: () => `the header ${header} of ${of()}`,
        };
      }
      case 'cookie':
        return { kind, name, where: () => `the cookie ${name} of ${of()}` };
      case 'query': {
        const isDeclared = this.#places.query.has(name);
        return {
          kind: isDeclared ? 'credential' : 'parameter',
          name,
          where: () => `the parameter ${name} of ${of()}`,
        };
      }
      case 'userinfo':
        return { kind: 'credential', name, where: () => `the password of an address in ${of()}` };
      default:
        return { kind: 'property', name, where: () => `the property ${name} of ${of()}` };
    }
  }
}

/** Is a value another one with escapes, which mean the same wherever it is read? Its base64 is a value of its own. */
function isEscaped({ start, end, form }: FoundSecret, value: string): boolean {
  return start === 0 && end === value.length && /escaped|encoded/.test(form);
}

/** Is a name called secret for the sake of a mark in it alone? */
function isNamedByMark({ kind, name }: SecretPlace): boolean {
  const plain = withoutMarks(name);
  return plain !== name && kind !== 'cookie' && !isSensitiveParameter(plain);
}

/** The value of a secret as it is written somewhere. */
function decoded(written: string, { kind, encoding }: SecretPlace): string {
  // Nobody says how the value of a cookie is encoded; nearly everybody percent-encodes.
  if (kind === 'cookie' || kind === 'userinfo') return decodePathSegment(written) ?? written;
  switch (encoding) {
    case 'query':
      return decodeQueryComponent(written) ?? written;
    case 'json':
      return fromJsonString(written);
    case 'markup':
      return fromMarkup(written);
    case 'plain':
      return written;
  }
}

function fromJsonString(written: string): string {
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    return written;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** XML 1.0 §4.1, §4.6 */
function fromMarkup(written: string): string {
  return written.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (typeof name === 'string') return ENTITIES[name.toLowerCase()] ?? whole;
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
