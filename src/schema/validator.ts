import type { AnyValidateFunction, DataValidationCxt, ErrorObject } from 'ajv/dist/types';
import type { JsonValue } from '../core/json/json-value';
import { stringifyJson } from '../core/json/stringify-json';
import { counted } from '../core/text/printable';
import { enumMessage, keywordValidator, typeMessage } from './exact-keywords';
import { isKeywordViolation } from './exact-keyword';
import { FORMATS } from './formats';
import { compilePattern } from './pattern/compile-pattern';

/** One place where a value breaks its schema. */
export interface Violation {
  /** JSON pointer into the value; `''` is the value itself. For a missing property: the object that lacks it. */
  readonly pointer: string;
  /** JSON Schema keyword that was broken, for example `required` or `minimum`. */
  readonly keyword: string;
  /** Name of the missing or unexpected property, for `required`, `additionalProperties` and the like. */
  readonly property?: string | undefined;
  /** What the schema asks, as the rest of a sentence: `must be an integer`. */
  readonly message: string;
  /** For `type` the types that the schema has, for `format` the format. */
  readonly expected?: readonly string[] | undefined;
  /** Does more than one schema of a `oneOf` fit, so that the description does not distinguish them? */
  readonly isAmbiguous?: boolean | undefined;
  /** Is it one of so many that no more were looked for? */
  readonly isOneOfMany?: true | undefined;
}

/** So many errors of one list or object are found; the rest of it is not looked at: nobody reads more. */
export const MAX_VIOLATIONS = 1000;

/** Gives the violations of a value, none when it is valid. Never throws. */
export type Validator = (value: unknown) => readonly Violation[];

export const NO_VIOLATIONS: readonly Violation[] = [];

/** Is all that is broken a `oneOf` of which several schemas fit? What those that do not fit say is no matter. */
export function matchesSeveral(violations: readonly Violation[]): boolean {
  const places = violations.filter(({ isAmbiguous }) => isAmbiguous === true).map(({ pointer }) => pointer);
  return violations.length > 0 && violations.every(({ pointer }) => places.some((place) => pointer.startsWith(place)));
}

type Params = Readonly<Record<string, unknown>>;

/** Says what ajv found in our words. Messages of our own keywords arrive finished. */
const MESSAGES: Readonly<Record<string, (params: Params) => string>> = {
  required: ({ missingProperty }) => `must have the property "${String(missingProperty)}"`,
  additionalProperties: ({ additionalProperty }) => `must not have the property "${String(additionalProperty)}"`,
  enum: ({ allowedValues }) => enumMessage((allowedValues ?? []) as JsonValue[]),
  type: ({ type }) => typeMessage(Array.isArray(type) ? (type as string[]) : String(type).split(',')),
  pattern: ({ pattern }) => `must match the pattern ${String(pattern)}`,
  format: ({ format }) => `must be a valid ${String(format)}`,
  minLength: ({ limit }) => `must have at least ${counted(String(limit), 'character')}`,
  maxLength: ({ limit }) => `must have at most ${counted(String(limit), 'character')}`,
  minItems: ({ limit }) => `must have at least ${counted(String(limit), 'item')}`,
  maxItems: ({ limit }) => `must have at most ${counted(String(limit), 'item')}`,
  minProperties: ({ limit }) => `must have at least ${counted(String(limit), 'property')}`,
  maxProperties: ({ limit }) => `must have at most ${counted(String(limit), 'property')}`,
  not: () => 'must not match the schema under "not"',
  oneOf: (params) =>
    isAmbiguous(params) ? 'must match exactly one schema of "oneOf", not several' : 'must match one schema of "oneOf"',
  const: ({ allowedValue }) => `must be ${stringifyJson(allowedValue as JsonValue)}`,
  dependentRequired: ({ property, missingProperty }) =>
    `must have the property "${String(missingProperty)}", because it has "${String(property)}"`,
  contains: ({ minContains, maxContains }) =>
    maxContains === undefined
      ? `must have at least ${counted(String(minContains), 'item')} that fits "contains"`
      : `must have ${String(minContains)} to ${counted(Number(maxContains), 'item')} that fit "contains"`,
  items: ({ limit }) => `must have at most ${counted(String(limit), 'item')}`,
  unevaluatedItems: ({ limit }) => `must have at most ${counted(String(limit), 'item')}`,
  unevaluatedProperties: ({ unevaluatedProperty }) => `must not have the property "${String(unevaluatedProperty)}"`,
  anyOf: () => 'must match at least one schema of "anyOf"',
};

/** Errors that only say that others were found. */
const REPEATING: ReadonlySet<string> = new Set(['if', 'propertyNames']);

/** @returns `undefined` for an ajv error that only repeats others */
function violationFromAjv(error: ErrorObject): Violation | undefined {
  const { instancePath: pointer, params, propertyName } = error;
  if (REPEATING.has(error.keyword)) return undefined;
  const { keyword, message } = describeError(error);
  // The name itself was checked: it is the property that should not be there.
  if (propertyName !== undefined) {
    const why = keyword === 'false' ? 'no name is allowed' : `its name ${message}`;
    const told = `must not have the property "${propertyName}": ${why}`;
    return { pointer, keyword: 'propertyNames', property: propertyName, message: told };
  }
  const { missingProperty, additionalProperty, unevaluatedProperty } = params as Params;
  const property = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  return {
    pointer,
    keyword,
    property: typeof property === 'string' ? property : undefined,
    message,
    expected: expectedBy(keyword, params as Params),
    isAmbiguous: isAmbiguous(params as Params) ? true : undefined,
  };
}

