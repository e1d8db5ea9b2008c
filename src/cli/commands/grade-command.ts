import { inGroup } from '../../core/options/option-table';
import { booleanValue, stringValue } from '../../core/options/option-types';
import { GRADE_OPTIONS } from '../../library/grade-options';
import type * as Grade from '../actions/grade';
import type { CommandDefinition } from '../options/command-definition';
import { JSON_OPTION } from '../options/flags';

export const gradeCommand: CommandDefinition = {
  name: 'grade',
  about: 'Find out which defects of a service contracts would notice, and what to add to them.',
  arguments: [['[contracts...]', 'contract files, or folders of them (default: those of the bundled Petstore)']],
  options: {
    ...GRADE_OPTIONS,
    ...JSON_OPTION,
    ...inGroup('Output', {
      markdown: {
        flag: '--markdown <file>',
        doc: 'write the grade as Markdown, for a comment or a page',
        type: stringValue,
        path: 'file',
      },
      badge: {
        flag: '--badge <file>',
        doc: 'write the grade as a badge, SVG',
        type: stringValue,
        path: 'file',
      },
      verbose: { flag: '--verbose', doc: 'list what is undecided as well', type: booleanValue },
    }),
  },
  notes: `
Nothing is sent anywhere: the service is the mock of the description, in this process, with one mistake at a time.

Exit codes: 0 graded, at least as --min asks, 1 less than --min, 2 usage or document error, 3 no defect shows in any request.

Examples:
  standin grade contracts --spec openapi.yaml
  standin grade contracts --spec openapi.yaml --min 80 --badge grade.svg
  standin grade contracts --spec openapi.yaml --json | jq '.defects[] | select(.verdict == "missed") | .id'
`,
  run([contracts]: readonly [readonly string[]], values: Grade.GradeFlags) {
    // oxlint-disable-next-line typescript/no-require-imports -- jest cannot run `import()` in CommonJS
    return (require('../actions/grade') as typeof Grade).grade(contracts, values);
  },
};
