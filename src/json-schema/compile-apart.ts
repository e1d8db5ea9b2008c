import type AjvCore from 'ajv/dist/core';
import type { AnyValidateFunction } from 'ajv/dist/types';

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
      call.target = validate;
    }
  } catch (error) {
    // What was not compiled is not to look as if it were.
    for (const { environment, call } of open) if (call.target === undefined) delete environment.validate;
    throw error;
  }
}

interface OpenCall {
  target: AnyValidateFunction | undefined;
  /** Calls the target, and tells what it tells: its errors, and what it looked at. */
  readonly through: AnyValidateFunction;
}

function openCall(): OpenCall {
  const through = function (this: unknown, ...parts: Parameters<AnyValidateFunction>): unknown {
    const { target } = call;
    if (target === undefined) throw new Error('a schema was used before it was compiled');
    const outcome: unknown = target.apply(this as never, parts);
    through.errors = target.errors ?? null;
    if (target.evaluated !== undefined) through.evaluated = target.evaluated;
    return outcome;
  } as AnyValidateFunction;
  const call: OpenCall = { target: undefined, through };
  return call;
}
