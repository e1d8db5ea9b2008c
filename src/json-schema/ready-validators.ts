import type { AnyValidateFunction } from 'ajv/dist/types';
import { judgeOf } from './exact-judges';
import { FORMATS } from './formats';
import { compilePattern } from './pattern/compile-pattern';
import { recurring } from './recurring';
import { toValidator } from './to-validator';
import type { Validator } from './violation';

/** What the code of validators needs that is not in it: code of ours, of the form that runs. */
interface Parts {
  readonly judge: typeof judgeOf;
  readonly formats: typeof FORMATS;
  readonly compilePattern: typeof compilePattern;
  readonly recurring: typeof recurring;
}

/** A module that {@link moduleOf} wrote. */
export type ValidatorModule = (parts: Parts) => Readonly<Record<string, AnyValidateFunction>>;

/** Puts the code of validators into a module. */
export function moduleOf(code: string): string {
  return `module.exports = (parts) => {
const exports = {};
const { formats, compilePattern } = parts;
${code}
return exports;
};
`;
}

/** The validators of a module by name. They judge as those that are compiled do, and need neither ajv nor its time. */
export function readyValidators(module: ValidatorModule): ReadonlyMap<string, Validator> {
  const made = module({ judge: judgeOf, formats: FORMATS, compilePattern, recurring });
  return new Map(Object.entries(made).map(([name, validate]) => [name, toValidator(validate)]));
}
