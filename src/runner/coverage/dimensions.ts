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

/** Name of the entry for all units of an operation that no request reached. */
export const UNCALLED = 'all: not called';

/** What a run saw nothing of. */
export interface UnseenUnit {
  /** Id of the operation. */
  readonly operation: string;
  /** JSON pointer into the description. */
  readonly pointer: string;
  /** What it is, within the operation: `404`, `query parameter limit`, `response 200 /name`. */
  readonly name: string;
  /** For how many units it stands, of an operation that was not called or of an object that is missing; one when left out. */
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

/** What all parts list, be it as a whole: an operation that was not called, an object that is missing. */
function unseenByAll(lists: readonly (readonly UnseenUnit[])[]): UnseenUnit[] {
  const parts = lists.map((list) => new UnseenUnits(list));
  const found = new Map<string, UnseenUnit>();
  for (const each of lists.flat()) if (parts.every((part) => part.has(each))) found.set(keyOf(each), each);
  return [...found.values()];
}

class UnseenUnits {
  private readonly keys: ReadonlySet<string>;
  private readonly wholes = new Map<string, string[]>();

  constructor(list: readonly UnseenUnit[]) {
    this.keys = new Set(list.map(keyOf));
    for (const { operation, name, units } of list)
      if (units !== undefined || name === UNCALLED)
        this.wholes.set(operation, [...(this.wholes.get(operation) ?? []), name]);
  }

  has(unit: UnseenUnit): boolean {
    const { operation, name } = unit;
    if (this.keys.has(keyOf(unit))) return true;
    return (this.wholes.get(operation) ?? []).some(
      (whole) => whole === UNCALLED || name.startsWith(`${whole}/`) || name.startsWith(`${whole}: `),
    );
  }
}

function keyOf({ operation, pointer, name }: UnseenUnit): string {
  return JSON.stringify([operation, pointer, name]);
}
