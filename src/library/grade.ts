import './node-globals';
import type { SourceFinding } from '../core/errors/standin-error';
import { checkOptions } from '../core/options/option-table';
import type { GradeResult } from '../grade/grade-result';
import { GRADE_OPTIONS, type GradeOptions } from './grade-options';
import type * as GradeRun from './grade-run';

/**
 * Finds out which defects of a service contracts would notice: they are replayed at mocks of the description that make one
 * mistake each, in this process.
 *
 * @param warn - called with what is doubtful about the description
 * @returns every defect with what became of it; `grade` sums it up
 * @throws ConfigError, SpecError, ContractError when the options or the files cannot be used, and where every contract
 *   fails at a mock without a defect
 */
export async function gradeContracts(
  options: GradeOptions = {},
  warn: (finding: SourceFinding) => void = () => undefined,
): Promise<GradeResult> {
  checkOptions(options, GRADE_OPTIONS, 'gradeContracts');
  // oxlint-disable-next-line typescript/no-require-imports -- who only runs contracts needs no mock
  return (require('./grade-run') as typeof GradeRun).gradeWith(options, warn);
}
