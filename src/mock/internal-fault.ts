import { problem, type Problem } from '../checks/problem';
import { SpecError } from '../errors/harness-error';

/** A schema of the description that cannot judge lets nothing pass, and says so; the rest is told in the log alone. */
export function faultOf(error: unknown): Problem {
  return error instanceof SpecError
    ? problem('schema_unusable', error.message)
    : problem('internal_error', 'The mock met a defect in itself or in its rules; its log says more');
}
