import { problem, type Problem } from '../../checks/problem';
import { similarName } from '../../errors/similar-name';
import { joinPointer } from '../../json/json-pointer';
import type { JsonObject, JsonValue } from '../../json/json-value';
import { adminIndex } from './admin-index';
import type { MockControls } from './sandbox-controls';
import { isClockTime } from '../../time/clock-time';
import { parseRfc3339 } from '../../time/date-time';

/** What the admin routes can do with one state, the main one or that of a sandbox; the same that the app's methods do. */
export interface AdminPlace extends Pick<
  MockControls,
  'state' | 'reset' | 'load' | 'row' | 'putRow' | 'patchRow' | 'removeRow'
> {
  /** @returns false when there are too many snapshots already */
  saveSnapshot(name: string): boolean;
  /** @returns false when there is no snapshot of that name */
  restoreSnapshot(name: string): boolean;
  dropSnapshots(): void;
  journal(): JsonValue;
  clearJournal(): void;
  setClock(epochMs: number | undefined, isFixed: boolean): void;
  faults(): JsonValue;
  /** @throws ConfigError for a text that is no fault */
  setFaults(faults: readonly string[]): void;
  /** @returns `undefined` when there is no snapshot of that name; without a name the baseline is compared with */
  diff(snapshot: string | undefined): JsonValue | undefined;
  /** Makes the state, or a snapshot of it, the baseline. @returns false when there is no snapshot of that name */
  makeBaseline(snapshot: string | undefined): boolean;
}

/** What they can do beside that. */
export interface AdminTarget {
  health(): JsonObject;
  docsPage(): string;
  /**
   * @param id - `undefined` for the main state
   * @param mayBeGone - also one that had to make room
   * @returns why it cannot be had
   */
  place(id: string | undefined, mayBeGone: boolean): AdminPlace | Problem;
  sandboxes(): JsonValue;
  /** A sandbox with the state of another one or of a snapshot of it. @returns why it cannot be made */
  createSandbox(id: string, from: string | undefined, snapshot: string | undefined): Problem | undefined;
  /** @returns false when there is no such sandbox */
  removeSandbox(id: string): boolean;
  removeSandboxes(): void;
}

/** What an action has to look at. */
export interface AdminRequest {
  readonly target: AdminTarget;
  readonly place: AdminPlace;
  /** `?sandbox=` */
  readonly sandbox: string | undefined;
  /** `?snapshot=` */
  readonly snapshot: string | undefined;
  /** `?secrets=true`: the state with its write-only members. */
  readonly secrets: boolean;
  readonly body: JsonObject;
  /** Everything that the query says. */
  readonly query: ReadonlyMap<string, string>;
}

export type Answer = { readonly status: number; readonly value?: JsonValue; readonly page?: string } | Problem;

type Action = (request: AdminRequest) => Answer;

/** Characters of a state after which collections that nobody wrote to are left out: larger ones take seconds to make. */
const STATE_BUDGET = 512 * 1024;

const NO_CONTENT: Answer = { status: 204 };

/** By path and method. */
export const ACTIONS: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  '/': { GET: () => ({ status: 200, value: adminIndex() }) },
  '/docs': { GET: ({ target }) => ({ status: 200, page: target.docsPage() }) },
  '/health': { GET: ({ target }) => ({ status: 200, value: target.health() }) },
  '/state': {
    GET: ({ place, secrets, query }) => ({
      status: 200,
      value: place.state({
        secrets,
        collection: query.get('collection'),
        budget: query.get('all') === 'true' ? undefined : STATE_BUDGET,
      }),
    }),
    PUT: ({ place, body }) => {
      if (body['leftOut'] !== undefined)
        return problem('invalid_field', 'This is a part of a state; GET /__standin/state?all=true has all of it', {
          pointer: '/leftOut',
        });
      place.load(body);
      return NO_CONTENT;
    },
  },
  '/row': {
    GET: ({ place, query }) => rowAnswer(query, (collection, key) => place.row(collection, key)),
    PUT: ({ place, query, body }) => rowAnswer(query, (collection) => place.putRow(collection, body)),
    PATCH: ({ place, query, body }) => rowAnswer(query, (collection, key) => place.patchRow(collection, key, body)),
    DELETE: ({ place, query }) => {
      const collection = query.get('collection');
      if (collection === undefined) return noCollection();
      const key = query.get('key');
      return place.removeRow(collection, key) ? NO_CONTENT : noRow(collection, key);
    },
  },
  '/reset': {
    POST: ({ place }) => {
      place.reset();
      return NO_CONTENT;
    },
  },
  '/snapshot': {
    POST: ({ place, body }) => {
      const name = nameIn(body);
      if (typeof name === 'object') return name;
      if (place.saveSnapshot(name)) return { status: 201, value: { name } };
      return problem('bad_request', 'There are 100 snapshots already; save over one of them, or DELETE them all');
    },
    DELETE: ({ place }) => {
      place.dropSnapshots();
      return NO_CONTENT;
    },
  },
  '/restore': {
    POST: ({ place, body }) => {
      const name = nameIn(body);
      if (typeof name === 'object') return name;
      return place.restoreSnapshot(name) ? NO_CONTENT : noSnapshot(name);
    },
  },
  '/diff': {
    GET: ({ place, snapshot }) => {
      const value = place.diff(snapshot);
      return value === undefined ? noSnapshot(snapshot) : { status: 200, value };
    },
  },
  '/baseline': {
    POST: ({ place, snapshot }) => (place.makeBaseline(snapshot) ? NO_CONTENT : noSnapshot(snapshot)),
  },
  '/journal': {
    GET: ({ place }) => ({ status: 200, value: place.journal() }),
    DELETE: ({ place }) => {
      place.clearJournal();
      return NO_CONTENT;
    },
  },
  '/clock': { PUT: ({ place, body }) => setClock(place, body) },
  '/faults': {
    GET: ({ place }) => ({ status: 200, value: place.faults() }),
    PUT: ({ place, body }) => setFaults(place, body),
    DELETE: ({ place }) => {
      place.setFaults([]);
      return NO_CONTENT;
    },
  },
  '/sandboxes': {
    GET: ({ target }) => ({ status: 200, value: target.sandboxes() }),
    POST: ({ target, body }) => createSandbox(target, body),
    DELETE: ({ target, sandbox }) => {
      if (sandbox === undefined) target.removeSandboxes();
      else if (!target.removeSandbox(sandbox))
        return problem('resource_not_found', `There is no sandbox "${sandbox}" in which something was written`);
      return NO_CONTENT;
    },
  },
};

