import { isSecretMember } from '../http/secret-name';
import { schemasWithin } from '../openapi/inner-schemas';
import type { ApiModel, Operation } from '../openapi/model';

/** Which members of bodies are not shown. */
export interface SecretMembers {
  /** Those that the description calls so: whatever their value is, nothing of it is shown. */
  readonly declared: ReadonlySet<string>;
  /** Declared, or called so by everybody. */
  readonly has: (name: string) => boolean;
}

const OF_OPERATIONS = new WeakMap<Operation, ReadonlySet<string>>();
const OF_ALL = new WeakMap<ApiModel, ReadonlySet<string>>();

/**
 * The secret members of an operation's bodies: `writeOnly` and `format: password` at any depth (OAS 3.0.3 §4.7.24), and
 * what is one by its name.
 *
 * @param operation - `undefined` where none is known: then a body may show no secret of any
 */
export function secretMembers(api: ApiModel, operation: Operation | undefined): SecretMembers {
  const declared = operation === undefined ? namesOfAll(api) : namesOf(api, operation);
  return { declared, has: (name) => declared.has(name) || isSecretMember(name) };
}

function namesOfAll(api: ApiModel): ReadonlySet<string> {
  let names = OF_ALL.get(api);
  if (names === undefined) {
    names = new Set(api.operations.flatMap((operation) => [...namesOf(api, operation)]));
    OF_ALL.set(api, names);
  }
  return names;
}

function namesOf(api: ApiModel, operation: Operation): ReadonlySet<string> {
  const known = OF_OPERATIONS.get(operation);
  if (known !== undefined) return known;
  const names = new Set<string>();
  const contents = [operation.requestBody, ...operation.responses.values()].flatMap((body) => body?.content ?? []);
  for (const schema of schemasWithin(
    api,
    contents.flatMap((content) => content.schema ?? []),
  )) {
    for (const { name, writeOnly, schema: value } of api.propertiesOf(schema).values())
      if (writeOnly || value['format'] === 'password') names.add(name);
  }
  OF_OPERATIONS.set(operation, names);
  return names;
}
