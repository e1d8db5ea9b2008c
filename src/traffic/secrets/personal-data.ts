import { isValidHost } from '../../core/http/request-target';
import { foldedName, singular, wordsOf } from '../../core/text/inflection';

/** What of persons is replaced by made-up values. */
export type PersonalKind =
  | 'e-mail address'
  | 'first name'
  | 'last name'
  | 'full name'
  | 'user name'
  | 'phone number'
  | 'street'
  | 'city'
  | 'postal code'
  | 'date of birth'
  | 'IP address'
  | 'bank account'
  | 'card number'
  | 'official number';

interface NameRule {
  readonly kind: PersonalKind;
  /** Of a name in lower case, without separators. */
  readonly name: RegExp;
  /** What the value has to look like. */
  readonly value?: (text: string) => boolean;
}

const WORDS = /^\p{L}[\p{L}\p{M}'’.,\- ]*$/u;

/** The first that fits. */
const BY_NAME: readonly NameRule[] = [
  { kind: 'first name', name: /(?:first|given|middle|fore)names?$|^fname$/, value: (text) => WORDS.test(text) },
  { kind: 'last name', name: /(?:last|family|sur|maiden|birth)names?$|^lname$/, value: (text) => WORDS.test(text) },
  {
    kind: 'full name',
    name: /(?:full|real|person|contact|recipient|holder|cardholder|accountholder|passenger|patient|guest|customer|employee)name$/,
    value: (text) => WORDS.test(text),
  },
  {
    kind: 'user name',
    name: /(?:user|login|screen|nick)names?$|^(?:user)?login$|^handle$/,
    value: (text) => /^\S+$/.test(text),
  },
  {
    kind: 'phone number',
    name: /(?:phone|telephone|mobile|cellphone|cell|fax|msisdn)(?:number|no|nr|num)?\d?$|^tel$/,
    value: (text) => /^\+?[\d()\-./ ]{5,25}$/.test(text) && digitsOf(text).length >= 5,
  },
  {
    kind: 'street',
    name: /(?:street|streetaddress|streetname|addressline\d?|address\d|addr\d)$/,
    value: (text) => /\p{L}/u.test(text),
  },
  {
    kind: 'city',
    name: /(?:^|address|home|birth|billing|shipping)(?:city|town|village|suburb)(?:name)?$/,
    value: (text) => WORDS.test(text),
  },
  {
    kind: 'postal code',
    name: /(?:zip|zipcode|postcode|postalcode|pincode)$/,
    value: (text) => /^[A-Za-z\d][A-Za-z\d -]{2,9}$/.test(text),
  },
  { kind: 'date of birth', name: /(?:birthdate|dateofbirth|birthday|^dob|bornon|borndate)$/, value: isDate },
  { kind: 'card number', name: /(?:card|creditcard|cc|pan)(?:number|no|num)?$/, value: (text) => isCardNumber(text) },
  {
    kind: 'official number',
    name: /(?:ssn|socialsecuritynumber|nationalid(?:number)?|passport(?:number|no)|taxid|taxnumber|driver(?:s)?licen[cs]e(?:number)?|nationalinsurancenumber)$/,
    value: (text) => /\d/.test(text) && text.length >= 5,
  },
  {
    kind: 'IP address',
    name: /ip(?:v[46])?(?:address|addr)?$|^(?:remote|client)addr(?:ess)?$|^xforwardedfor$/,
    value: isIpAddress,
  },
];

/** Things that a property `name` of is the name of a person. */
const PERSONS: ReadonlySet<string> = new Set(
  (
    'user customer person contact owner author employee patient passenger guest recipient member assignee creator sender ' +
    'buyer student teacher driver cardholder doctor applicant candidate subscriber attendee traveler traveller resident ' +
    'manager reporter reviewer committer beneficiary parent child spouse citizen voter donor tutor'
  ).split(' '),
);

/**
 * Is a value personal data, by what it is called and looks like?
 *
 * @param path - names and indexes that lead to it, the last one its own
 * @param of - what an object without a name of its own is: `users` for what stands at `/users/7`
 */
export function personalKind(path: readonly string[], value: string, of: string): PersonalKind | undefined {
  if (isBankAccount(value)) return 'bank account';
  if (value.includes('@') && value.replace(EMAIL, '') === '') return 'e-mail address';
  const names = path.filter((segment) => !/^\d+$/.test(segment));
  const name = wordsOf(names.at(-1) ?? '').join('');
  const rule = BY_NAME.find((each) => each.name.test(name) && (each.value?.(value) ?? true));
  if (rule !== undefined) return rule.kind;
  return name === 'name' && WORDS.test(value) && isPerson(names.at(-2) ?? of) ? 'full name' : undefined;
}

function isPerson(name: string): boolean {
  const words = wordsOf(name);
  return PERSONS.has(foldedName(name)) || PERSONS.has(singular(words.at(-1) ?? ''));
}

/** RFC 5321 §4.1.2, as people have them. */
export const EMAIL = /[\p{L}\d._%+-]{1,64}@(?:[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?\.){1,5}\p{L}{2,24}/gu;

export function digitsOf(text: string): string {
  return text.replace(/\D+/g, '');
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d(?:[T ].*)?$|^\d{1,2}([./-])\d{1,2}\1\d{4}$/.test(text);
}

/** ISO 13616: the check digits make the whole 1 modulo 97. */
export function isBankAccount(text: string): boolean {
  const compact = text.replaceAll(' ', '');
  return (
    /^[A-Z]{2}\d\d[A-Z\d]{11,30}$/.test(compact) &&
    /^[A-Z\d]{2,4}(?: ?[A-Z\d]{1,4})+$/.test(text) &&
    ibanRest(compact) === 1
  );
}

/** Letters count from A = 10. */
export function ibanRest(compact: string): number {
  let rest = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

/** ISO/IEC 7812-1: 12 to 19 digits, the last of which makes the sum by Luhn end in zero. */
export function isCardNumber(text: string): boolean {
  const digits = digitsOf(text);
  return /^\d[\d -]+\d$/.test(text) && digits.length >= 12 && digits.length <= 19 && luhnSum(digits) % 10 === 0;
}

export function luhnSum(digits: string): number {
  return Array.from(digits)
    .toReversed()
    .reduce((sum, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
      return sum + (value > 9 ? value - 9 : value);
    }, 0);
}

export function isIpAddress(text: string): boolean {
  return isValidHost(`[${text}]`) || (!text.includes(':') && isValidHost(`[::${text}]`));
}

/** Of a private network, of this machine, or of none: RFC 1918, RFC 5737, RFC 3849, RFC 4193, RFC 4291. */
export function isNobodysAddress(text: string): boolean {
  return /^(?:0|10|127)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\.|^192\.0\.2\.|^198\.51\.100\.|^203\.0\.113\.|^::1?$|^2001:0?db8:|^f[cde]/i.test(
    text,
  );
}
