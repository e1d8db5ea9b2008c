import { memoize } from '../core/text/memoize';
import {
  alteredKey,
  alteredVariable,
  otherCase,
  otherCaseVariable,
  splitKey,
  truncatedKey,
  truncatedVariable,
} from '../security/scheme';
import { decodedLayers, type Layer } from './decoded-layers';
import { exactForm, fold, type Folding, formsOf, type KeyForm, piecesAtCuts } from './key-forms';

const KEY_NAME = 'STANDIN_API_KEY';

/** Stands in for the key wherever it would be shown; a shell puts the key back. */
export const KEY_VARIABLE = `$${KEY_NAME}`;

/** A key, and the shell variable that stands for it in reports. */
export interface NamedKey {
  /** Without the `$`. */
  readonly name: string;
  readonly key: string;
}

/** Takes keys out of a text. */
export type Redactor = (text: string) => string;

/** One that gets to know further keys on the way: those that are long enough not to stand anywhere by chance, or all. */
export type LearningRedactor = Redactor & { readonly learn: (key: NamedKey, length?: 'long' | 'any') => void };

/** A shorter text may stand anywhere by chance. */
const SHORTEST_LEARNT = 6;

/** The shell variable for the key of an identity: `STANDIN_KEY_BRANCH_MANAGER` for `branch manager`. */
export function identityVariable(identity: string): string {
  return `STANDIN_KEY_${identity.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
}

/** The shell variable for the key of a security scheme. */
export function schemeVariable(scheme: string): string {
  return identityVariable(`scheme ${scheme}`);
}

export function keysOf(run: {
  readonly apiKey: string | undefined;
  readonly schemeKeys?: ReadonlyMap<string, string> | undefined;
  readonly identities?: ReadonlyMap<string, string> | undefined;
  readonly refusedIdentities?: ReadonlyMap<string, string> | undefined;
}): NamedKey[] {
  const own = run.apiKey === undefined ? [] : [{ name: KEY_NAME, key: run.apiKey }];
  const others = [...(run.identities ?? []), ...(run.refusedIdentities ?? [])];
  const ofSchemes = [...(run.schemeKeys ?? [])].map(([name, key]) => ({ name: schemeVariable(name), key }));
  return [...own, ...ofSchemes, ...others.map(([name, key]) => ({ name: identityVariable(name), key }))];
}

/**
 * Knows keys as they are, in base64 of both alphabets wherever they stand in it, and as hexadecimal digits; each of
 * these percent-encoded, form-encoded, escaped as in JSON or HTML, and several of that on top of each other; and their
 * pieces where a long text was cut (`…`, `...`). A key of 8 characters and more is known in any case. A key without its
 * last character, one with another letter in it and one in another case, which probes send, are known too.
 *
 * @param keys - a text alone is the key of `$STANDIN_API_KEY`
 */
export function createRedactor(keys: string | undefined | readonly NamedKey[]): LearningRedactor {
  const named = typeof keys === 'string' ? [{ name: KEY_NAME, key: keys }] : (keys ?? []);
  const known = new Set(named.map(({ key }) => key));
  let secrets = named.flatMap(secretsOf);
  let redact = redactorOf(secrets);
  const learn = ({ name, key }: NamedKey, length: 'long' | 'any' = 'long'): void => {
    if (key.length < (length === 'any' ? 1 : SHORTEST_LEARNT) || known.has(key)) return;
    known.add(key);
    secrets = [...secrets, { shown: `\${${name}}`, forms: formsOf(key) }];
    redact = redactorOf(secrets);
  };
  return Object.assign((text: string) => redact(text), { learn });
}

function redactorOf(secrets: readonly Secret[]): Redactor {
  if (secrets.length === 0) return (text) => text;
  // Names of headers, media types and addresses come again with every step.
  return memoize((text) => {
    const spans = decodedLayers(text).flatMap((layer) => spansIn(layer, secrets));
    return spans.length === 0 ? text : replaceSpans(text, spans);
  }, MOST_TEXTS);
}

const MOST_TEXTS = 2000;

interface Secret {
  readonly shown: string;
  readonly forms: readonly KeyForm[];
}

function secretsOf({ name, key }: NamedKey): Secret[] {
  if (key === '') return [];
  const { word, key: bare } = splitKey(key);
  // The shell cuts the word off: `${NAME#* }`.
  if (word !== undefined)
    return [{ shown: `$${name}`, forms: formsOf(key) }, ...secretsOf({ name: `{${name}#* }`, key: bare })];
  const cut = truncatedKey(key);
  const other = otherCase(key);
  const altered = alteredKey(key);
  return [
    // Before the key in any case: what comes first is shown.
    ...(other === undefined ? [] : [{ shown: otherCaseVariable(name, key), forms: [exactForm(other)] }]),
    { shown: `$${name}`, forms: formsOf(key) },
    ...(altered === undefined ? [] : [{ shown: alteredVariable(name, key), forms: formsOf(altered) }]),
    ...(cut === undefined ? [] : [{ shown: truncatedVariable(name, key), forms: formsOf(cut) }]),
  ];
}

/** A part of a text, and what is shown in its place. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
}

function spansIn(layer: Layer, secrets: readonly Secret[]): Span[] {
  const folded = new Map<Folding, string>();
  const spans: Span[] = [];
  for (const { shown, forms } of secrets) {
    for (const form of forms) {
      const text = folded.get(form.folding) ?? fold(layer.bytes, form.folding);
      folded.set(form.folding, text);
      for (const [from, to] of [...wholeKeys(text, form), ...piecesAtCuts(text, form)]) {
        if (to > from) spans.push({ start: layer.startOf(from), end: layer.endOf(to - 1), shown });
      }
    }
  }
  return spans;
}

/** Where the key stands as a whole: from and to. */
export function wholeKeys(text: string, { core, pattern }: KeyForm): (readonly [number, number])[] {
  // Most texts hold no key, and this tells so in less time.
  if (!text.includes(core)) return [];
  return [...text.matchAll(pattern())].map((match) => [match.index, match.index + match[0].length]);
}

/** What overlaps becomes one; of what begins at the same place the longest decides what is shown. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  const sorted = spans.toSorted((left, right) => left.start - right.start || right.end - left.end);
  let clean = '';
  let done = 0;
  for (const { start, end, shown } of sorted) {
    if (end <= done) continue;
    if (start >= done) clean += `${text.slice(done, start)}${shown}`;
    done = end;
  }
  return clean + text.slice(done);
}
