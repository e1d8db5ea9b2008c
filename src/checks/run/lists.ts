import { equalJson } from '../../core/json/json-value';
import { type Group, groupBy } from '../../core/text/group-by';
import { saysInexact } from '../../lists/page-words';
import type { ApiModel } from '../../openapi/model/api-model';
import { viewOf } from '../../openapi/view/schema-view';
import { inferResourceModel } from '../../resources/infer-resource-model';
import type { Binding } from '../../resources/model/binding';
import type { ResourceDescription } from '../../resources/model/resource';
import { type ObservedExchange, operationOf, type RunCheckFinding } from '../observed-exchange';
import type { History, RunCheck } from './history';
import { contentFindings, faultOf, saysNoneAtEnd } from './list-contents';
import { limitOf, type ListRead, listReadsOf, placeParameters, queryKey } from './list-reads';

/** Lists hold what they are asked for, in its order, and their pages fit together, whoever sent the requests. */
export const lists: RunCheck = {
  id: 'lists',
  area: 'state',
  source: 'the description; RFC 8288 §3.3; RFC 9110 §9.3.1',
  run(history) {
    const { api, exchanges } = history;
    const reads = listReadsOf(api, exchanges);
    // What two different items have is no key.
    const keyless = new Set(reads.filter(hasTwoOfOneKey).map(({ binding }) => binding));
    const known = reads.map((read) => (keyless.has(read.binding) ? { ...read, keys: undefined } : read));
    return [
      ...known.flatMap((read) => contentFindings(api, read)),
      ...groupBy(known, ({ list }) => list).flatMap((group) => new ReadsOfList(history, group).findings()),
    ];
  },
};

/** The first of those that are no warning, else the first. */
function gravest(findings: readonly RunCheckFinding[]): RunCheckFinding[] {
  const found = findings.find(({ severity }) => severity !== 'warning') ?? findings[0];
  return found === undefined ? [] : [found];
}

function hasTwoOfOneKey({ keys = [], items }: ListRead): boolean {
  const first = new Map<string, number>();
  return keys.some((key, index) => {
    const before = first.get(key) ?? index;
    first.set(key, before);
    return before !== index && !equalJson(items[before] ?? null, items[index] ?? null);
  });
}

/** What a read shows at a place of its list: the key of an item, or that nothing is there. */
interface Shown {
  readonly read: ListRead;
  readonly place: number;
  readonly key: string | undefined;
}

/** So many places that a short page shows to be empty are looked at. */
const MOST_EMPTY = 20;

/** How a read disagrees with an earlier one. */
interface Conflict {
  readonly earlier: ListRead;
  readonly later: ListRead;
  /** What came there, if anything, would have to come before it or at it. */
  readonly place: number;
  readonly what: string;
  readonly expected: string;
  readonly actual: string | undefined;
  /** Is it only the custom of lists that is broken? */
  readonly isCustom?: boolean;
}

/** The reads of one list by one caller, in the order in which they were sent. */
class ReadsOfList {
  private readonly history: History;
  private readonly reads: Group<ListRead>;
  /** Those that ask for the very same. */
  private readonly repeated: readonly Group<ListRead>[];

  constructor(history: History, reads: Group<ListRead>) {
    this.history = history;
    this.reads = reads;
    this.repeated = groupBy(reads, ({ sent }) => queryKey(sent, [])).filter(({ length }) => length > 1);
  }

  findings(): RunCheckFinding[] {
    // Where equal reads differ, others write, or the list has no order: nothing can be said.
    if (this.repeated.some((group) => this.isUnstable(group))) return [];
    return [this.findingsOfPages(), this.findingsOfTotals(), this.findingsOfRest(), this.findingsOfEnds()].flatMap(
      gravest,
    );
  }

  private isUnstable(group: Group<ListRead>): boolean {
    return group.some((later, index) => {
      const earlier = group[index - 1];
      return earlier !== undefined && !isSamePage(earlier, later) && this.effects(earlier, later).length === 0;
    });
  }

  private findingsOfPages(): RunCheckFinding[] {
    const byPlace = new Map<number, Shown>();
    const byKey = new Map<string, Shown>();
    return this.reads.flatMap((read) => {
      const shown = shownBy(read);
      if (shown.length > 0 && this.reads.length > 1) this.history.compared.add(read.exchange);
      const found = gravest(conflictsOf(shown, byPlace, byKey).flatMap((conflict) => this.findingsOf(conflict)));
      // What is at fault tells nothing of the next page.
      if (found.length > 0) return found;
      for (const each of shown) {
        byPlace.set(each.place, each);
        if (each.key !== undefined) byKey.set(each.key, each);
      }
      return [];
    });
  }

