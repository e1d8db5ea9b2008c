import { digitsOf, ibanRest, luhnSum, type PersonalKind } from './personal-data';

const words = (text: string): readonly string[] => text.split(' ');

/** Names of nobody in particular, in use for women and men alike. */
const FIRST = words(
  'Robin Kim Sascha Alex Charlie Jules Sam Noa Toni Luca Mika Jona Remy Quinn Sidney Ariel Dana Kai Lou Nikita',
);
const LAST = words(
  'Example Sample Muster Model Pattern Beispiel Exemple Ejemplo Esempio Voorbeeld Testa Probst Demo Trial Specimen Proef',
);
const STREETS = words('Sample Example Model Pattern Demo Trial Specimen Reference Standard Exhibit');
const CITIES = words(
  'Sampleton Exampleville Modelstadt Patternham Demoburg Trialford Specimenby Referencia Standardo Exhibitown',
);

/** A value that nobody has, in the format of one. */
type Maker = (original: string, number: number) => readonly string[];

/** For each kind, the best first; where a schema allows none of them, the original with other letters and digits is taken. */
const MAKERS: Readonly<Record<PersonalKind, Maker>> = {
  'e-mail address': (_, number) => [`person${number}@example.com`, `p${number}@example.com`],
  'first name': (original, number) => [inCaseOf(original, numbered(FIRST, number))],
  'last name': (original, number) => [inCaseOf(original, numbered(LAST, number))],
  'full name': (original, number) => [inCaseOf(original, fullName(original, number))],
  'user name': (original, number) => [`user${number}`, `user${String(number).padStart(original.length - 4, '0')}`],
  'phone number': (original, number) => [phoneNumber(original, number)],
  street: (original, number) => [original.replace(/[^\d]*\p{L}[^\d]*/u, (text) => streetIn(text, number))],
  city: (original, number) => [inCaseOf(original, numbered(CITIES, number))],
  'postal code': () => [],
  'date of birth': (original, number) => [birthDate(original, number)],
  'IP address': (original, number) => [original.includes(':') ? `2001:db8::${number.toString(16)}` : ipv4(number)],
  'bank account': (original, number) => [bankAccount(original, number)],
  'card number': (original, number) => [cardNumber(original, number)],
  'official number': () => [],
};

/**
 * Values for a person's data, in the order of preference: of the same format, with valid check digits, of ranges that
 * belong to nobody where there are such.
 *
 * @param number - from 1; the same one gives the same values
 */
export function madeUpValues(kind: PersonalKind, original: string, number: number): string[] {
  return [...MAKERS[kind](original, number), ...['0', '1'].map((filler) => otherCharacters(original, number, filler))];
}

/** The n-th of a list; where it is at its end, once more with letters behind. */
function numbered(list: readonly string[], number: number): string {
  const round = Math.floor((number - 1) / list.length);
  return (list[(number - 1) % list.length] ?? '') + (round === 0 ? '' : lettersOf(round));
}

function lettersOf(number: number): string {
  const rest = number > 26 ? lettersOf(Math.floor((number - 1) / 26)) : '';
  return rest + String.fromCharCode(97 + ((number - 1) % 26));
}

/** As many words as there were, one to three. */
function fullName(original: string, number: number): string {
  const [first, last] = [numbered(FIRST, number), numbered(LAST, number)];
  const count = original.trim().split(/\s+/).length;
  if (/^[^\s,]+, /.test(original)) return `${last}, ${first}`;
  return count === 1
    ? first
    : count === 2
      ? `${first} ${last}`
      : `${first} ${FIRST[number % FIRST.length] ?? ''} ${last}`;
}

function inCaseOf(original: string, made: string): string {
  if (original === original.toUpperCase() && original.length > 1) return made.toUpperCase();
  return original === original.toLowerCase() ? made.toLowerCase() : made;
}

function streetIn(original: string, number: number): string {
  const [, before = '', , after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(original) ?? [];
  return `${before}${numbered(STREETS, number)} Street${after}`;
}

/** Grouped as it was, with the country or the zero before it: digits that begin with the 555 of films. */
function phoneNumber(original: string, number: number): string {
  const length = digitsOf(original).length;
  const kept = Math.min(original.startsWith('+') ? 2 : 1, Math.max(0, length - 4));
  const made = String(number)
    .padStart(length - kept, '5')
    .slice(kept - length);
  let at = -kept;
  return original.replace(/\d/g, (digit) => (at++ < 0 ? digit : made.charAt(at - 1)));
}

/** In the 20th century; a day that is a month as well where nobody tells which of them comes first. */
function birthDate(original: string, number: number): string {
  const day = 1 + (number % 12);
  const two = (value: number): string => String(value).padStart(2, '0');
  const year = 1950 + (Math.floor(number / 12) % 50);
  if (/^\d{4}/.test(original)) {
    const month = 1 + (Math.floor(number / 28) % 12);
    return `${1950 + (Math.floor(number / 336) % 50)}-${two(month)}-${two(1 + (number % 28))}${original.slice(10)}`;
  }
  return original.replace(/^(\d+)(\D)(\d+)\D\d{4}/, (_, first: string, separator: string, second: string) => {
    const written = (part: string): string => (part.length === 1 && day < 10 ? String(day) : two(day));
    return [written(first), written(second), year].join(separator);
  });
}

/** Networks for documentation (RFC 5737), and when they are used up that of benchmarks (RFC 2544). */
function ipv4(number: number): string {
  const network = ['192.0.2', '198.51.100', '203.0.113'][Math.floor((number - 1) / 254)];
  if (network !== undefined) return `${network}.${1 + ((number - 1) % 254)}`;
  return `198.${18 + (Math.floor(number / 65_536) % 2)}.${Math.floor(number / 256) % 256}.${number % 256}`;
}

function bankAccount(original: string, number: number): string {
  const compact = original.replaceAll(' ', '');
  const digits = String(number);
  const basic = compact.slice(4).replace(/\d/g, '0').replace(/[A-Z]/g, 'X');
  const account = basic.slice(0, -digits.length) + digits;
  const country = compact.slice(0, 2);
  const check = String(98 - ibanRest(`${country}00${account}`)).padStart(2, '0');
  return grouped(original, `${country}${check}${account}`);
}

/** Its first digit, which says whose network it is, then zeros: the kind that payment services have for tests. */
function cardNumber(original: string, number: number): string {
  const length = digitsOf(original).length;
  const body = `${digitsOf(original).charAt(0)}${String(number).padStart(length - 2, '0')}`;
  const check = (10 - (luhnSum(`${body}0`) % 10)) % 10;
  return grouped(original, `${body}${check}`);
}

/** With the gaps of the original. */
function grouped(original: string, made: string): string {
  let at = 0;
  return original.replace(/[A-Z\d]/g, () => made.charAt(at++));
}

/** Other digits in the place of digits, other letters of the same case in the place of letters. */
function otherCharacters(original: string, number: number, filler: string): string {
  const digits = String(number).padStart(digitsOf(original).length, filler);
  let at = digits.length - digitsOf(original).length;
  let letter = number;
  return original
    .replace(/\d/g, () => digits.charAt(at++))
    .replace(/\p{L}/gu, (character) => {
      const made = String.fromCharCode(97 + (letter++ % 26));
      return character === character.toLowerCase() ? made : made.toUpperCase();
    });
}
