import { wordsOf } from '../../core/text/inflection';
import { isSensitiveParameter } from '../../security/credential-locations';
import { SECRET_MARK } from '../exchange/recorded-exchange';
import { looksRandom } from './secret-looks';

/** What a secret is called where its place has no name that may be shown. */
const NAMELESS = 'secret';
const LONGEST = 40;

/** Words in the names of headers and cookies that tell nothing of what they hold. */
const FILLERS: ReadonlySet<string> = new Set(['x', 'host', 'secure']);
const OF_SCHEMES: Readonly<Record<string, string>> = { bearer: 'access_token', basic: 'basic_credentials' };

/** `access_token` for `Bearer`, `digest_credentials` for `Digest` (RFC 9110 §11.1). */
export function credentialName(scheme: string): string {
  const known = scheme.toLowerCase();
  return Object.hasOwn(OF_SCHEMES, known) ? (OF_SCHEMES[known] ?? NAMELESS) : `${known}_credentials`;
}

/**
 * The name of a mark, by the name of the place where the secret was met first: `api_key` for `X-Api-Key`. The same places
 * give the same names in every recording; none holds a part of what it stands for.
 *
 * @param place - name of a property, a header, a parameter, a cookie
 * @param taken - is such a name taken by another secret?
 * @param isSecret - does a text hold a secret that is known?
 */
export function markName(
  place: string,
  value: string,
  taken: (name: string) => boolean,
  isSecret: (text: string) => boolean,
): string {
  const words = wordsOf(place);
  const told = words.length > 1 && FILLERS.has(words[0] ?? '') ? words.slice(1) : words;
  const joined = told
    .join('_')
    .slice(0, LONGEST)
    .replace(/^\d+_?|_+$/g, '');
  const isShown =
    /^[a-z]/.test(joined) && !looksRandom(place, 16) && !tellsOf(place, value) && !isSecret(place) && !isSecret(joined);
  const base = isShown ? joined : NAMELESS;
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}_${number}`;
    if (!taken(name)) return name;
  }
}

/** The names of the marks in a text. */
export function markedNames(text: string): string[] {
  return text.includes('~secret.') ? [...text.matchAll(SECRET_MARK)].map(([, name = '']) => name) : [];
}

/** A name in which a mark may stand; what the secret behind it is called says nothing of what has the name. */
export function withoutMarks(name: string): string {
  return name.includes('~secret.') ? name.replace(SECRET_MARK, '') : name;
}

/** Is a text one mark, and nothing else? */
export function isMark(text: string): boolean {
  return /^~secret\.[A-Za-z][A-Za-z0-9_]*~$/.test(text);
}

const SHORTEST_TOLD = 6;

/** A name that everybody uses tells nothing of the value, even where somebody has the password `password1`. */
function tellsOf(name: string, value: string): boolean {
  if (isSensitiveParameter(name)) return false;
  const [shown, secret] = [name, value].map((text) => text.toLowerCase().replace(/[^a-z0-9]+/g, ''));
  if (shown === undefined || secret === undefined) return false;
  for (let start = 0; start + SHORTEST_TOLD <= shown.length; start++)
    if (secret.includes(shown.slice(start, start + SHORTEST_TOLD))) return true;
  return false;
}
