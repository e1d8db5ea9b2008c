import type { ServerParts } from '../adapters/create-mock-server';
import { isNeeded } from '../checks/request/parameters';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import type { OperationPlan } from '../mock/operation-plan';
import type { Operation, Parameter } from '../openapi/model';
import { literal } from './draft';
import type { Made } from './draft-contract';
import { knownKeys } from './known-keys';
import { valueFor } from './made-value';

/** What stands in the place of a variable of the path. */
export interface ChosenParameter {
  /** As the contract names it. */
  readonly key: string;
  readonly value: JsonValue;
  /** Of what an earlier step made; `undefined` for what is there by itself. */
  readonly placeholder: string | undefined;
}

/** Values for the variables of a path: of what was made where that is known, else of rows of the mock. */
export function pathParameters(
  parts: ServerParts,
  plan: OperationPlan,
  made: ReadonlyMap<string, Made>,
): ChosenParameter[] {
  const { operation } = plan;
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const variables = inPath.map(({ name }) => ({ name, value: `{${name}}` }));
  const known = knownKeys(parts, { plan, variables });
  return inPath.flatMap((parameter): ChosenParameter[] => {
    const own = madeFor(plan, parameter.name, made);
    const key = keyOf(operation, parameter);
    if (own !== undefined) return [{ key, value: own.value, placeholder: `\${${own.name}}` }];
    const value = known.get(parameter.name) ?? valueFor(parts, parameter);
    return [{ key, value: value === undefined || isStructured(value) ? 'x' : value, placeholder: undefined }];
  });
}

function madeFor({ behaviour, above }: OperationPlan, name: string, made: ReadonlyMap<string, Made>): Made | undefined {
  const binding = behaviour?.binding ?? above?.binding;
  if (binding === undefined) return undefined;
  const { resource, scopeParameters, keyParameter, restrictions } = binding;
  if (name === keyParameter) return made.get(resource.path);
  const index = scopeParameters.indexOf(name);
  const parent =
    index < 0 ? restrictions.find((each) => each.parameter === name)?.parent : resource.scope[index]?.parent;
  return parent === undefined ? undefined : made.get(parent);
}

/** What is required in the query and the headers, and no credential. */
export function requiredParameters(parts: ServerParts, operation: Operation): JsonObject {
  const schemes = operation.security.flat().map(({ name }) => parts.api.securitySchemes.get(name)?.parameterName);
  const needed = operation.parameters.filter((parameter) => {
    return parameter.in !== 'path' && isNeeded(parameter) && !schemes.includes(parameter.name);
  });
  const entries = needed.flatMap((parameter): [string, JsonValue][] => {
    const value = valueFor(parts, parameter);
    return value === undefined || isStructured(value) ? [] : [[keyOf(operation, parameter), literal(value)]];
  });
  return Object.fromEntries(entries);
}

/** A contract has scalars and lists of them for parameters. */
function isStructured(value: JsonValue): boolean {
  return value === null || isJsonObject(value) || (Array.isArray(value) && value.some(isStructured));
}

/** `path.id` where two parameters share a name. */
function keyOf({ parameters }: Operation, { name, in: place }: Parameter): string {
  return parameters.filter((each) => each.name === name).length > 1 ? `${place}.${name}` : name;
}
