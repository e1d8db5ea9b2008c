import { alternativeNames, foldedName, singular, wordsOf } from '../../core/text/inflection';
import { lastLiteral, parseTemplate } from '../../openapi/view/path-template';
import type { Binding } from '../model/binding';
import type { ResourceDescription } from '../model/resource';
import { otherKeys } from './choose-key';

/** What stands for a key in a path beside the key itself. */
export interface OtherNames {
  /** Properties by which an item is found as well, where the description says so of the key, "ID or name", or a path. */
  readonly otherNames: readonly string[];
  /** Words that the description has for the caller's own item, in the place of a key. */
  readonly selfWords: ReadonlySet<string>;
}

/** "ID or name of the thing", "name or id", "can be substituted by the id". */
const EITHER =
  /\b(?:id|name|slug)s?\b[^.]{0,40}\bor\b[^.]{0,40}\b(?:id|name|slug)\b|\bsubstitut\w*[^.]{0,60}\b(?:id|name|slug)\b/i;
/** "me" in quotation marks or backticks; and any word in them that is called a keyword or a special value. */
const SELF_WORDS = [
  /[`'"“‘](me|self|@me|current|~)[`'"”’]/gi,
  /[`'"“‘]([\w@~-]+)[`'"”’] (?:as a )?key ?word\b/gi,
  /\b(?:key ?word|special (?:value|word|string|name|id))s? [`'"“‘]([\w@~-]+)[`'"”’]/gi,
];

/**
 * By what the description lets clients name an item beside its key: in what it says of the variable in the path, as the variable
 * of another path is called, and as its own leaves the choice, `idOrName`.
 */
export function otherNames({ properties, key, path }: ResourceDescription, bindings: readonly Binding[]): OtherNames {
  const variables = bindings.flatMap(({ keyParameter }) => keyParameter ?? []);
  const said = bindings.flatMap(({ operation, keyParameter }) => {
    const parameter = operation.parameters.find(({ in: place, name }) => place === 'path' && name === keyParameter);
    return parameter?.description === undefined ? [] : [parameter.description];
  });
  const either = new Set(
    said
      .filter((text) => EITHER.test(text))
      .flatMap(wordsOf)
      .map(singular),
  );
  const chosen = new Set(
    variables
      .map(alternativeNames)
      .filter((each) => each.length > 1)
      .flat()
      .map(foldedName),
  );
  const told = [...properties.keys()].filter(
    (name) => chosen.has(foldedName(name)) || (NAMING.has(name.toLowerCase()) && either.has(name.toLowerCase())),
  );
  const names = new Set([
    ...told,
    ...otherKeys(properties, variables, key.name, lastLiteral(parseTemplate(path)?.segments ?? [])),
  ]);
  names.delete(key.name);
  const words = said.flatMap((text) =>
    SELF_WORDS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, word = '']) => word)),
  );
  return { otherNames: [...names], selfWords: new Set(words) };
}

const NAMING = new Set(['id', 'name', 'slug']);
