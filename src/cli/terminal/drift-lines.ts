import type pc from 'picocolors';
import { groupBy } from '../../core/text/group-by';
import { counted, printable } from '../../core/text/printable';
import { foldPointer, ruleOf } from '../../report/causes/fingerprint';
import type { LocatedFinding, StepResult } from '../../runner/result/run-result';

/** So many different violations are told apart while traffic goes on; the report has the others. */
const MOST_TOLD = 1000;

interface Told {
  /** What is said again. */
  readonly title: string;
  times: number;
}

/**
 * What is printed of recorded traffic while it goes on: each violation once, with what was expected and where the
 * description says so; then how often it came, at ten times, a hundred times and so on.
 */
export class DriftLines {
  private readonly colours: ReturnType<typeof pc.createColors>;
  private readonly told = new Map<string, Told>();
  private unreported = 0;

  constructor(colours: ReturnType<typeof pc.createColors>) {
    this.colours = colours;
  }

  private get labels(): Readonly<Record<LocatedFinding['severity'], string>> {
    const { cyan, red, yellow } = this.colours;
    return { error: red('DRIFT'), warning: yellow('WARNING'), info: cyan('NOTE') };
  }

  /** The lines for the judgement of one exchange; none where there is nothing new to say. */
  of(step: StepResult): string[] {
    const { verdict, warnings } = step;
    if (verdict.kind === 'error') {
      const { code, message, hint } = verdict.error;
      return this.lines(step, { check: code, severity: 'error', at: '', message, hint });
    }
    const errors = verdict.kind === 'fail' ? verdict.findings : [];
    return onePerPlace([...errors, ...warnings]).flatMap((finding) => this.lines(step, finding));
  }

  /** How often everything came that came more than once. To be printed last. */
  ending(): string[] {
    const repeated = [...this.told.values()].filter(({ times }) => times > 1).map(repeatedLine);
    const more = `… and ${counted(this.unreported, 'other violation')}: the report has them all`;
    return this.unreported === 0 ? repeated : [...repeated, more];
  }

  private lines(step: StepResult, finding: LocatedFinding): string[] {
    const { check, at } = finding;
    const key = JSON.stringify([step.operation ?? step.name, check, foldPointer(at), ruleOf(finding)]);
    const known = this.told.get(key);
    if (known !== undefined) {
      known.times += 1;
      return isPowerOfTen(known.times) ? [repeatedLine(known)] : [];
    }
    if (this.told.size >= MOST_TOLD) {
      this.unreported += 1;
      return [];
    }
    const told = { title: printable(`${step.name} ${check}: ${finding.message}`), times: 1 };
    this.told.set(key, told);
    return this.firstLines(step, finding);
  }

  private firstLines({ name, place }: StepResult, finding: LocatedFinding): string[] {
    const { bold, dim, yellow } = this.colours;
    const { check, severity, message, expected, actual, hint } = finding;
    const label = this.labels[severity];
    const values = [
      ...(expected === undefined ? [] : [`expected ${expected}`]),
      ...(actual === undefined ? [] : [`actual ${actual}`]),
      ...(expected === undefined && actual === undefined && hint !== undefined ? [hint] : []),
    ];
    const see = [finding.place, place].flatMap((each) => (each === undefined ? [] : [printable(each)]));
    const details = [printable(values.join(', ')), dim(see.join(' '))].filter(
      (text) => text !== '' && text !== dim(''),
    );
    return [
      `${label} ${bold(printable(name))}  ${yellow(check)} ${printable(message)}`,
      ...(details.length === 0 ? [] : [`    ${details.join('  ')}`]),
    ];
  }
}

/** One value may break several rules of its schema, and is one mistake. */
function onePerPlace(findings: readonly LocatedFinding[]): LocatedFinding[] {
  return groupBy(findings, ({ check, at }) => JSON.stringify([check, at])).map(([first]) => first);
}

function repeatedLine({ title, times }: Told): string {
  return `… ${counted(times, 'time')}: ${title}`;
}

function isPowerOfTen(count: number): boolean {
  return /^10+$/.test(String(count));
}
