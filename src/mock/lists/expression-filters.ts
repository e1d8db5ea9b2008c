import type { JsonValue } from '../../core/json/json-value';
import type { FilterLanguage } from '../../lists/filter-language';
import type { ListExpression } from '../../lists/list-model';
import { type FilterExpression, FilterSyntaxError, parseFilter } from '../../lists/parse-filter';
import type { Resource } from '../state/prepared-resource';
import { holdsOf, joined, readerOf, type ReportIgnored, type Test, textHolds } from './condition-filters';

/**
 * Returns what items must be for a filter expression to hold: `undefined` where every item will do, the error where the
 * expression cannot be evaluated.
 *
 * @param tell - is told of each property that items do not have, which excludes no item
 */
export function expressionTest(
  text: string,
  { language, mapProperties }: ListExpression,
  resource: Resource,
  tell: ReportIgnored,
): Test | FilterSyntaxError | undefined {
  try {
    return testOf(parseFilter(text), language, (field) => {
      const read = readerOf(field, mapProperties, resource);
      if (read === undefined)
        tell(`items of ${resource.path} have no "${field.slice(0, 100)}", so that it excludes no item`);
      return read;
    });
  } catch (error) {
    if (error instanceof FilterSyntaxError) return error;
    throw error;
  }
}

type FindField = (field: string) => ReturnType<typeof readerOf>;

function testOf(expression: FilterExpression, language: FilterLanguage, findField: FindField): Test | undefined {
  if (expression.kind === 'joined')
    return joined(
      expression.how,
      expression.parts.map((part) => testOf(part, language, findField)),
    );
  const read = findField(expression.field);
  if (read === undefined) return undefined;
  const holds = holdsIn(expression, language);
  return (item) => holds(read(item));
}

function holdsIn(
  expression: Extract<FilterExpression, { kind: 'comparison' }>,
  language: FilterLanguage,
): ReturnType<typeof holdsOf> {
  const { comparison, value } = expression;
  const isCaseExact = language !== 'SCIM';
  const plain = holdsOf(expression);
  const text = (found: (text: string, part: string) => boolean): ReturnType<typeof holdsOf> => {
    const parts = (Array.isArray(value) ? value : [value]).map((each: JsonValue) =>
      textHolds(each, found, isCaseExact),
    );
    return (values) => parts.some((holds) => holds(values));
  };
  switch (comparison) {
    case 'contains':
      return text((own, part) => own.includes(part));
    case 'begins':
      return text((own, part) => own.startsWith(part));
    case 'ends':
      return text((own, part) => own.endsWith(part));
    case 'there':
      return (values) => values.some((each) => each !== '');
    case 'equal':
    case 'not-equal': {
      if (isCaseExact || value === null) return plain;
      const same = textHolds(value, (text, part) => text === part);
      return comparison === 'equal'
        ? (values) => same(values) || plain(values)
        : (values) => !same(values) && plain(values);
    }
    default:
      return plain;
  }
}
