import { replacePlaceholders } from '../../formats/contract/placeholders';

/**
 * How a value is written where it stands: as its `text`, percent-encoded in a `url`, as the characters of a JSON string
 * (`json-text`), as a `json` value with or without quotes, or in base64 as `user:password` (`basic`, RFC 7617 §2).
 */
export type Form = 'text' | 'url' | 'json-text' | 'json' | 'basic';

/** A value that is known only when the exported file is run. */
export interface Use {
  readonly name: string;
  readonly form: Form;
}

/** A text with such values in it. */
export type Template = readonly (string | Use)[];

/**
 * What stands for a value while a request is made. The quote is what tells the place: it is itself in a header, `%22` in a
 * URL and `\"` in JSON; what is between is the same everywhere.
 */
export function markOf(name: string): string {
  return `"~${name}~"`;
}

const NAME = '~([A-Za-z0-9_.]+)~';
const MARKS: readonly (readonly [Form, string])[] = [
  ['json', `"\\\\"${NAME}\\\\""`],
  ['json-text', `\\\\"${NAME}\\\\"`],
  ['url', `(?:%5C)?%22${NAME}(?:%5C)?%22`],
  ['text', `"${NAME}"`],
];
const MARK = new RegExp(MARKS.map(([, pattern]) => pattern).join('|'), 'g');
const BASIC = /^(basic +)([A-Za-z0-9+/]+=*)$/i;

/** Finds the marks in a part of a request that was made of them. */
export function toTemplate(text: string): Template {
  const [, scheme, credentials = ''] = BASIC.exec(text) ?? [];
  if (scheme !== undefined) {
    const [, name] = new RegExp(`"${NAME}"`).exec(Buffer.from(credentials, 'base64').toString()) ?? [];
    if (name !== undefined) return [scheme, { name, form: 'basic' }];
  }
  const pieces: (string | Use)[] = [];
  let end = 0;
  for (const match of text.matchAll(MARK)) {
    const index = MARKS.findIndex((_, at) => match[at + 1] !== undefined);
    const [form = 'text'] = MARKS[index] ?? [];
    if (match.index > end) pieces.push(text.slice(end, match.index));
    pieces.push({ name: match[index + 1] ?? '', form });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/** Writes a template as one text. @param use - how a format refers to a value @param plain - how it writes other text */
export function renderTemplate(
  template: Template,
  use: (use: Use) => string,
  plain: (text: string) => string = (text) => text,
): string {
  return template.map((piece) => (typeof piece === 'string' ? plain(piece) : use(piece))).join('');
}

/** The values that templates need. */
export function usesOf(templates: readonly Template[]): Use[] {
  return templates.flatMap((template) => template.filter((piece) => typeof piece !== 'string'));
}

/** The name of the value that a text is a mark of, and of nothing else; `undefined` for any other text. */
export function markedName(text: string): string | undefined {
  const [first, ...others] = toTemplate(text);
  return others.length === 0 && typeof first === 'object' ? first.name : undefined;
}

/** A string of a contract in pieces: text, and the names of placeholders. */
export function splitPlaceholders(text: string): (string | { readonly name: string })[] {
  const pieces = replacePlaceholders(text, (name) => `\u0000${name}\u0000`).split('\u0000');
  return pieces.flatMap((piece, index): (string | { readonly name: string })[] => {
    if (index % 2 === 1) return [{ name: piece }];
    return piece === '' ? [] : [piece];
  });
}

/** A text of a contract without placeholders, as it is meant; `undefined` for one with placeholders. */
export function plainText(text: string): string | undefined {
  const pieces = splitPlaceholders(text);
  return pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : undefined;
}

/** The name of the placeholder that a text of a contract is, and nothing else. */
export function wholePlaceholder(text: string): string | undefined {
  const [first, ...others] = splitPlaceholders(text);
  return others.length === 0 && typeof first === 'object' ? first.name : undefined;
}

/**
 * The name of a value as variables of scripts have it: `SHOP_USER` for `env.SHOP_USER`. Beside `avatar` stands
 * `avatar_url`, its percent-encoded form, so that a value that is called so gets another name.
 */
export function variableName(name: string): string {
  const plain = name.replace(/^env\./, '').replace(/\W/g, '_');
  return /_(?:url|text|json|basic)$/.test(plain) ? `${plain}_value` : plain;
}
