import type { JsonValue } from '../core/json/json-value';
import { wordsOf } from '../core/text/inflection';
import type { Parameter } from '../openapi/model/operation';
import { typesOf } from '../openapi/view/schema-view';

/** The languages of filters that are evaluated. SCIM ignores the case of texts (RFC 7643 §2.2), the others do not. */
export type FilterLanguage = 'SCIM' | 'OData' | 'function calls';

const NAMES = /filter|search|query|where|condition|expression|^q$/;
/** `name eq "x"`, `price gt 5`. */
const EXPRESSION =
  /(?:^|[\s(`'"=>:])[A-Za-z_][\w.:/$-]*\s+(?:eq|ne|gt|ge|lt|le)\s+(?:'[^']*'|-?\d|true\b|false\b|null\b)/i;
/** Only SCIM has `co`, `sw` and `ew`, and texts in double quotes. */
const SCIM_EXPRESSION =
  /(?:^|[\s(`'"=>:])[A-Za-z_][\w.:/$-]*\s+(?:(?:co|sw|ew)\s+["']|(?:eq|ne|gt|ge|lt|le)\s+"[^"]*")/i;
const FUNCTION = /\b(?:contains|startswith|endswith)\(\s*[\w/.]+\s*,\s*'/i;
/** `equals(name,"x")`, `any(name,['x'])`, `and(…,…)`: names of functions that OData has not. */
const CALL =
  /(?:^|[\s(`'"=>:,])(?:eq(?:uals)?|not-?equals?|any|(?:greater|less)-?(?:than|(?:than-?)?or-?equal(?:-?to)?)|starts-with|ends-with|[gl]te?|in)\(\s*[A-Za-z_][\w.-]*\s*,\s*["'[(\w-]/i;
/** Languages that are named, but not evaluated. */
const OTHER_LANGUAGE =
  /\b(?:lucene|jql|cql|rsql|fiql|rql|aql|aip-160|(?:query|filter|search|expression) (?:language|syntax|expressions?)|(?:logical|search|boolean) operators?|qualifiers?)\b/i;

/**
 * Returns the language in which a query parameter filters: as an example of the parameter or its description shows it, or
 * as a parameter that is named `filter` is described in words.
 */
export function filterLanguage(parameter: Parameter, examples: readonly JsonValue[]): FilterLanguage | undefined {
  const { name, in: place, schema, description = '' } = parameter;
  const folded = wordsOf(name).join('');
  const types = typesOf(schema?.value ?? {});
  if (place !== 'query' || !NAMES.test(folded) || (types.length > 0 && !types.includes('string'))) return undefined;
  if (name === '$filter') return 'OData';
  const texts = [...examples, description.replaceAll('&quot;', '"')].filter((text) => typeof text === 'string');
  return languageIn(texts, folded.includes('filter'));
}

function languageIn(texts: readonly string[], isFilter: boolean): FilterLanguage | undefined {
  const has = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  if (has(CALL)) return 'function calls';
  if (isFilter && (has(/\bodata\b/i) || has(FUNCTION))) return 'OData';
  if (has(SCIM_EXPRESSION)) return 'SCIM';
  const isScim = has(/\bscim\b/i);
  if (has(EXPRESSION)) return isScim ? 'SCIM' : 'OData';
  return isScim && isFilter ? 'SCIM' : undefined;
}

/** Is a search described in a language that is not evaluated? Plain words are still looked for. */
export function namesOtherLanguage({ description = '' }: Parameter): boolean {
  return OTHER_LANGUAGE.test(description);
}

const PLAIN_WORDS = /^[\p{L}\p{N}\s@.,'_-]*$/u;
const FIELD_EXPRESSION = /^\(?-?([\w.]+)(?::|[=!<>~]{1,3})\S/;

/**
 * Is the text of a search an expression, and no words to look for? It is if it compares a property (`name:x`, `size>5`), or
 * if the parameter is described in a language and the text has more than words.
 *
 * @param isProperty - of the items
 */
export function isSearchExpression(text: string, hasLanguage: boolean, isProperty: (name: string) => boolean): boolean {
  if (hasLanguage && !PLAIN_WORDS.test(text)) return true;
  const [, field = ''] = FIELD_EXPRESSION.exec(text.trim()) ?? [];
  return field !== '' && isProperty(field.split('.', 1)[0] ?? '');
}
