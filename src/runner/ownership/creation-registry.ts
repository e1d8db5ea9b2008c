import type { HttpResponse } from '../../core/http/message';
import type { JsonValue } from '../../core/json/json-value';
import type { Operation } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { type Creation, type CreationFacts, creationVerdict, pathsOf, restoredCreations } from './creation';
import { itemLocation, type ItemLocation, otherPaths, type RunAddress } from './item-location';
import type { Ledger, LedgerEntry } from './ledger';
import { routeOf } from './item-routes';
import { KnownRows } from './known-rows';
import { entriesOf, listBeside, pathOfRow } from './list-rows';
import { OwnedPaths } from './owned-paths';
import { isAtOrBelow, isSamePath, pathKey } from './path-names';
import type { SentProperty } from './sent-content';

/**
 * What a run made, in the order of making. Each creation is in the ledger before it is sent, so that a crash leaves
 * enough to clean up.
 */
export class Creations {
  private readonly api: ApiModel;
  private readonly ledger: Ledger;
  private readonly all: Creation[] = [];
  /** What the run may change because it made it, and what it made and is gone. */
  readonly owned: OwnedPaths;
  private readonly formerlyOwned: OwnedPaths;
  /** What was there before the run: somebody else's. */
  readonly known = new KnownRows();
  /** Paths of collections where a creation was answered with a row that was there before. */
  private readonly merging = new Set<string>();
  /** Paths where a GET just found nothing; whatever may create something there takes it out. */
  readonly absentPaths = new Set<string>();
  /** Paths where one ever found nothing: before something is made there, it is looked at once more. */
  readonly emptyPaths = new Set<string>();

  constructor(api: ApiModel, ledger: Ledger) {
    this.api = api;
    this.ledger = ledger;
    this.owned = new OwnedPaths(api);
    this.formerlyOwned = new OwnedPaths(api);
  }

  /**
   * To be called before a creation is sent.
   *
   * @param path - below the base URL, without its query
   * @throws ConfigError when it cannot be written down; then it must not be sent
   */
  announce(operation: Operation, path: string, facts: CreationFacts = {}): Creation {
    const entry = this.all.length + 1;
    const { leaves, marked, auth, sent = [] } = facts;
    const written = { leaves, auth, marked, sent: sent.length === 0 ? undefined : sent };
    this.ledger.append({ kind: 'pending', entry, operation: operation.id, path, ...written });
    const { creates, session, step, basedOn } = facts;
    const about = { entry, operation, path, item: undefined, state: 'pending' } as const;
    const creation: Creation = { ...about, ...written, creates, session, step, basedOn };
    this.all.push(creation);
    return creation;
  }

  /**
   * To be called with the response. Only a 201 says that something was made. Where the description has a 201, a POST with
   * another success may have changed what somebody else made; so may a PUT or a PATCH where nothing was to be seen. After
   * another success without a 201, after a redirect and after a 5xx nobody knows yet.
   */
  settle(
    creation: Creation,
    response: HttpResponse,
    body: JsonValue | undefined,
    run: RunAddress,
    sentBody?: JsonValue,
  ): void {
    const { status } = response;
    if (status < 200) return;
    const place = status < 400 ? itemLocation(this.api, creation, { response, body, sentBody }, run) : undefined;
    if (place?.item !== undefined && this.known.has(place.item)) {
      // A PUT or a PATCH there changed what was there; a POST may have done so, too.
      if (creation.operation.method === 'POST') {
        this.leavePending(creation, status, true, place);
        this.merging.add(pathKey(creation.path));
      } else this.markRefused(creation);
      return;
    }
    const verdict = creationVerdict(this.api, creation, status, body, run.runId);
    if (verdict === 'refused') this.markRefused(creation);
    else if (verdict === 'made') {
      creation.responseStatus = status;
      this.markCreated(creation, place);
    } else this.leavePending(creation, status, verdict === 'may-be-others', place);
  }

