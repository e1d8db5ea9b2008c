import type { AnyValidateFunction, ErrorObject } from 'ajv/dist/types';
import { NO_VIOLATIONS, type Validator } from './violation';
import { violationFromAjv } from './violation-message';

/** A validator of ours around a function that ajv made. */
export function toValidator(validate: AnyValidateFunction): Validator {
  return (value) => {
    if (validate(value) === true) return NO_VIOLATIONS;
    return (validate.errors ?? []).flatMap((error: ErrorObject) => violationFromAjv(error) ?? []);
  };
}
