import { chanceOf, derive, hexDigits } from '../payload/sampler/chance';
import { dateText, dateTimeText, uuidText } from '../payload/sampler/format-text';
import { RUN_ID } from './run-text';

/** A form that a text may have to be in. */
export interface TextForm {
  readonly words: string;
  readonly make: (text: string) => string;
}

/** A form and the words that ask for it. */
interface NamedForm extends TextForm {
  readonly pattern: RegExp;
}

/** Small letters, digits and hyphens, as they stand in URLs and in the names of hosts. */
export function slugOf(text: string): string {
  const slug = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return slug.replace(/^-+/, '').replace(/-+$/, '') || 'standin';
}

/** Names that nobody can own (RFC 2606), addresses of documents (RFC 5737, RFC 3849), numbers that nobody has. */
const FORMS: readonly NamedForm[] = [
  form('an e-mail address', /\be-?mail\b/i, (text) => `${slugOf(text.split('@')[0] ?? '')}@example.com`),
  form('a URL', /\b(?:ur[li]|link|web ?hook|callback)\b/i, (text) => `https://example.com/${slugOf(text)}`),
  form('a UUID', /\b(?:uuid|guid)\b/i, (text) => uuidText(chanceOf(text))),
  form(
    'the name of a host with a dot at its end',
    /\b(?:fqdn|fully[- ]qualified|canonical|dns|trailing dot)\b/i,
    (text) => (isHostName(text, true) ? text : `${hostOf(text)}.`),
  ),
  form('the name of a host', /\b(?:host ?names?|domain(?: ?names?)?|fqdn|dns)\b/i, (text) =>
    isHostName(text, false) ? text : hostOf(text),
  ),
  form('a time', /\b(?:date-?time|timestamp|iso[- ]?8601|rfc[- ]?3339|datetime)\b/i, (text) =>
    dateTimeText(chanceOf(text)),
  ),
  form('a time to come', /\b(?:future|later than (?:now|today)|after (?:now|today)|not be in the past)\b/i, later),
  form('a time that is over', /\b(?:in the past|earlier than (?:now|today)|before (?:now|today))\b/i, (text) =>
    text.includes('T') ? '2020-01-01T00:00:00Z' : '2020-01-01',
  ),
  form('a date', /\bdate\b|YYYY-MM-DD/i, (text) => dateText(chanceOf(text))),
  form('an IPv6 address', /\bipv6\b/i, (text) => `2001:db8::${hexDigits(chanceOf(text), 4)}`),
  form('an IP address', /\b(?:ip(?:v4)?(?: address(?:es)?)?|ip)\b/i, (text) => `192.0.2.${(chanceOf(text) % 254) + 1}`),
  form('a block of addresses', /\b(?:cidr|subnet)\b/i, () => '192.0.2.0/24'),
  form('Base64', /\bbase-?64/i, (text) => Buffer.from(text).toString('base64')),
  form('hexadecimal', /\bhex(?:adecimal)?\b/i, (text) => hexDigits(chanceOf(text), 32)),
  form('a telephone number', /\b(?:phone|e\.?164|msisdn)\b/i, (text) => `+1202555${digitsOf(text, 4)}`),
  form('a number', /\b(?:numeric|digits?|number|integer)\b/i, (text) => digitsOf(text, 6)),
  form('a country', /\b(?:country code|iso[- ]?3166\w*)\b/i, () => 'NL'),
  form('a currency', /\b(?:currency|iso[- ]?4217)\b/i, () => 'EUR'),
  form('a language', /\b(?:language|locale|bcp[- ]?47)\b/i, () => 'en'),
  form('a time zone', /\b(?:time ?zone|iana)\b/i, () => 'UTC'),
  form('a version', /\b(?:semver|semantic version|version number)\b/i, () => '1.0.0'),
  form('a colour', /\b(?:hex colou?r|colou?r code)\b/i, () => '#336699'),
  form('a schedule', /\bcron\b/i, () => '0 0 * * *'),
  form('in capital letters', /\b(?:upper-?case|capital letters)\b/i, (text) => `STANDIN-${digitsOf(text, 6)}`),
];

function form(words: string, pattern: RegExp, make: TextForm['make']): NamedForm {
  return { words: `is ${words}`, pattern, make };
}

/** The forms that a sentence names, or the name of a property does. */
export function formsNamedIn(text: string): readonly TextForm[] {
  return FORMS.filter(({ pattern }) => pattern.test(text));
}

function isHostName(text: string, isAbsolute: boolean): boolean {
  return (isAbsolute ? /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\.$/ : /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/).test(text);
}

function hostOf(text: string): string {
  return `${slugOf(text.replace(/\.example\.?$/, ''))}.example`;
}

function later(text: string): string {
  return text.includes('T') || !/^\d{4}-/.test(text) ? '2099-01-01T00:00:00Z' : '2099-01-01';
}

/** So many digits, others for another text. */
export function digitsOf(text: string, count: number): string {
  let digits = '';
  for (let part = 0; digits.length < count; part++) digits += String(derive(chanceOf(text), part));
  return digits.slice(-count);
}

/** A text of a length within bounds, with the id of the run in it as long as there is room. */
export function fitLength(text: string, least: number, most: number): string {
  if (text.length < least)
    return text + '-standin'.repeat(Math.ceil((least - text.length) / 8)).slice(0, least - text.length);
  if (text.length <= most) return text;
  const own = text.indexOf(RUN_ID);
  const end = own < 0 ? '' : text.slice(own);
  if (own >= 0 && end.length <= most) return end;
  return hexDigits(chanceOf(text), Math.max(most, 1));
}