/** Our own keywords say it, and ajv does for its own. */
function expectedBy(keyword: string, { expected, type, format }: Params): readonly string[] | undefined {
  if (Array.isArray(expected)) return expected as readonly string[];
  if (keyword === 'type') return Array.isArray(type) ? (type as string[]) : String(type).split(',');
  return typeof format === 'string' ? [format] : undefined;
}

/** Does ajv say which schemas of a `oneOf` fit? It does where there are several. */
function isAmbiguous({ passingSchemas }: Params): boolean {
  return Array.isArray(passingSchemas);
}

function describeError({ keyword, params }: ErrorObject): { readonly keyword: string; readonly message: string } {
  if (isKeywordViolation(params)) return { keyword: params.brokenKeyword, message: params.message };
  return { keyword, message: MESSAGES[keyword]?.(params as Params) ?? `must satisfy "${keyword}"` };
}

/** So many calls that close a circle of references are made before what they give is stored: ordinary values need fewer. */
const MAX_UNCACHED = 1000;

/** What a schema said of a value, and what it looked at. */
interface Outcome {
  readonly isValid: unknown;
  readonly errors: ErrorObject[] | undefined;
  readonly evaluated: Evaluated | undefined;
}

type Evaluated = NonNullable<AnyValidateFunction['evaluated']>;

let calls = 0;
let outcomes = new Map<AnyValidateFunction, Map<object, Map<string, Outcome>>>();

/** To be called around the validation of a value: what was kept is of no use for another one. */
function forgetRecursion(): void {
  calls = 0;
  if (outcomes.size > 0) outcomes = new Map();
}

/**
 * A function that calls a schema from inside of it. Where two branches of a union, or two parts of an `allOf`, lead back
 * to the schema around them, every level of a value doubles the work; so once there was a lot of it, each value is
 * checked by each such schema once. It doubles the errors as well, of which so many are handed on.
 *
 * @param find - gives the function of the schema, which need not be there before it is called
 */
export function recursiveValidator(find: () => AnyValidateFunction | undefined): AnyValidateFunction {
  const through = function (value: unknown, context: DataValidationCxt): unknown {
    const path = context.instancePath;
    calls += 1;
    const known = calls > MAX_UNCACHED && isContainer(value) ? cachedOutcomes(through, value) : undefined;
    const earlier = known?.get(path);
    if (earlier !== undefined) return setOutcome(through, copyOf(earlier));
    const validate = find();
    if (validate === undefined) throw new Error('a schema was used before it was compiled');
    const isValid: unknown = validate(value, context);
    const outcome = { isValid, errors: validate.errors?.slice(0, MAX_VIOLATIONS), evaluated: validate.evaluated };
    known?.set(path, copyOf(outcome));
    return setOutcome(through, outcome);
  } as AnyValidateFunction;
  return through;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** What a schema said of a value, by the paths at which it stands: it may be shared. */
function cachedOutcomes(through: AnyValidateFunction, value: object): Map<string, Outcome> {
  const ofSchema = outcomes.get(through) ?? new Map<object, Map<string, Outcome>>();
  outcomes.set(through, ofSchema);
  const ofValue = ofSchema.get(value) ?? new Map<string, Outcome>();
  ofSchema.set(value, ofValue);
  return ofValue;
}

function setOutcome(through: AnyValidateFunction, { isValid, errors, evaluated }: Outcome): unknown {
  through.errors = errors ?? null;
  if (evaluated !== undefined) through.evaluated = evaluated;
  return isValid;
}

/** Who calls may add to the lists that it is given. */
function copyOf({ isValid, errors, evaluated }: Outcome): Outcome {
  return { isValid, errors: errors && [...errors], evaluated: evaluated && copyOfEvaluated(evaluated) };
}

function copyOfEvaluated(evaluated: Evaluated): Evaluated {
  const { props } = evaluated;
  return typeof props === 'object' ? { ...evaluated, props: { ...props } } : evaluated;
}

/** A validator of ours around a function that ajv made. */
export function toValidator(validate: AnyValidateFunction): Validator {
  return (value) => {
    forgetRecursion();
    const isValid = validate(value) === true;
    forgetRecursion();
    if (isValid) return NO_VIOLATIONS;
    const errors: readonly ErrorObject[] = validate.errors ?? [];
    const violations = errors.flatMap((error) => violationFromAjv(error) ?? []);
    return errors.length < MAX_VIOLATIONS
      ? violations
      : violations.map((violation) => ({ ...violation, isOneOfMany: true }));
  };
}

/** What the code of validators needs that is not in it: code of ours, of the form that runs. */
interface Parts {
  readonly judge: typeof keywordValidator;
  readonly formats: typeof FORMATS;
  readonly compilePattern: typeof compilePattern;
  readonly recurring: typeof recursiveValidator;
}

/** A module that {@link validatorModuleText} wrote. */
export type ValidatorModule = (parts: Parts) => Readonly<Record<string, AnyValidateFunction>>;

/** Puts the code of validators into a module. */
export function validatorModuleText(code: string): string {
  return `module.exports = (parts) => {
const exports = {};
const { formats, compilePattern } = parts;
${code}
return exports;
};
`;
}

/** The validators of a module by name. They judge as those that are compiled do, and need neither ajv nor its time. */
export function precompiledValidators(module: ValidatorModule): ReadonlyMap<string, Validator> {
  const made = module({ judge: keywordValidator, formats: FORMATS, compilePattern, recurring: recursiveValidator });
  return new Map(Object.entries(made).map(([name, validate]) => [name, toValidator(validate)]));
}