  /** Something stands where the run put it, or was found there. */
  own(item: string, { operation, path }: Pick<Creation, 'operation' | 'path'>): void {
    for (const place of [item, ...otherPaths(this.api, operation, path, item)]) {
      if (this.known.has(place)) continue;
      this.owned.add(place, operation);
      this.formerlyOwned.add(place, operation);
      this.absentPaths.delete(place);
    }
  }

  /** Was a creation at a path taken for a change of something of others? Then another one may be, too. */
  isMerging(path: string): boolean {
    return this.merging.has(pathKey(path));
  }

  /** Does a path name something that the run made, or that stands below that? */
  owns(path: string): boolean {
    return this.owned.has(path);
  }

  /** Did it, before that was removed? */
  ownedBefore(path: string): boolean {
    return this.formerlyOwned.has(path);
  }

  /** What was made at a path is gone, and so is what was made below it. */
  markRemoved(item: string): void {
    const here = this.all.filter((creation) => this.isAtPath(creation, item));
    const gone = [item, ...here.flatMap((creation) => pathsOf(this.api, creation))];
    for (const creation of this.all) {
      const { state, path } = creation;
      if (state !== 'there' && state !== 'pending') continue;
      const isGone = here.includes(creation) || gone.some((place) => isAtOrBelow(creation.item, place));
      const isBelow = gone.some((place) => isAtOrBelow(path, place));
      // What stands elsewhere than below it may go with it or not: a look tells.
      if (!isGone && isBelow && creation.item !== undefined) creation.isRemovalConfirmed = true;
      if (isGone || (isBelow && isWithoutPlace(creation))) this.setRemoved(creation);
    }
    for (const place of new Set(gone)) this.owned.drop(place);
  }

  /** What was made and where it is or was, with whether it is gone. */
  made(): { readonly item: string; readonly operation: string; readonly isRemoved: boolean }[] {
    return this.all.flatMap(({ item, operation, state }) =>
      item === undefined || (state !== 'there' && state !== 'removed')
        ? []
        : [{ item, operation: operation.id, isRemoved: state === 'removed' }],
    );
  }

  /** What stands at a path that the run made it at, or that names the same. */
  createdAt(path: string): Creation | undefined {
    return this.all.find((creation) => creation.state === 'there' && this.isAtPath(creation, path));
  }

  /** A response showed what stands at a path. */
  noteSeen(path: string): void {
    const creation = this.createdAt(path);
    if (creation !== undefined) creation.wasSeen = true;
  }

  /** What was made has another path now, and so has what was made below it. */
  markMoved(creation: Creation, to: string): void {
    const { item: from } = creation;
    if (from === undefined) return;
    for (const place of pathsOf(this.api, creation)) this.owned.drop(place);
    this.markFound(creation, to);
    for (const other of this.all) {
      if (other === creation || other.item === undefined || !isAtOrBelow(other.item, from)) continue;
      const rest = other.item.split('/').slice(from.split('/').length);
      this.owned.drop(other.item);
      if (other.state === 'there') this.markFound(other, [to, ...rest].join('/'));
    }
  }

  /** Was a value taken out of the response to something that a step, or any, made, and that is there? */
  hasCaptured(value: string, step?: string): boolean {
    return this.all.some(
      ({ state, step: maker, capturedValues = [] }) =>
        state === 'there' && (step === undefined || maker === step) && capturedValues.includes(value),
    );
  }

  /** What a step made is gone: another one says that it removed it. */
  markStepRemoved(step: string): void {
    for (const creation of this.all) {
      const { item, state } = creation;
      if (creation.step !== step || (state !== 'there' && state !== 'pending')) continue;
      if (item === undefined) this.setRemoved(creation);
      else this.markRemoved(item);
    }
  }

  private setRemoved(creation: Creation): void {
    creation.state = 'removed';
    this.ledger.append({ kind: 'removed', entry: creation.entry });
  }

  /** The creation that may have made what a path names, of which no response told. */
  pendingAt(path: string): Creation | undefined {
    return this.all.find(
      ({ state, possibleItem }) => state === 'pending' && possibleItem !== undefined && isAtOrBelow(path, possibleItem),
    );
  }

