import { memoize } from './memoize';
/** English plurals that no rule gives. */
const IRREGULAR: Readonly<Record<string, string>> = {
  people: 'person',
  men: 'man',
  women: 'woman',
  children: 'child',
  feet: 'foot',
  teeth: 'tooth',
  geese: 'goose',
  mice: 'mouse',
  oxen: 'ox',
  analyses: 'analysis',
  crises: 'crisis',
  diagnoses: 'diagnosis',
  hypotheses: 'hypothesis',
  bases: 'base',
  theses: 'thesis',
  axes: 'axis',
  indices: 'index',
  matrices: 'matrix',
  vertices: 'vertex',
  appendices: 'appendix',
  criteria: 'criterion',
  phenomena: 'phenomenon',
  schemata: 'schema',
  knives: 'knife',
  lives: 'life',
  wives: 'wife',
  leaves: 'leaf',
  thieves: 'thief',
  loaves: 'loaf',
  movies: 'movie',
  cookies: 'cookie',
  zombies: 'zombie',
  calories: 'calorie',
  selfies: 'selfie',
  ties: 'tie',
  pies: 'pie',
  dies: 'die',
  lies: 'lie',
  shoes: 'shoe',
  toes: 'toe',
  caches: 'cache',
  niches: 'niche',
  menus: 'menu',
  gurus: 'guru',
  uses: 'use',
  quizzes: 'quiz',
  buses: 'bus',
  gases: 'gas',
  aliases: 'alias',
  atlases: 'atlas',
  canvases: 'canvas',
  iris: 'iris',
};

/** Words that are their own plural, or have none. */
const UNCOUNTED = new Set(
  'data metadata info information equipment series species news media feedback sheep fish deer stock gas alias atlas canvas lens bias chaos physics'.split(
    ' ',
  ),
);

/** Endings of plurals that are more than an s. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/ies$/, 'y'],
  [/(?<=ch|sh|x|ss|zz|o)es$/, ''],
  [/(?<=[^aeo]us)es$/, ''],
  [/(?<=(?:e|o|a)l|r)(?<!cur|val|ner|reser|ser|sol)ves$/, 'f'],
];

/** The singular of an English noun in lower case; a word that is not a plural stays as it is. */
export function singular(word: string): string {
  const irregular = Object.hasOwn(IRREGULAR, word) ? IRREGULAR[word] : undefined;
  if (irregular !== undefined) return irregular;
  if (UNCOUNTED.has(word) || word.length < 3 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  const rule = RULES.find(([pattern]) => pattern.test(word));
  return rule === undefined ? word.slice(0, -1) : word.replace(...rule);
}

/** Of a large description, so many names are asked for again and again. */
const CACHED_NAMES = 10_000;

/** The words of a name in lower case: `bookIds`, `book_ids` and `book-ids` are all `book` and `ids`. */
export const wordsOf: (name: string) => readonly string[] = memoize(
  (name) =>
    name
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      // `IDs` is one word, as `URLs` is.
      .replace(/([A-Z]+)([A-Z](?!s(?![a-z]))[a-z])/g, '$1 $2')
      .split(/[^A-Za-z\d]+/)
      .filter((word) => word !== '')
      .map((word) => word.toLowerCase()),
  CACHED_NAMES,
);

/** The words of a name, the last one in the singular. */
export function singularWords(name: string): string[] {
  const words = wordsOf(name);
  return words.map((word, index) => (index === words.length - 1 ? singular(word) : word));
}

/** A name whose last word is in the singular, written as it is: `Names` and `Name`, `streetNames` and `streetName`. */
export function singularOf(name: string): string {
  const last = /[A-Z]?[a-z]+$/.exec(name)?.[0] ?? '';
  const one = singular(last.toLowerCase());
  return last === '' ? name : name.slice(0, -last.length) + last.charAt(0) + one.slice(1);
}

/** A name by which names are compared: `BookIds`, `book_id` and `bookId` are one. */
export const foldedName: (name: string) => string = memoize((name) => singularWords(name).join(''), CACHED_NAMES);

/** What a text may name: each of its words, and each two and three of them that stand together. */
export function namesInWords(text: string): ReadonlySet<string> {
  const words = wordsOf(text);
  const runs = words.flatMap((_, at) => [1, 2, 3].map((length) => words.slice(at, at + length).join(' ')));
  return new Set(runs.map(foldedName));
}

/** The names between which a variable leaves the choice, `idOrName` and `id_or_name`; itself where it leaves none. */
export function alternativeNames(variable: string): string[] {
  const parts = variable.split(/_or_|-or-|(?<=[a-z0-9])Or(?=[A-Z])/);
  return parts.length < 2 ? [variable] : parts.map((part) => part.charAt(0).toLowerCase() + part.slice(1));
}

/** Past participles that no rule gives. */
const IRREGULAR_PARTICIPLES: Readonly<Record<string, string>> = {
  pay: 'paid',
  send: 'sent',
  hold: 'held',
  begin: 'begun',
  sell: 'sold',
  buy: 'bought',
  withdraw: 'withdrawn',
  freeze: 'frozen',
  hide: 'hidden',
  show: 'shown',
  win: 'won',
  lose: 'lost',
  run: 'running',
  put: 'put',
  read: 'read',
  submit: 'submitted',
  ship: 'shipped',
  stop: 'stopped',
  ban: 'banned',
  drop: 'dropped',
  pin: 'pinned',
};

/** Has the verb a past participle that no rule gives? */
export function isIrregular(verb: string): boolean {
  return Object.hasOwn(IRREGULAR_PARTICIPLES, verb);
}

/** Forms of a verb that name the state it leads to. */
export function participles(verb: string): string[] {
  if (verb.length < 3) return [];
  const irregular = Object.hasOwn(IRREGULAR_PARTICIPLES, verb) ? [IRREGULAR_PARTICIPLES[verb] ?? ''] : [];
  const regular = verb.endsWith('e') ? `${verb}d` : /[^aeou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`;
  const doubled = `${verb}${verb.at(-1) ?? ''}ed`;
  // `activate` leads to `active`, `complete` to `complete`.
  return [...irregular, regular, doubled, verb, verb.replace(/ate$/, 'e'), verb.replace(/ate$/, '')];
}

/** The words of a name without those of the thing: `bookId`, `book_id`, `id` and `pk` are all `id` of a book. */
export function nameWithin(name: string, noun: readonly string[]): string {
  const words = name === '_id' || name === 'pk' ? ['id'] : wordsOf(name);
  const isOwn = noun.length > 0 && noun.every((word, index) => words[index] === word);
  const lastOnly = noun.at(-1) === words[0] ? words.slice(1) : words;
  return (isOwn ? words.slice(noun.length) : lastOnly).join('');
}
