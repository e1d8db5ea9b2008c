import type { Parameter } from '../../openapi/model';

/** How messages name a parameter. */
export function title(parameter: Parameter): string {
  if (parameter.in === 'querystring') return `The query, as the parameter "${parameter.name}",`;
  return `The ${parameter.in} parameter "${parameter.name}"`;
}