  /** Does what a creation made, or may have made, stand at a path? */
  private isAtPath(creation: Creation, path: string): boolean {
    const { state, possibleItem } = creation;
    if (state === 'pending') return possibleItem !== undefined && isSamePath(possibleItem, path);
    return state === 'there' && pathsOf(this.api, creation).some((place) => isSamePath(place, path));
  }

  /** To be called with what a list showed before the first write to it. @param rows - digests of their paths */
  noteBefore(path: string, rows: readonly string[], isComplete: boolean): void {
    this.known.addList(path, rows, isComplete);
    this.ledger.append({ kind: 'before', path, isComplete, rows });
  }

  /** To be called before a request that may change what stands at a path or above it: it is the run's own afterwards, too. */
  noteChange(path: string, sent: readonly SentProperty[]): void {
    if (sent.length === 0) return;
    for (const creation of this.all) {
      const { item, state, entry } = creation;
      if (item === undefined || state !== 'there') continue;
      if (!pathsOf(this.api, creation).some((place) => isAtOrBelow(path, place))) continue;
      creation.changed = [...(creation.changed ?? []), ...sent];
      this.ledger.append({ kind: 'created', entry, item, sent });
    }
  }

  /** A list was answered: does it show what the run made? */
  noteListed(list: Operation, path: string, body: JsonValue): void {
    if (this.known.isTelling(path) || !this.known.isWhole(path)) return;
    const makers = this.all.filter(({ operation, path: from, item }) => {
      return item !== undefined && listBeside(this.api, operation, from)?.path === path;
    });
    const [maker] = makers;
    if (maker === undefined) return;
    const place = { list, path, operation: maker.operation, from: maker.path };
    const shown = (entriesOf(this.api, list, body) ?? []).map(({ item, key }) => pathOfRow(this.api, place, item, key));
    if (makers.some(({ item }) => shown.includes(item))) this.known.noteTelling(path);
  }

  /** A removal got a success that does not say that it is gone already. */
  noteRemovalConfirmed(item: string): void {
    for (const creation of this.all) if (this.isAtPath(creation, item)) creation.isRemovalConfirmed = true;
  }

  /** What was answered to be removed is still there, and still the run's own. */
  markExisting(creation: Creation): void {
    if (creation.item !== undefined && creation.state === 'removed') this.markFound(creation, creation.item);
  }

  /** What was removed is still there, marked as removed, and may be brought back. */
  ownAgain(creation: Creation): void {
    if (creation.item !== undefined) this.own(creation.item, creation);
  }

  /** Paths of everything that was made, or whose mark says nothing because it may be somebody else's. */
  itemPaths(): string[] {
    return this.all.flatMap(
      ({ item, mayBeOthers, possibleItem }) => item ?? (mayBeOthers === true ? possibleItem : []) ?? [],
    );
  }

  /** A PUT was answered with another key than its own: further ones there may change what others made, too. */
  markMerged(creation: Creation, item: string, template: string): void {
    this.merging.add(pathKey(template));
    this.markOthers(creation, item);
  }

  /** What was pending never happened. */
  markRefused(creation: Creation): void {
    creation.state = 'refused';
    this.ledger.append({ kind: 'refused', entry: creation.entry });
  }

  /**
   * What was pending was found, or what nobody knew the place of. What was there before the run is
   * not owned, whoever names it.
   */
  markFound(creation: Creation, item: string): void {
    if (this.known.has(item)) {
      this.markOthers(creation, item);
      return;
    }
    creation.item = item;
    creation.candidates = undefined;
    creation.mayBeOthers = undefined;
    creation.possibleItem = undefined;
    creation.state = 'there';
    this.own(item, creation);
    this.ledger.append({ kind: 'created', entry: creation.entry, item });
  }

  /** What stands at an address may be somebody else's: it is reported, and never changed or removed. */
  markOthers(creation: Creation, item: string): void {
    for (const place of pathsOf(this.api, creation)) this.owned.drop(place);
    this.owned.drop(item);
    creation.item = undefined;
    creation.candidates = undefined;
    creation.state = 'pending';
    creation.possibleItem = item;
    creation.mayBeOthers = true;
    this.ledger.append({ kind: 'created', entry: creation.entry, item, mayBeOthers: true });
  }

