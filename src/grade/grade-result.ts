/** Version of the JSON form of a grade, written in it. */
export const GRADE_FORMAT = 'grade/1';

/**
 * What became of a defect. `noticed`: a run of the contracts fails. `missed`: a response shows it, and nothing compares
 * that. `unreached`: no request of the contracts shows it, another one does. `undecided`: no request that was tried
 * shows it; it may be no defect at all, and does not count.
 */
export const VERDICTS = ['noticed', 'missed', 'unreached', 'undecided'] as const;
export type GradeVerdict = (typeof VERDICTS)[number];

/** What would have noticed a defect, ready to paste. */
export interface Assertion {
  /** File, line and column of what it is added to; `undefined` for a contract of its own. */
  readonly place: string | undefined;
  /** Name of the step that it is added to. */
  readonly step: string;
  /** YAML. It was run: green at the conforming mock, red at the defect. */
  readonly text: string;
}

/** A defect, and whether the contracts notice it. */
export interface GradedDefect {
  /** The same from run to run. */
  readonly id: string;
  /** Kind of mistake: id of an operator. */
  readonly kind: string;
  readonly words: string;
  /** Ids of the operations that have it; empty for all. */
  readonly operations: readonly string[];
  /** JSON pointer into the description. */
  readonly pointer: string;
  /** File, line and column there. */
  readonly place: string;
  readonly verdict: GradeVerdict;
  /** Of what is noticed: contract, step and check. */
  readonly noticedBy?: { readonly contract: string; readonly step: string; readonly check: string } | undefined;
  /** Of what is missed: the first request whose response shows it. */
  readonly shownBy?: { readonly contract: string; readonly file: string; readonly request: string } | undefined;
  readonly assertion?: Assertion | undefined;
  /** Of what is undecided: why. */
  readonly reason?: string | undefined;
}

export interface GradeResult {
  readonly format: typeof GRADE_FORMAT;
  readonly version: string;
  /** Title and version of the API. */
  readonly api: string;
  readonly description: string;
  readonly durationMs: number;
  readonly contracts: readonly { readonly name: string; readonly file: string }[];
  /** Contracts that fail at the conforming mock: with them nothing can be graded. */
  readonly excluded: readonly { readonly name: string; readonly file: string; readonly reason: string }[];
  /** Of how many defects these were chosen. */
  readonly available: number;
  readonly defects: readonly GradedDefect[];
  /** Defects that were noticed of those that are decided, in percent; `undefined` where there are none. */
  readonly grade: number | undefined;
  /** What it has to be at least; `undefined` for nothing. */
  readonly min?: number | undefined;
}

/** So many were noticed of those that a response shows, in percent; `undefined` where there are none. */
export function shownGrade(defects: readonly Pick<GradedDefect, 'verdict'>[]): number | undefined {
  return gradeOf(defects.filter(({ verdict }) => verdict !== 'unreached'));
}

/** So many were noticed of those that are decided, in percent, rounded down: 100 means all. */
export function gradeOf(defects: readonly Pick<GradedDefect, 'verdict'>[]): number | undefined {
  const decided = defects.filter(({ verdict }) => verdict !== 'undecided');
  const noticed = decided.filter(({ verdict }) => verdict === 'noticed').length;
  return decided.length === 0 ? undefined : Math.floor((noticed / decided.length) * 1000) / 10;
}
