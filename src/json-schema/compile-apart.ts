import type AjvCore from 'ajv/dist/core';
import type { AnyValidateFunction } from 'ajv/dist/types';
import { recurring } from './recurring';

/**
 * Compiles schemas one after another, however long the chain of references between them: each of them calls the others
 * through a function that is there before they are. Such a call costs a little more than one that ajv makes itself.
 *
 * @param ids - schemas that ajv knows, and that refer to no others
 */
export function compileApart(ajv: AjvCore, ids: readonly string[]): void {
  const open = ids.flatMap((id) => {
    const environment = ajv.schemas[id];
    if (environment === undefined || environment.validate !== undefined) return [];
    const call = openCall();
    environment.validate = call.through;
    return [{ id, environment, call }];
  });
  try {
    for (const { id, environment, call } of open) {
      delete environment.validate;
      const validate = ajv.getSchema(id);
      if (validate === undefined) throw new Error(`no schema is registered as ${id}`);
      call.validate = validate;
    }
  } catch (error) {
    // What was not compiled is not to look as if it were.
    for (const { environment, call } of open) if (call.validate === undefined) delete environment.validate;
    throw error;
  }
}

interface OpenCall {
  validate: AnyValidateFunction | undefined;
  /** Calls the schema, and tells what it tells: its errors, and what it looked at. */
  readonly through: AnyValidateFunction;
}

function openCall(): OpenCall {
  const call: OpenCall = { validate: undefined, through: recurring(() => call.validate) };
  return call;
}