  /** Something that the run made, and that nobody knew of, was found; or it may be, where something was there before. */
  adopt(operation: Operation, path: string, facts: CreationFacts, item: string): void {
    this.markFound(this.announce(operation, path, facts), item);
  }

  /** Takes up what an earlier run wrote down. The ledger already has it, and gets only what happens from now on. */
  restore(entries: readonly LedgerEntry[]): void {
    for (const entry of entries) {
      if (entry.kind === 'before') this.known.addList(entry.path, entry.rows, entry.isComplete);
    }
    for (const creation of restoredCreations(this.api, entries)) {
      this.all.push(creation);
      if (creation.item === undefined || creation.state === 'refused') continue;
      this.own(creation.item, creation);
      if (creation.state === 'removed') this.owned.drop(creation.item);
    }
  }

  /** What is still there, or may be: the latest first. */
  remaining(): Creation[] {
    return this.all.filter(({ state }) => state === 'there' || state === 'pending').toReversed();
  }

  /** Creations at a path that were refused. */
  refusedPosts(from: string): Creation[] {
    return this.all.filter(
      ({ operation, path, state, sent = [] }) =>
        operation.method === 'POST' && state === 'refused' && sent.length > 0 && isSamePath(path, from),
    );
  }

  /** What was made at a path was not found there: it is looked at again before it is changed. */
  doubt(path: string): void {
    const creation = this.createdAt(path);
    if (creation !== undefined) creation.isVerified = false;
  }

  /** What stands at a path, or above it, that the run made. */
  makerOf(path: string): Creation | undefined {
    return this.all.find(
      (creation) => creation.state === 'there' && pathsOf(this.api, creation).some((place) => isAtOrBelow(path, place)),
    );
  }

  /** What was removed, each place once: the last creation there. A place that was used again is not among them. */
  removed(): Creation[] {
    const last = new Map(this.all.map((creation) => [creation.item, creation]));
    return [...last.values()].filter(({ item, state }) => item !== undefined && state === 'removed');
  }

  /**
   * Every creation by POST, whatever became of it; none of a collection where the id of the run may have been written
   * into something of somebody else's, and nobody knows into which.
   */
  posts(): Creation[] {
    const unclear = this.all.filter(
      ({ mayBeOthers, possibleItem }) => mayBeOthers === true && possibleItem === undefined,
    );
    const paths = new Set(unclear.map(({ path }) => path));
    return this.all.filter(({ operation, path }) => operation.method === 'POST' && !paths.has(path));
  }

  /** What was answered not to have been made, at a path that the run chose. */
  refusedPaths(): Creation[] {
    return this.all.filter(({ operation, state }) => operation.method !== 'POST' && state === 'refused');
  }

  private markCreated(creation: Creation, place: ItemLocation | undefined): void {
    if (place?.item !== undefined) {
      this.markFound(creation, place.item);
      return;
    }
    creation.state = 'there';
    creation.candidates = place?.candidates;
    creation.located = place?.located;
    this.ledger.append({ kind: 'created', entry: creation.entry });
  }

  private leavePending(
    creation: Creation,
    status: number,
    mayBeOthers: boolean,
    place: ItemLocation | undefined,
  ): void {
    const { entry } = creation;
    // What this run made before, and is reported of again: by a request that was repeated, say.
    if (mayBeOthers && this.all.some(({ item }) => item !== undefined && item === place?.item)) {
      this.markRefused(creation);
      return;
    }
    creation.responseStatus = status;
    creation.possibleItem = place?.item;
    if (!mayBeOthers) return;
    const template = routeOf(this.api, creation.path)?.route.path;
    if (creation.operation.method === 'PUT' && template !== undefined) this.merging.add(pathKey(template));
    creation.mayBeOthers = true;
    this.ledger.append({ kind: 'created', entry, item: place?.item, mayBeOthers });
  }
}

/** Is it only known where it was sent? What was answered to stand elsewhere does not go with that. */
function isWithoutPlace({ item, mayBeOthers }: Creation): boolean {
  return item === undefined && mayBeOthers !== true;
}
