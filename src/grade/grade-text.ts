import { previewText } from '../core/json/stringify-json';
import { groupBy } from '../core/text/group-by';
import { counted, printable, printableLines } from '../core/text/printable';
import { type GradedDefect, type GradeResult, type GradeVerdict, shownGrade, VERDICTS } from './grade-result';
import { OPERATORS } from './mutants/operators';

const WORDS: Readonly<Record<GradeVerdict, string>> = {
  noticed: 'noticed',
  missed: 'missed',
  unreached: 'not reached',
  undecided: 'undecided',
};

const LISTS: readonly { readonly verdict: GradeVerdict; readonly title: string }[] = [
  { verdict: 'missed', title: 'Missed: a response shows it, and nothing compares that' },
  { verdict: 'unreached', title: 'Not reached: no request of the contracts shows it, another one does' },
];

/** A grade as text for a terminal. @param isVerbose - is what is undecided listed as well? */
export function formatGrade(result: GradeResult, isVerbose = false): string {
  const { defects, excluded } = result;
  const undecided = defects.filter(({ verdict }) => verdict === 'undecided');
  const parts = [
    headline(result),
    ...excluded.map(
      ({ file, name, reason }) =>
        `Not graded, for it fails at a mock without a defect: ${printable(file)}, ${printable(name)}\n  ${printable(reason)}`,
    ),
    tableText(result),
    ...LISTS.flatMap(({ verdict, title }) =>
      listText(
        title,
        defects.filter((each) => each.verdict === verdict),
      ),
    ),
    ...(isVerbose && undecided.length > 0
      ? [['Undecided: no request that was tried shows it', ...undecided.map(defectLine)].join('\n')]
      : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** In one sentence. */
export function headline({ grade, defects, contracts, excluded, available }: GradeResult): string {
  if (grade === undefined) return `No grade: none of the ${counted(defects.length, 'defect')} shows in any request`;
  const count = (wanted: GradeVerdict): number => defects.filter(({ verdict }) => verdict === wanted).length;
  const decided = defects.length - count('undecided');
  const suite = contracts.length - excluded.length;
  const verb = suite === 1 ? 'notices' : 'notice';
  const shown = count('unreached') === 0 ? '' : `, ${shownGrade(defects) ?? 0} % of those that their responses show`;
  const chosen = available > defects.length ? ` Of ${available} defects ${defects.length} were tried.` : '';
  const open = count('undecided') === 0 ? '' : ` ${count('undecided')} more are undecided and do not count.`;
  return `Grade ${grade} %: ${counted(suite, 'contract')} ${verb} ${count('noticed')} of ${counted(decided, 'defect')}${shown}.${open}${chosen}`;
}

function rowsOf({ defects }: GradeResult): { readonly title: string; readonly counts: readonly number[] }[] {
  const kinds = new Map(groupBy(defects, ({ kind }) => kind).map((group) => [group[0].kind, group]));
  return OPERATORS.flatMap(({ id, title }) => {
    const group = kinds.get(id);
    if (group === undefined) return [];
    return [{ title, counts: VERDICTS.map((verdict) => group.filter((each) => each.verdict === verdict).length) }];
  });
}

function tableText(result: GradeResult): string {
  const rows = rowsOf(result);
  const width = Math.max(...rows.map(({ title }) => title.length), 0);
  const heads = VERDICTS.map((verdict) => WORDS[verdict]);
  const line = (title: string, cells: readonly (string | number)[]): string =>
    [title.padEnd(width), ...cells.map((cell, at) => String(cell).padStart((heads[at] ?? '').length))].join('  ');
  return [line('', heads), ...rows.map(({ title, counts }) => line(title, counts))].join('\n');
}

function listText(title: string, defects: readonly GradedDefect[]): string[] {
  if (defects.length === 0) return [];
  return [[title, ...defects.map((defect, index) => detailText(defect, index + 1))].join('\n\n')];
}

function detailText(defect: GradedDefect, number: number): string {
  const { shownBy, assertion } = defect;
  const shown =
    shownBy === undefined ? [] : [`shown by ${previewText(printable(shownBy.request))} in ${printable(shownBy.file)}`];
  const lines = [
    ...shown,
    ...(assertion === undefined ? ['no assertion was found that would notice it'] : pasteText(assertion)),
  ];
  return [`${String(number).padStart(4)}. ${defectLine(defect)}`, ...lines.map((line) => `      ${line}`)].join('\n');
}

function pasteText({ place, step, text }: NonNullable<GradedDefect['assertion']>): string[] {
  const where =
    place === undefined
      ? 'a contract that notices it:'
      : `to notice it, in the step "${printable(step)}" (${printable(place)}):`;
  return [
    where,
    ...printableLines(text)
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
  ];
}

function defectLine({ operations, words, place }: GradedDefect): string {
  const names = operations.length === 0 ? 'all operations' : operations.slice(0, 3).join(', ');
  const more = operations.length > 3 ? ` and ${operations.length - 3} more` : '';
  return printable(`${names}${more}: ${words} (${place})`);
}

/** A grade as Markdown, for a comment or a page. */
export function gradeMarkdown(result: GradeResult): string {
  const rows = rowsOf(result).map(({ title, counts }) => `| ${title} | ${counts.join(' | ')} |`);
  const open = LISTS.flatMap(({ verdict, title }) => {
    const own = result.defects.filter((each) => each.verdict === verdict);
    if (own.length === 0) return [];
    const all = own.flatMap((defect, index) => ['', '```text', detailText(defect, index + 1), '```']);
    return ['', `<details><summary>${title} (${own.length})</summary>`, ...all, '', '</details>'];
  });
  const heads = VERDICTS.map((verdict) => WORDS[verdict]);
  return [
    `**${headline(result)}**`,
    '',
    `| Kind of defect | ${heads.join(' | ')} |`,
    `| --- | ${heads.map(() => '---:').join(' | ')} |`,
    ...rows,
    ...open,
    '',
  ].join('\n');
}

/** Width of a letter of the badge, about; of 11 pixels in sans serif. */
const LETTER = 6.6;

/** A grade as a badge: SVG of two fields, as pages of repositories show them. */
export function gradeBadge({ grade }: Pick<GradeResult, 'grade'>): string {
  const value = grade === undefined ? 'none' : `${grade} %`;
  const colour = grade === undefined ? '#777' : grade >= 90 ? '#2c7a3f' : grade >= 70 ? '#8a6d00' : '#b03a2e';
  const [left, right] = ['contract grade', value].map((text) => Math.round(text.length * LETTER) + 12) as [
    number,
    number,
  ];
  const text = (x: number, content: string): string => `<text x="${x}" y="14" text-anchor="middle">${content}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="contract grade: ${value}">`,
    `<title>contract grade: ${value}</title>`,
    `<rect width="${left}" height="20" fill="#444"/><rect x="${left}" width="${right}" height="20" fill="${colour}"/>`,
    `<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">`,
    text(left / 2, 'contract grade'),
    text(left + right / 2, value),
    '</g></svg>',
    '',
  ].join('\n');
}
