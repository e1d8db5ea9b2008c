import { parseQuery } from '../../core/http/request-target';
import { wordsOf } from '../../core/text/inflection';
import type { PagePropertyRole } from '../../lists/conventions/list-convention';
import type { ListParameters } from '../../lists/list-model';
import { type Parameter, permissiveSchema } from '../../openapi/model/operation';
import type { Binding } from '../../resources/model/binding';
import type { Call } from '../calls/call';

/** Stands for the place of a parameter that is declared nowhere. */
const NOWHERE = '';

const DECLARED = ['limit', 'unusedLimit', 'page', 'cursor', 'after', 'before', 'from', 'offset'] as const;

/**
 * The parameters of a list of which none pages, although its response tells of pages by their numbers: what tells of the
 * page and of its size there names the parameters that clients send all the same, `page` and `per_page`.
 */
export function withAssumedPaging({ parameters, response, operation }: Binding): ListParameters {
  if (DECLARED.some((each) => parameters[each] !== undefined)) return parameters;
  const told = (role: PagePropertyRole): string | undefined =>
    response?.pageProperties.find((each) => each.role === role)?.path.at(-1);
  const [page, size] = [told('page'), told('page-size')];
  const names = [page === undefined ? '' : pageName(page), size ?? ''];
  const isTaken = operation.parameters.some((each) => each.in === 'query' && names.includes(each.name));
  if (page === undefined || isTaken || (size ?? told('page-count')) === undefined) return parameters;
  return {
    ...parameters,
    page: { parameter: assumed(pageName(page)), first: 1 },
    limit: size === undefined ? undefined : assumed(size),
  };
}

/** `page` of the `current_page`. */
function pageName(property: string): string {
  return wordsOf(property)[0] === 'current' ? 'page' : property;
}

function assumed(name: string): Parameter {
  const schema = permissiveSchema(NOWHERE, { type: 'integer' });
  const shape: Parameter['shape'] = {
    kind: 'scalar',
    scalars: ['integer'],
    isBinary: false,
    names: [],
    item: () => shape,
    property: () => undefined,
    others: undefined,
  };
  return {
    name,
    key: name,
    in: 'query',
    required: false,
    description: undefined,
    style: 'form',
    explode: true,
    pointer: NOWHERE,
    schema,
    shape,
    contentType: undefined,
    encodings: new Map(),
    allowEmptyValue: false,
    defaultValue: undefined,
    items: undefined,
  };
}

export function isAssumed(parameter: Parameter | undefined): boolean {
  return parameter?.pointer === NOWHERE;
}

/** What was sent for such a parameter, where it is the number of a page or of items. */
export function assumedValue({ query }: Call, { name }: Parameter): string | undefined {
  const pair = parseQuery(query).find((each) => each.name === name);
  return pair?.value !== undefined && /^[1-9]\d{0,8}$/.test(pair.value) ? pair.value : undefined;
}