  private findingsOfTotals(): RunCheckFinding[] {
    const told = this.reads.filter(({ total }) => total !== undefined);
    return told.flatMap((later, index) => {
      const earlier = told[index - 1];
      if (earlier === undefined || earlier.total === later.total) return [];
      const [expected, actual] = [String(earlier.total), String(later.total)];
      return this.findingsOf({
        earlier,
        later,
        place: -1,
        what: 'tells another total on another page',
        expected,
        actual,
      });
    });
  }

  /** A page that is not full is the last one, so that the total counts what is on it and before it, and nothing else. */
  private findingsOfRest(): RunCheckFinding[] {
    const { api } = this.history;
    const beyond = this.reads.filter((read) => hasMoreInTotal(api, read) && this.effects(read, read).length === 0);
    return beyond.map((read, index) => {
      const { start = 0, items, total } = read;
      const shown = start + items.length;
      // Once, others may have written between what is counted and what is shown; below something of the run nobody else does.
      const severity = index > 0 || read.binding.resource.scope.length > 0 ? 'error' : 'warning';
      const said = { expected: String(shown), actual: String(total) };
      return faultOf(api, read, { what: `tells a total that is more than what its pages show`, severity, ...said });
    });
  }

  /** A page that leads to nothing was the last one: where words say so, it does not lead on. */
  private findingsOfEnds(): RunCheckFinding[] {
    return this.reads.flatMap((read) => {
      const { before: earlier, items, saysMore, binding } = read;
      if (earlier?.saysMore !== true || earlier.items.length === 0 || items.length > 0 || saysMore) return [];
      if (!saysNoneAtEnd(this.history.api, binding)) return [];
      const said = { expected: 'nothing that leads on from the last page', actual: earlier.wayOn?.text };
      return this.findingsOf({ earlier, later: read, place: -1, what: 'is empty where a last page leads to', ...said });
    });
  }

  private findingsOf({ earlier, later, place, isCustom, ...fault }: Conflict): RunCheckFinding[] {
    const isStable = this.isFramed(earlier, later, place);
    // A write of the run may be the reason.
    if (!isStable && this.effects(earlier, later).length > 0) return [];
    const hint = isStable ? undefined : 'Or did somebody else write? The same page was not read again after it.';
    const severity = isStable && isCustom !== true ? 'error' : 'warning';
    const { search } = later.binding.parameters;
    const [own, other] = [later, earlier].map(({ asked }) => search && asked.get(search.name)?.join());
    const what = own === other ? fault.what : `finds other items where "${search?.name ?? ''}" is in another case`;
    return [{ ...faultOf(this.history.api, later, { ...fault, what }), earlier: earlier.exchange, severity, hint }];
  }

  /**
   * Was a page that ends behind a place, or tells a total, the same before and after the two reads? Then nothing was put
   * before the place meanwhile, and nothing was taken away; but for what the run put there and took away again.
   */
  private isFramed(one: ListRead, other: ListRead, place: number): boolean {
    return this.repeated.some((group) => {
      const before = group.findLast(({ exchange }) => exchange.sentAt <= one.exchange.sentAt);
      const after = group.find(({ exchange }) => exchange.respondedAt >= other.exchange.respondedAt);
      if (before === undefined || after === undefined || before === after || !isSamePage(before, after)) return false;
      const { start, keys = [], total } = before;
      const isCovered = total !== undefined || (start === 0 && keys.length > place);
      const kinds = new Set(this.effects(before, after).filter((effect) => effect !== 'related'));
      return isCovered && !kinds.has('changes') && kinds.size < 2;
    });
  }

  /** What the run may have done to the list while two reads and what is between them took place. */
  private effects(from: ListRead, to: ListRead): Effect[] {
    return this.history
      .anyWritesBetween(from.exchange, to.exchange)
      .flatMap((write) => effectOn(this.history, write, to) ?? []);
  }
}

/** Of a list of which everything was asked for: does its last page tell of more items than there are? */
function hasMoreInTotal(api: ApiModel, { binding, asked, ...read }: ListRead): boolean {
  const { total, start, items, limit = 0, isCounted, hasWholeLimit, saysMore } = read;
  if (total === undefined || start === undefined || !isCounted || !hasWholeLimit || saysMore) return false;
  const isAll = queryKey(asked, [limitOf(binding), ...placeParameters(binding)]) === queryKey(new Map(), []);
  const { response, operation } = binding;
  if (!isAll || items.length >= limit || start + items.length >= total) return false;
  return response !== undefined && !saysInexact(viewOf(api), response, operation, api.document.root);
}

