import { type Chance, derive, integerBelow } from './chance';
import { moment, uuidText } from './format-text';

/** Texts that programs parse, and how another valid text of the same form is made. */
type TextShape = readonly [test: RegExp, remake: (text: string, chance: Chance, time: string) => string];

const ISO_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)?$/;
const URL_SHAPE = /^([a-z][a-z0-9+.-]*:\/\/[^/?#\s]*)(\S*)$/i;

const SHAPES: readonly TextShape[] = [
  [ISO_TIME, remakeTime],
  [/^\d{4}-\d\d(?:-\d\d)?$/, ({ length }, _chance, time) => time.slice(0, length)],
  [/^\d\d:\d\d(?::\d\d)?$/, ({ length }, _chance, time) => time.slice(11, 11 + length)],
  [/^\d{1,3}(?:\.\d{1,3}){3}$/, remakeIp],
  [/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i, (_text, chance) => uuidText(chance)],
  [URL_SHAPE, remakeUrl],
  // Check digits, colours, versions, durations and local dates hold for the whole text: it stays as it is.
  [/^[A-Z]{2}\d{2}[A-Z0-9 ]{11,34}$/, (text) => text],
  [/^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i, (text) => text],
  [/^v?\d+(?:\.\d+){2,}(?:[-+][\w.-]+)?$/, (text) => text],
  [/^-?P(?=\d|T\d)(?:\d+[YMWD])*(?:T(?:\d+(?:\.\d+)?[HMS])+)?$/, (text) => text],
  [/^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?:\s.*)?$/, (text) => text],
  [/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d{4}/i, (text) => text],
  [/^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f.]*(?:\/\d+)?$/i, (text) => text],
  // The last digits of a telephone number say least of where it is.
  [/^\+\d[\d ().-]{6,}\d$/, (text, chance) => text.slice(0, -2) + String(integerBelow(chance, 90) + 10)],
];

/**
 * @param time - that a text with a time shall tell
 * @returns another text of the same form where programs parse texts of that form, such as a date, an address or a version;
 *   `undefined` for all other texts
 */
export function sameShape(text: string, chance: Chance, time = moment(chance)): string | undefined {
  return SHAPES.find(([test]) => test.test(text))?.[1](text, chance, time.toISOString());
}

/** With the separator, the precision and the offset of the text. */
function remakeTime(text: string, _chance: Chance, time: string): string {
  const [, separator = 'T', clock = '', offset = ''] = /^.{10}(.)([\d:.,]+)(.*)$/.exec(text) ?? [];
  const fraction = clock.slice(8).replaceAll(/\d/g, '0');
  return `${time.slice(0, 10)}${separator}${time.slice(11, 11 + Math.min(8, clock.length))}${fraction}${offset}`;
}

function remakeIp(text: string, chance: Chance): string {
  const isReal = text.split('.').every((part) => Number(part) < 256 && String(Number(part)) === part);
  const network = isReal ? text.slice(0, text.lastIndexOf('.')) : '192.0.2';
  return `${network}.${integerBelow(chance, 254) + 1}`;
}

/** Only numbers that are whole segments or values differ: not the port, and not `v1`. */
function remakeUrl(text: string, chance: Chance): string {
  const [, place = '', path = ''] = URL_SHAPE.exec(text) ?? [];
  return place + path.replaceAll(/(?<=[/=])\d+(?=$|[/?#&])/g, (digits) => withOtherDigits(digits, chance));
}

/** The text with other digits, for items that must not all look alike; as it is where it has none. */
export function withOtherDigits(text: string, chance: Chance): string {
  let index = 0;
  // The first digit of a run stays one that a number may begin with.
  return text.replaceAll(/\d/g, (digit, place: number) => {
    index += 1;
    const isFirst = place === 0 || !/\d/.test(text.charAt(place - 1));
    return digit === '0' && isFirst
      ? '0'
      : String(isFirst ? integerBelow(derive(chance, index), 9) + 1 : integerBelow(derive(chance, index), 10));
  });
}
