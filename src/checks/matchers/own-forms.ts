import { isJsonNumber, toLexeme } from '../../core/json/exact-number';
import { canonicalKey, type JsonValue } from '../../core/json/json-value';
import { wordsOf } from '../../core/text/inflection';
import { parseRfc3339 } from '../../core/time/date-time';

/** What a service counts, or sets when it writes, whatever a client sends. */
const COUNTS = /^(?:counts?|counter|views?|hits|visits|version|revision|generation|sequence|seq|likes|downloads)$/;
const PROSE = /^(?:names?|titles?|labels?|summary|description|comments?|notes?|remarks?|text|message|subject|content)$/;
const WRITES = /^(?:created|updated|modified|changed|edited|saved|touched|last|since)$/;

/**
 * How a value that came back is another one than was sent, where a service may have its own form of it: a code in another
 * case or with spaces around it, the same moment, a rounded number, a list without its repetitions, the time of the write,
 * or what is counted. `undefined` where it is simply another value.
 *
 * @param name - of the property
 */
export function ownForm(name: string, sent: JsonValue, got: JsonValue | undefined): string | undefined {
  const words = wordsOf(name).map((word) => word.toLowerCase());
  if (typeof sent === 'string' && typeof got === 'string') return formOfText(words, sent, got);
  if (isJsonNumber(sent) && isJsonNumber(got)) {
    if (words.some((word) => COUNTS.test(word))) return SET;
    return isRounded(Number(toLexeme(sent)), Number(toLexeme(got))) ? NORMALIZED : undefined;
  }
  return Array.isArray(sent) && Array.isArray(got) && isSameSet(sent, got) ? NORMALIZED : undefined;
}

function formOfText(words: readonly string[], sent: string, got: string): string | undefined {
  const [before, after] = [momentOf(sent), momentOf(got)];
  if (after !== undefined && words.some((word) => WRITES.test(word))) return SET;
  if (before !== undefined && after !== undefined) return before === after ? NORMALIZED : undefined;
  // What people wrote stays as they wrote it.
  const isProse = /\s/.test(sent.trim()) || words.some((word) => PROSE.test(word));
  return !isProse && plainText(sent) === plainText(got) ? NORMALIZED : undefined;
}

/** A moment, also with spaces in it and with the name of its zone behind the offset: `2030-01-01 10:00:00 +0000 UTC`. */
function momentOf(text: string): number | undefined {
  const [, day, time, offset, minutes] = MOMENT.exec(text) ?? [];
  return parseRfc3339(
    day === undefined ? text : `${day}T${time}${minutes === undefined ? 'Z' : `${offset}:${minutes}`}`,
  );
}

const MOMENT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) ?(?:Z|UTC|([+-]\d\d):?(\d\d)(?: [A-Z]{3,5})?)$/;

const SET = 'is set by the service';
const NORMALIZED = 'is kept in a form of the service';

function plainText(text: string): string {
  return text.trim().toLowerCase();
}

const DECIMALS = [0, 1, 2, 3, 4];

/** With fewer decimals, but for what had none. */
function isRounded(sent: number, got: number): boolean {
  if (Number.isInteger(sent)) return false;
  return DECIMALS.some((count) => {
    const factor = 10 ** count;
    return [Math.round, Math.floor, Math.ceil].some((round) => round(sent * factor) / factor === got);
  });
}

function isSameSet(sent: readonly JsonValue[], got: readonly JsonValue[]): boolean {
  const [one, other] = [new Set(sent.map(canonicalKey)), new Set(got.map(canonicalKey))];
  return got.length < sent.length && one.size === other.size && [...one].every((key) => other.has(key));
}

/** What is told of it, the same wherever it shows. */
export function ownFormMessage(name: string, form: string): string {
  return `The property "${name}" ${form}`;
}
