import type { AnyValidateFunction, DataValidationCxt, ErrorObject } from 'ajv/dist/types';
import { MOST_VIOLATIONS } from './violation';

/** So many calls that close a circle of references are made before what they give is kept: ordinary values need fewer. */
const MOST_UNKEPT = 1000;

/** What a schema said of a value, and what it looked at. */
interface Outcome {
  readonly isValid: unknown;
  readonly errors: ErrorObject[] | undefined;
  readonly evaluated: Evaluated | undefined;
}

type Evaluated = NonNullable<AnyValidateFunction['evaluated']>;

let calls = 0;
let kept = new Map<AnyValidateFunction, Map<object, Map<string, Outcome>>>();

/** To be called around the validation of a value: what was kept is of no use for another one. */
export function forgetCalls(): void {
  calls = 0;
  if (kept.size > 0) kept = new Map();
}

/**
 * A function that calls a schema from inside of it. Where two branches of a union, or two parts of an `allOf`, lead back
 * to the schema around them, every level of a value doubles the work; so once there was a lot of it, each value is
 * judged by each such schema once. It doubles the errors as well, of which so many are handed on.
 *
 * @param find - gives the function of the schema, which need not be there before it is called
 */
export function recurring(find: () => AnyValidateFunction | undefined): AnyValidateFunction {
  const through = function (value: unknown, context: DataValidationCxt): unknown {
    const path = context.instancePath;
    calls += 1;
    const known = calls > MOST_UNKEPT && isContainer(value) ? keptFor(through, value) : undefined;
    const earlier = known?.get(path);
    if (earlier !== undefined) return tell(through, copyOf(earlier));
    const validate = find();
    if (validate === undefined) throw new Error('a schema was used before it was compiled');
    const isValid: unknown = validate(value, context);
    const outcome = { isValid, errors: validate.errors?.slice(0, MOST_VIOLATIONS), evaluated: validate.evaluated };
    known?.set(path, copyOf(outcome));
    return tell(through, outcome);
  } as AnyValidateFunction;
  return through;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** What a schema said of a value, by the paths at which it stands: it may be shared. */
function keptFor(through: AnyValidateFunction, value: object): Map<string, Outcome> {
  const ofSchema = kept.get(through) ?? new Map<object, Map<string, Outcome>>();
  kept.set(through, ofSchema);
  const ofValue = ofSchema.get(value) ?? new Map<string, Outcome>();
  ofSchema.set(value, ofValue);
  return ofValue;
}

function tell(through: AnyValidateFunction, { isValid, errors, evaluated }: Outcome): unknown {
  through.errors = errors ?? null;
  if (evaluated !== undefined) through.evaluated = evaluated;
  return isValid;
}

/** Whoever calls may add to the lists that it is given. */
function copyOf({ isValid, errors, evaluated }: Outcome): Outcome {
  return { isValid, errors: errors && [...errors], evaluated: evaluated && copyOfEvaluated(evaluated) };
}

function copyOfEvaluated(evaluated: Evaluated): Evaluated {
  const { props } = evaluated;
  return typeof props === 'object' ? { ...evaluated, props: { ...props } } : evaluated;
}
