import type { AnyValidateFunction, ErrorObject } from 'ajv/dist/types';
import { forgetCalls } from './recurring';
import { MOST_VIOLATIONS, NO_VIOLATIONS, type Validator } from './violation';
import { violationFromAjv } from './violation-message';

/** A validator of ours around a function that ajv made. */
export function toValidator(validate: AnyValidateFunction): Validator {
  return (value) => {
    forgetCalls();
    const isValid = validate(value) === true;
    forgetCalls();
    if (isValid) return NO_VIOLATIONS;
    const errors: readonly ErrorObject[] = validate.errors ?? [];
    const violations = errors.flatMap((error) => violationFromAjv(error) ?? []);
    return errors.length < MOST_VIOLATIONS
      ? violations
      : violations.map((violation) => ({ ...violation, isOneOfMany: true }));
  };
}
