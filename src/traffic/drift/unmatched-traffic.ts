import { StandinError } from '../../core/errors/standin-error';
import { counted } from '../../core/text/printable';
import type { ApiModel } from '../../openapi/model/api-model';
import { guessTemplate } from './traffic-routing';

/** Practically all: some paths may be anywhere. */
const PRACTICALLY_ALL = 0.9;
/** Of fewer requests nothing is concluded. */
const FEWEST = 3;
/** So many paths are kept to find out where they would fit. */
const MOST_SAMPLES = 500;
/** So many shapes of paths are told apart. */
const MOST_SHAPES = 200;
const MOST_SHOWN = 3;

interface Sample {
  readonly method: string;
  readonly path: string;
}

/** What the traffic has that the description does not, and whether it is too much to be judged by it. */
export class UnmatchedTraffic {
  /** By what was asked for, `GET /things/{id}`. */
  private readonly shapes = new Map<string, number>();
  /** Those that the service knows, and all. */
  private readonly known: Sample[] = [];
  private readonly all: Sample[] = [];
  private readonly elsewhere = new Map<string, number>();
  private matched = 0;
  private unmatched = 0;
  /** Those that the service knows all the same. */
  private accepted = 0;

  addMatched(): void {
    this.matched += 1;
  }

  /** @returns its shape, by which it is named once */
  add(method: string, path: string, status: number): string {
    this.unmatched += 1;
    if (status < 400) this.accepted += 1;
    if (status < 400 && this.known.length < MOST_SAMPLES) this.known.push({ method, path });
    if (this.all.length < MOST_SAMPLES) this.all.push({ method, path });
    const shape = `${method} ${guessTemplate(path)}`;
    const told = this.shapes.has(shape) || this.shapes.size < MOST_SHAPES ? shape : 'any other path';
    this.shapes.set(told, (this.shapes.get(told) ?? 0) + 1);
    return told;
  }

  addElsewhere(origin: string): void {
    this.elsewhere.set(origin, (this.elsewhere.get(origin) ?? 0) + 1);
  }

  /** Is there enough to say that the description does not fit? */
  get isMisfit(): boolean {
    const { matched, accepted, unmatched } = this;
    if (matched === 0) return unmatched >= FEWEST;
    return accepted >= FEWEST && accepted >= (accepted + matched) * PRACTICALLY_ALL;
  }

  /** Is there so much of it that more will hardly change what is said? For who judges while the traffic goes on. */
  get isCertain(): boolean {
    return this.unmatched >= 10 && this.isMisfit;
  }

  /** Why the traffic cannot be judged by the description; `undefined` where it can. */
  misfit(api: ApiModel, baseUrl: string): StandinError | undefined {
    if (this.matched + this.unmatched === 0) return this.wrongOrigin(baseUrl);
    const samples = this.known.length > 0 ? this.known : this.all;
    const isMuch = this.accepted > this.matched || this.isMisfit;
    const better = isMuch ? bestBase(api, samples, new URL(baseUrl).origin) : undefined;
    const isMostly = better !== undefined && better.count >= Math.max(FEWEST, samples.length * PRACTICALLY_ALL);
    if (!this.isMisfit && !isMostly) return undefined;
    const all = counted(this.matched + this.unmatched, 'request');
    const what = this.matched === 0 ? `None of ${all} is` : `Only ${this.matched} of ${all} are`;
    return new StandinError('TRAFFIC_UNRELATED', `${what} in the description: it does not fit this traffic`, {
      hint:
        better === undefined || better.count * 2 < samples.length
          ? `The most frequent are ${this.mostFrequent()}. Is it the description of this API, and the base URL ${baseUrl} the right one?`
          : `${better.count} of ${samples.length} others fit ${better.text}.`,
    });
  }

  private wrongOrigin(baseUrl: string): StandinError | undefined {
    const [most] = [...this.elsewhere].sort((left, right) => right[1] - left[1]);
    if (most === undefined) return undefined;
    const all = [...this.elsewhere.values()].reduce((sum, count) => sum + count, 0);
    const message = `None of ${counted(all, 'request')} went to ${new URL(baseUrl).origin}, where the API is looked for`;
    return new StandinError('TRAFFIC_UNRELATED', message, {
      hint: `${most[1]} went to ${most[0]}: is that the base URL?`,
    });
  }

  private mostFrequent(): string {
    const sorted = [...this.shapes].sort((left, right) => right[1] - left[1]).slice(0, MOST_SHOWN);
    return sorted.map(([shape, count]) => `${shape} (${counted(count, 'time')})`).join(', ');
  }
}

/** Where paths would fit: how many, and the words for it. */
interface BetterBase {
  readonly count: number;
  readonly text: string;
}

/** Another path before every path of the description, or one that every path of the description begins with. */
function bestBase(api: ApiModel, samples: readonly Sample[], origin: string): BetterBase | undefined {
  const counts = new Map<string, BetterBase>();
  const count = (key: string, text: string): void => {
    counts.set(key, { text, count: (counts.get(key)?.count ?? 0) + 1 });
  };
  const prefixes = literalPrefixes(api);
  for (const { method, path } of samples) {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const base = path.slice(0, end);
      if (fits(api, method, path.slice(end))) count(`+${base}`, `with the base URL ${origin}${base}`);
    }
    for (const prefix of prefixes) {
      if (fits(api, method, `${prefix}${path}`))
        count(
          `-${prefix}`,
          `below ${prefix}, which the paths of the description begin with, and those of the traffic do not: correct its "servers" and paths`,
        );
    }
  }
  return [...counts.values()].reduce<BetterBase | undefined>(
    (best, next) => (best === undefined || next.count > best.count ? next : best),
    undefined,
  );
}

function fits({ routes }: ApiModel, method: string, path: string): boolean {
  return routes.match(path, method)?.route.operations.has(method) === true;
}

/** What every path of the description begins with: `/api`, `/api/v1`. */
function literalPrefixes({ routes: { routes } }: ApiModel): string[] {
  const [, first = '', second = ''] = routes[0]?.path.split('/') ?? [];
  return [`/${first}`, `/${first}/${second}`].filter(
    (prefix) => !prefix.includes('{') && routes.every(({ path }) => path.startsWith(`${prefix}/`)),
  );
}
