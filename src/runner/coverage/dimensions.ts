/** What a coverage counts, the one list of it: what one unit is, and when it was seen. docs/reference/verify.md has it as a table. */
export const DIMENSIONS = {
  operations: {
    unit: 'an operation of the description',
    seen: 'a response has a status that the operation documents',
  },
  statuses: {
    unit: 'a status that an operation documents, also a range (`4XX`) or `default`',
    seen: 'a response has it; a range and `default` by a status that is not documented itself',
  },
  parameters: {
    unit: 'a parameter of an operation, those of the path too',
    seen: 'a request to the operation had it, with whatever value',
  },
  properties: {
    unit: 'a property of the body that an operation takes or returns, once for each direction',
    seen: 'a request or a response of the operation had it, with whatever value',
  },
  words: {
    unit: 'a value of `enum` or `const` of a parameter or a body, once for each direction',
    seen: 'it was sent or came where its schema stands',
  },
} as const satisfies Readonly<Record<string, { readonly unit: string; readonly seen: string }>>;

export type Dimension = keyof typeof DIMENSIONS;
export const DIMENSION_IDS = Object.keys(DIMENSIONS) as readonly Dimension[];

/** How much of each dimension has to be seen, in percent of its units. */
export type MinCoverage = Readonly<Partial<Record<Dimension, number>>>;

/** What a run saw nothing of. */
export interface UnseenUnit {
  /** Id of the operation. */
  readonly operation: string;
  /** JSON pointer into the description. */
  readonly pointer: string;
  /** What it is, within the operation: `404`, `query parameter limit`, `response /name`. */
  readonly name: string;
  /** For how many units of the operation it stands, where no request reached that at all; one when left out. */
  readonly units?: number | undefined;
}

/** How much of one dimension a run saw. */
export interface DimensionCoverage {
  readonly dimension: Dimension;
  /** Units that the description has; 0 where it has nothing of the kind. */
  readonly total: number;
  readonly seen: number;
  /** In the order of the description. */
  readonly unseen: readonly UnseenUnit[];
}

/** In whole percent, rounded down: 100 means all. `undefined` where there is nothing to be seen. */
export function percentOf({ seen, total }: Pick<DimensionCoverage, 'seen' | 'total'>): number | undefined {
  return total === 0 ? undefined : Math.floor((seen / total) * 100);
}

/** A dimension of which less was seen than was asked for. */
export interface MissedLimit extends DimensionCoverage {
  /** In percent. */
  readonly limit: number;
}

/** The dimensions of which less was seen than was asked for. Where a description has nothing of one, all of it was seen. */
export function missedLimits(dimensions: readonly DimensionCoverage[], limits: MinCoverage): MissedLimit[] {
  return dimensions.flatMap((each) => {
    const limit = limits[each.dimension];
    return limit === undefined || each.seen * 100 >= limit * each.total ? [] : [{ ...each, limit }];
  });
}

/**
 * The coverage of several parts of one run: seen is what one of them saw.
 *
 * @param parts - of one description
 */
export function joinCoverage(parts: readonly (readonly DimensionCoverage[])[]): DimensionCoverage[] {
  const [first = []] = parts;
  return first.map(({ dimension, total }) => {
    const lists = parts.map((part) => part.find((each) => each.dimension === dimension)?.unseen ?? []);
    const unseen = unseenByAll(lists);
    return { dimension, total, seen: total - unseen.reduce((sum, { units = 1 }) => sum + units, 0), unseen };
  });
}

/** A part that called an operation lists its units one by one; one that did not has one entry for all of them. */
function unseenByAll(lists: readonly (readonly UnseenUnit[])[]): UnseenUnit[] {
  const parts = lists.map((list) => ({
    whole: new Set(list.flatMap(({ operation, units }) => (units === undefined ? [] : [operation]))),
    single: new Set(list.flatMap((each) => (each.units === undefined ? [keyOf(each)] : []))),
  }));
  const found = new Map<string, UnseenUnit>();
  for (const each of lists.flat()) {
    const key = keyOf(each);
    const isUnseen = parts.every(
      ({ whole, single }) => whole.has(each.operation) || (each.units === undefined && single.has(key)),
    );
    if (isUnseen && !found.has(key)) found.set(key, each);
  }
  return [...found.values()];
}

function keyOf({ operation, pointer, name }: UnseenUnit): string {
  return JSON.stringify([operation, pointer, name]);
}