function isSamePage(one: ListRead, other: ListRead): boolean {
  return (
    one.keys?.join('\n') === other.keys?.join('\n') &&
    one.total === other.total &&
    one.items.length === other.items.length
  );
}

function shownBy(read: ListRead): Shown[] {
  const { start, keys, limit, isNumbered, hasWholeLimit, saysMore } = read;
  if (start === undefined || keys === undefined) return [];
  const isEnd = read.isEnd || (keys.length === 0 && !saysMore && (isNumbered || start === 0));
  const missing = isNumbered && hasWholeLimit ? Math.min((limit ?? 0) - keys.length, MOST_EMPTY) : 0;
  const empty = missing > 0 ? missing + 1 : Number(isEnd);
  const places = [...keys, ...Array.from({ length: empty }, () => undefined)];
  return places.map((key, index) => ({ read, key, place: start + index }));
}

/** How a page disagrees with those before it: of each of them the first place where it does. */
function conflictsOf(
  shown: readonly Shown[],
  byPlace: ReadonlyMap<number, Shown>,
  byKey: ReadonlyMap<string, Shown>,
): Conflict[] {
  const found = new Map<ListRead, Conflict>();
  for (const each of shown)
    for (const other of [each.key === undefined ? undefined : byKey.get(each.key), byPlace.get(each.place)]) {
      if (other === undefined || (other.key === each.key && other.place === each.place)) continue;
      const conflict = conflictOf(other, each);
      const known = found.get(other.read);
      if (known === undefined || conflict.place < known.place) found.set(other.read, conflict);
    }
  return [...found.values()];
}

function conflictOf(earlier: Shown, later: Shown): Conflict {
  const place = Math.min(earlier.place, later.place);
  const reads = { earlier: earlier.read, later: later.read, place };
  const [was, is] = [earlier, later].map((shown) => `${shown.key ?? 'nothing'} at place ${shown.place + 1}`);
  const said = { expected: was ?? '', actual: is ?? '' };
  if (earlier.key === later.key) {
    const isBack = !later.read.isNumbered && later.place > earlier.place && later.read.start !== 0;
    const isEarly = later.place < earlier.place;
    const what = isEarly
      ? 'leaves out an item before one that another page shows'
      : 'shows one item at two places of the list';
    return { ...reads, ...said, what: isBack ? 'leads on to items that it has shown before' : what };
  }
  if (later.key === undefined) return { ...reads, ...said, what: 'ends before an item that another page shows' };
  if (earlier.key === undefined)
    return { ...reads, ...said, what: 'goes on behind a page that is the last one', isCustom: true };
  return { ...reads, ...said, what: 'shows another item than another page has at the same place' };
}

/** What a write may have done to a list: to its items, or to something that has to do with them. */
type Effect = 'adds' | 'removes' | 'changes' | 'related';

/** @returns `undefined` where it cannot have changed anything */
function effectOn({ api }: History, write: ObservedExchange, read: ListRead): Effect | undefined {
  const operation = operationOf(api, write);
  const binding = operation && inferResourceModel(api).bindings.get(operation);
  if (binding === undefined) return 'related';
  if (['list', 'read', 'count'].includes(binding.behaviour)) return undefined;
  const { resource } = read.binding;
  if (binding.resource !== resource) return isRelated(binding.resource, resource) ? 'related' : undefined;
  const base = read.exchange.path.replace(/\/$/, '');
  const isElsewhere = resource.scope.length > 0 && !read.binding.isAcross && !`${write.path}/`.startsWith(`${base}/`);
  return isElsewhere ? undefined : effectOf(binding, write);
}

function effectOf({ behaviour }: Binding, { status }: ObservedExchange): Effect {
  if (behaviour === 'create' || behaviour === 'create-many') return 'adds';
  if (behaviour === 'remove') return 'removes';
  return behaviour === 'upsert' && status === 201 ? 'adds' : 'changes';
}

/** Does one refer to the other, or stand below it? */
function isRelated(one: ResourceDescription, other: ResourceDescription): boolean {
  const names = (from: ResourceDescription, to: ResourceDescription): boolean =>
    from.references.some((reference) => reference.to === to.path) ||
    from.scope.some(({ parent }) => parent === to.path);
  return names(one, other) || names(other, one);
}
