import { alternativeNames, foldedName, singular, wordsOf } from '../../core/text/inflection';
import { lastLiteral, parseTemplate } from '../../openapi/view/path-template';
import type { Parameter } from '../../openapi/model/operation';
import type { Binding } from '../model/binding';
import type { ResourceDescription } from '../model/resource';
import { identifyingTexts, otherKeys } from './choose-key';

/** What stands for a key in a path beside the key itself. */
export interface OtherNames {
  /**
   * Properties by which an item is found as well, where the description says so of the key, "ID or name", or a path.
   * Words of such a sentence that no property of the item has as its name may be properties of its parts.
   */
  readonly otherNames: readonly string[];
  readonly otherNamesInParts: readonly string[];
  /** What may stand before another name in a path, "for code use prefix `code-`". */
  readonly namePrefixes: readonly string[];
  /** Text properties that identify items beside the key: `id` where `name` is the key. A long text of one is no other item's key. */
  readonly identifiers: readonly string[];
  /** Words that the description has for the caller's own item, in the place of a key. */
  readonly selfWords: ReadonlySet<string>;
  /** The query parameter that names the property by which the path names the item: `?idProperty=email`. */
  readonly keyPropertyParameter: string | undefined;
}

/** Words for what names one item among all. */
const NAMING = 'id|uid|uuid|guid|name|slug|login|username|e-?mail|key|code|handle|alias|number|domain';
const NAMING_WORD = new RegExp(`^(?:${NAMING})$`);
/** "ID or name of the thing", "ID, login, or short name", "can be substituted by the id". */
const EITHER = new RegExp(
  `\\b(?:${NAMING})s?\\b[^.]{0,40}\\bor\\b[^.]{0,40}\\b(?:${NAMING})\\b|\\bsubstitut\\w*[^.]{0,60}\\b(?:${NAMING})\\b`,
  'i',
);
/** A prefix in quotation marks or backticks. */
const PREFIXES = [
  /\bprefix(?:ed)?(?: (?:it|them))?(?: (?:of|with|by))?:? [`'"“‘]([^`'"”’\s]+)[`'"”’]/gi,
  /[`'"“‘]([^`'"”’\s]+)[`'"”’] (?:as (?:a|the) )?prefix\b/gi,
];
/** What a "short name" is called among the properties. */
const SHORT_NAMES = ['shortname', 'sid', 'slug', 'handle'];
/** "me" in quotation marks or backticks; and any word in them that is called a keyword or a special value. */
const SELF_WORDS = [
  /[`'"“‘](me|self|@me|current|~)[`'"”’]/gi,
  /[`'"“‘]([\w@~-]+)[`'"”’] (?:as a )?key ?word\b/gi,
  /\b(?:key ?word|special (?:value|word|string|name|id))s? [`'"“‘]([\w@~-]+)[`'"”’]/gi,
];
/** What an operation as a whole says of them: "substitute `me` for the `id`". */
const SUBSTITUTED =
  /\b(?:substitut|replac|us)(?:e|es|ed|ing)\b[^.`'"“‘]{0,20}[`'"“‘](me|self|@me|current|~)[`'"”’] (?:for|as|instead|in place)\b/gi;

/**
 * By what the description lets clients name an item beside its key: in what it says of the variable in the path, as the variable
 * of another path is called, and as its own leaves the choice, `idOrName`.
 */
export function otherNames(
  { properties, key, variableMeans, path }: ResourceDescription,
  bindings: readonly Binding[],
): OtherNames {
  const variables = bindings.flatMap(({ keyParameter }) => keyParameter ?? []);
  const said = bindings.flatMap(({ operation, keyParameter }) => {
    const parameter = operation.parameters.find(({ in: place, name }) => place === 'path' && name === keyParameter);
    return parameter?.description === undefined ? [] : [parameter.description];
  });
  const either = new Set(
    said
      .flatMap((text) => text.split(/(?<=\.)\s/))
      .filter((text) => EITHER.test(text))
      .flatMap((text) => wordsOf(text.replaceAll(/\be-mail\b/gi, 'email')))
      .map(singular)
      .filter((word) => NAMING_WORD.test(word)),
  );
  if (said.some((text) => EITHER.test(text) && /\bshort[- ]?names?\b/i.test(text)))
    for (const name of SHORT_NAMES) either.add(name);
  const chosen = new Set(
    variables
      .map(alternativeNames)
      .filter((each) => each.length > 1)
      .flat()
      .map(foldedName),
  );
  const told = [...properties.keys()].filter(
    (name) => chosen.has(foldedName(name)) || either.has(foldedName(name)) || either.has(name.toLowerCase()),
  );
  const thing = lastLiteral(parseTemplate(path)?.segments ?? []);
  const names = new Set([...told, ...otherKeys(properties, variables, key.name, thing)]);
  if (variableMeans !== undefined && properties.has(variableMeans)) names.add(variableMeans);
  names.delete(key.name);
  const selfWords = new Set([
    ...said.flatMap((text) => SELF_WORDS.flatMap((pattern) => firstGroups(text, pattern))),
    ...bindings.flatMap(({ operation, keyParameter }) =>
      keyParameter === undefined ? [] : firstGroups(operation.description, SUBSTITUTED),
    ),
  ]);
  const own = new Set([...properties.keys()].map((name) => name.toLowerCase()));
  const keyPropertyParameter = bindings
    .filter(({ keyParameter }) => keyParameter !== undefined)
    .flatMap(({ operation }) => operation.parameters)
    .find((parameter) => parameter.in === 'query' && namesKeyProperty(parameter))?.name;
  return {
    otherNames: [...names],
    identifiers: identifyingTexts(properties, thing).filter((name) => name !== key.name && !names.has(name)),
    namePrefixes: said
      .filter((text) => EITHER.test(text))
      .flatMap((text) => PREFIXES.flatMap((pattern) => firstGroups(text, pattern))),
    otherNamesInParts: [...either].filter((word) => !own.has(word)),
    selfWords,
    keyPropertyParameter,
  };
}

/** Does a parameter say which property the key in the path is a value of? */
export function namesKeyProperty({ name, description = '' }: Pick<Parameter, 'name'> & Partial<Parameter>): boolean {
  return (
    /^(?:id|key|identifier|lookup|unique)(?:property|attribute|field)(?:name)?$/.test(foldedName(name)) ||
    /\bname of (?:a|the) property whose values are unique\b/i.test(description)
  );
}

function firstGroups(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, word = '']) => word);
}
