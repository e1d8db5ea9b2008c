import { formatSourceLocation } from '../../core/errors/standin-error';
import { optionsIn } from '../../core/options/option-table';
import { printable, printableJson } from '../../core/text/printable';
import { formatGrade, gradeBadge, gradeMarkdown } from '../../grade/grade-text';
import type { GradeResult } from '../../grade/grade-result';
import { gradeContracts } from '../../library/grade';
import { GRADE_OPTIONS, type GradeOptions } from '../../library/grade-options';
import { whileLoading } from '../terminal/progress-line';
import { EXIT, printText } from '../terminal/terminal';
import { requireOutput, writeAtomically } from './report-files';

/** Values of the flags of `standin grade`. */
export interface GradeFlags extends Omit<GradeOptions, 'contracts' | 'signal' | 'onProgress'> {
  readonly json?: true;
  readonly verbose?: true;
  readonly markdown?: string;
  readonly badge?: string;
}

/**
 * Grades contracts, and prints what they do not notice.
 *
 * @returns the exit code
 * @throws StandinError for what cannot be used
 */
export async function grade(contracts: readonly string[], flags: GradeFlags): Promise<number> {
  const outputs = [
    { what: `The page ${flags.markdown ?? ''}`, file: flags.markdown, format: gradeMarkdown },
    { what: `The badge ${flags.badge ?? ''}`, file: flags.badge, format: gradeBadge },
  ].flatMap(({ file, ...output }) => (file === undefined ? [] : [{ ...output, file }]));
  for (const { what, file } of outputs) requireOutput(what, file);
  const named = contracts.length === 0 ? {} : { contracts };
  const result = await whileLoading('grade', (onProgress) =>
    gradeContracts({ ...optionsIn(GRADE_OPTIONS, flags), ...named, onProgress }, (finding) => {
      printText(process.stderr, `${printable(formatSourceLocation(finding))}: ${printable(finding.message)}\n`);
    }),
  );
  const text =
    flags.json === true ? `${printableJson(JSON.stringify(result, null, 2))}\n` : formatGrade(result, flags.verbose);
  printText(process.stdout, text);
  for (const { file, format } of outputs) writeAtomically(file, format(result));
  printText(process.stderr, endNote(result));
  return exitCode(result);
}

/** The last words, which nothing scrolls away. */
function endNote({ grade: reached, min, excluded }: GradeResult): string {
  if (min === undefined || reached === undefined) return '';
  const missing = excluded.length === 0 ? '' : ' Contracts that fail at a mock without a defect notice nothing.';
  return reached < min ? `The grade is ${reached} %, and has to be ${min} % at least (--min).${missing}\n` : '';
}

function exitCode({ grade: reached, min = 0 }: GradeResult): number {
  if (reached === undefined) return EXIT.unreachable;
  return reached < min ? EXIT.violations : EXIT.ok;
}
