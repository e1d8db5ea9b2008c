import {
  type DimensionCoverage,
  type MissedLimit,
  percentOf,
  UNCALLED,
  type UnseenUnit,
} from '../../runner/coverage/dimensions';
import { whyCoverageIsOpen } from '../../runner/result/outcome';
import type { RunResult } from '../../runner/result/run-result';

/** `83 %`; `–` where the description has nothing of the kind. */
export function percentText(coverage: DimensionCoverage): string {
  const percent = percentOf(coverage);
  return percent === undefined ? '–' : `${percent} %`;
}

/** What was seen of each dimension in one line: `operations 5/6 (83 %) · words –`; `undefined` where nobody counted. */
export function coverageText({ dimensions = [] }: RunResult): string | undefined {
  if (dimensions.length === 0) return undefined;
  return dimensions
    .map((each) => {
      const { dimension, seen, total } = each;
      return total === 0 ? `${dimension} –` : `${dimension} ${seen}/${total} (${percentText(each)})`;
    })
    .join(' · ');
}

/** The first units that were not seen, and how many more there are. */
export function unseenText(unseen: readonly UnseenUnit[], most: number): string {
  const shown = unseen.slice(0, most).map(({ operation, name, units }) => {
    if (name === UNCALLED) return `${operation} (all${units === undefined ? '' : ` ${units}`}: not called)`;
    if (units !== undefined) return `${operation} ${name} (all ${units})`;
    return name === operation ? name : `${operation} ${name}`;
  });
  const rest = unseen.slice(most).reduce((sum, { units = 1 }) => sum + units, 0);
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** For reports that have a place for properties: percent by dimension, null where there is nothing; none where nobody counted. */
export function coverageProperties({ dimensions = [] }: RunResult): Readonly<Record<string, number | null>> {
  return Object.fromEntries(dimensions.map((each) => [each.dimension, percentOf(each) ?? null]));
}

/** Was a minimum asked for that nobody can judge here? Then why, for people. */
export function openCoverageText(result: RunResult): string | undefined {
  const asked = Object.keys(result.minCoverage ?? {}).length;
  const reason = asked === 0 ? undefined : whyCoverageIsOpen(result);
  return reason === undefined ? undefined : `--min-coverage was not judged: ${reason}`;
}

const MOST_NAMED = 5;

/** What is said of a dimension of which less was seen than was asked for. */
export function missedText(missed: MissedLimit): string {
  const { dimension, seen, total, limit, unseen } = missed;
  return (
    `Coverage of ${dimension} is ${percentText(missed)} (${seen} of ${total}), below the ${limit} % of --min-coverage. ` +
    `Not seen: ${unseenText(unseen, MOST_NAMED)}`
  );
}

/** How to mend what {@link missedText} says. */
export function missedHint({ dimension, limit }: MissedLimit): string {
  return `Add steps that show what is missing, or lower --min-coverage ${dimension}=${limit}. The JSON report lists all of it under dimensions.`;
}