/** What a row is after an action, or why there is none. */
function rowAnswer(
  query: ReadonlyMap<string, string>,
  act: (collection: string, key: string | undefined) => JsonObject | undefined,
): Answer {
  const collection = query.get('collection');
  if (collection === undefined) return noCollection();
  const key = query.get('key');
  const value = act(collection, key);
  return value === undefined ? noRow(collection, key) : { status: 200, value };
}

function noCollection(): Problem {
  return problem('invalid_parameter', 'The query must name a collection, such as ?collection=/books&key=7');
}

function noRow(collection: string, key: string | undefined): Problem {
  return problem('resource_not_found', `There is no row ${key === undefined ? '' : `"${key}" `}in ${collection}`);
}

function setClock(place: AdminPlace, body: JsonObject): Answer {
  const unknown = unknownMember(body, ['now', 'fixed']);
  if (unknown !== undefined) return unknown;
  const { now, fixed = false } = body;
  const epochMs = typeof now === 'string' ? parseRfc3339(now) : undefined;
  if (now !== null && (epochMs === undefined || !isClockTime(epochMs)))
    return problem(
      'invalid_field',
      'The field /now must be a date-time up to the year 9998, or null for the real time',
    );
  if (typeof fixed !== 'boolean') return problem('invalid_field', 'The field /fixed must be true or false');
  place.setClock(epochMs, fixed);
  return NO_CONTENT;
}

/** Each of them is looked at for every request. */
const MAX_FAULTS = 100;

function setFaults(place: AdminPlace, body: JsonObject): Answer {
  const unknown = unknownMember(body, ['faults']);
  if (unknown !== undefined) return unknown;
  const given = body['faults'];
  const faults = typeof given === 'string' ? [given] : given;
  if (!Array.isArray(faults) || !faults.every((fault) => typeof fault === 'string'))
    return problem('invalid_field', 'The field /faults must be a list of texts, such as ["status:503;for=30s"]');
  if (faults.length > MAX_FAULTS)
    return problem('invalid_field', `The field /faults may have ${MAX_FAULTS} faults at the most`);
  place.setFaults(faults);
  return { status: 200, value: place.faults() };
}

function createSandbox(target: AdminTarget, body: JsonObject): Answer {
  const unknown = unknownMember(body, ['id', 'from', 'snapshot']);
  if (unknown !== undefined) return unknown;
  const { id, from, snapshot } = body;
  for (const [name, value] of Object.entries({ id, from, snapshot })) {
    if (typeof value !== 'string' && (value !== undefined || name === 'id'))
      return problem('invalid_field', `The field /${name} must be a text`, { pointer: `/${name}` });
  }
  const refusal = target.createSandbox(id as string, from as string | undefined, snapshot as string | undefined);
  return refusal ?? { status: 201, value: { id: id as string } };
}

function noSnapshot(name = ''): Problem {
  return problem('resource_not_found', `There is no snapshot "${name}"`);
}

/** The name of a snapshot, `default` where none is sent; a mistyped one must not save over another snapshot. */
function nameIn(body: JsonObject): string | Problem {
  const unknown = unknownMember(body, ['name']);
  if (unknown !== undefined) return unknown;
  const { name = 'default' } = body;
  if (typeof name === 'string' && name !== '') return name.slice(0, 200);
  return problem('invalid_field', 'The field /name must be a text that is not empty; without it the name is "default"');
}

function unknownMember(body: JsonObject, known: readonly string[]): Problem | undefined {
  const name = Object.keys(body).find((member) => !known.includes(member));
  if (name === undefined) return undefined;
  const near = similarName(name, known);
  const hint = near === undefined ? `there is ${known.join(', ')}` : `did you mean "${near}"?`;
  const pointer = joinPointer('', name);
  return problem('invalid_field', `The field ${pointer.slice(0, 200)} is not known here; ${hint}`, { pointer });
}
