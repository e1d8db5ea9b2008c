import { problem, type Problem } from '../core/http/problem';
import type { JsonObject, JsonValue } from '../core/json/json-value';
import { ADMIN_PATH } from './admin-pages';
import {
  type AdminAction,
  type AdminControls,
  type AdminRequest,
  type AdminResponse,
  type AdminTarget,
  unknownProperty,
} from './admin-request';
import { isClockTime, parseRfc3339 } from '../core/time/date-time';

/** Characters of a state after which collections that nobody wrote to are left out: writing larger ones takes seconds. */
const STATE_BUDGET = 512 * 1024;

const NO_CONTENT: AdminResponse = { status: 204 };
const ok = (value: JsonValue): AdminResponse => ({ status: 200, value });
/** What is JSON by the way it was made, although its type does not say so. */
const shown = (value: object): AdminResponse => ok(value as JsonValue);
/** The response of an action that only changes something. */
const change =
  (act: 'reset' | 'dropSnapshots' | 'clearJournal' | 'setFaults'): AdminAction['run'] =>
  ({ controls }) => {
    controls[act]();
    return NO_CONTENT;
  };

/** Every admin route, as it is listed. */
export const ADMIN_ACTIONS: readonly AdminAction[] = [
  {
    path: '/',
    method: 'GET',
    about: 'this list; in a browser the page of /docs',
    run: () => ok(adminIndex()),
  },
  {
    path: '/docs',
    method: 'GET',
    about: 'a page with every operation, and links to what can be looked at',
    run: ({ target }) => ({ status: 200, page: target.docsPage() }),
  },
  {
    path: '/health',
    method: 'GET',
    about: 'says that the mock is up, and of what',
    run: ({ target }) => ok(target.health()),
  },
  {
    path: '/state',
    method: 'GET',
    about:
      'what is stored, as a fixture document; ?all=true for all of it, ?secrets=true for write-only properties too',
    query: ['secrets', 'all', 'collection'],
    run: ({ controls, query }) =>
      ok(
        controls.state({
          secrets: query.get('secrets') === 'true',
          collection: query.get('collection'),
          budget: query.get('all') === 'true' ? undefined : STATE_BUDGET,
        }),
      ),
  },
  { path: '/state', method: 'PUT', about: 'replaces it by such a document', run: loadState },
  {
    path: '/row',
    method: 'GET',
    about: 'one item: ?collection=/books&key=7',
    query: ['collection', 'key'],
    run: ({ controls, query }) => itemResponse(query, (collection, key) => controls.row(collection, key)),
  },
  {
    path: '/row',
    method: 'PUT',
    about: 'stores the item of the body: ?collection=/books',
    query: ['collection'],
    run: ({ controls, query, body }) => itemResponse(query, (collection) => controls.putRow(collection, body)),
  },
  {
    path: '/row',
    method: 'PATCH',
    about: 'changes properties of an item: ?collection=/books&key=7',
    query: ['collection', 'key'],
    run: ({ controls, query, body }) =>
      itemResponse(query, (collection, key) => controls.patchRow(collection, key, body)),
  },
  {
    path: '/row',
    method: 'DELETE',
    about: 'removes an item: ?collection=/books&key=7',
    query: ['collection', 'key'],
    run: ({ controls, query }) => itemResponse(query, (collection, key) => controls.removeRow(collection, key)),
  },
  {
    path: '/reset',
    method: 'POST',
    about: 'back to the baseline; empties the journal',
    run: change('reset'),
  },
  {
    path: '/snapshot',
    method: 'POST',
    about: 'stores the state under a name: {"name":"before"}',
    run: saveSnapshot,
  },
  {
    path: '/snapshot',
    method: 'DELETE',
    about: 'deletes every snapshot',
    run: change('dropSnapshots'),
  },
  {
    path: '/restore',
    method: 'POST',
    about: 'restores a snapshot: {"name":"before"}',
    run: restoreSnapshot,
  },
  {
    path: '/diff',
    method: 'GET',
    about: 'what changed since the baseline, or since ?snapshot=before',
    run({ controls, snapshot }) {
      const diff = controls.diff(snapshot);
      return diff === undefined ? snapshotNotFound(snapshot) : shown({ collections: diff });
    },
  },
  {
    path: '/baseline',
    method: 'POST',
    about: 'makes the state, or ?snapshot=before, what resets go back to',
    run: ({ controls, snapshot }) => (controls.makeBaseline(snapshot) ? NO_CONTENT : snapshotNotFound(snapshot)),
  },
  {
    path: '/journal',
    method: 'GET',
    about: 'the latest requests with their responses and what they changed',
    run: ({ controls }) => shown(controls.journal()),
  },
  {
    path: '/journal',
    method: 'DELETE',
    about: 'empties it',
    run: change('clearJournal'),
  },
  {
    path: '/clock',
    method: 'PUT',
    about: 'sets the time of the mock: {"now":"2031-01-01T00:00:00Z"}, null for the real one',
    run: ({ controls, body }) => setClock(controls, body),
  },
  { path: '/faults', method: 'GET', about: 'the faults', run: ({ controls }) => shown({ faults: controls.faults() }) },
  {
    path: '/faults',
    method: 'PUT',
    about: 'sets them: {"faults":["status:503;for=30s"]}',
    run: ({ controls, body }) => setFaults(controls, body),
  },
  {
    path: '/faults',
    method: 'DELETE',
    about: 'removes them',
    run: change('setFaults'),
  },
  {
    path: '/sandboxes',
    method: 'GET',
    about: 'the sandboxes in which something was written',
    run: ({ target }) => ok(target.sandboxes()),
  },
  {
    path: '/sandboxes',
    method: 'POST',
    about: 'creates one: {"id":"b","from":"a"}',
    run: ({ target, body }) => createSandbox(target, body),
  },
  { path: '/sandboxes', method: 'DELETE', about: 'deletes ?sandbox=b, or all of them', run: removeSandboxes },
];

/** The routes as a document, each with its whole path. */
function adminIndex(): JsonValue {
  const routes = ADMIN_ACTIONS.map(({ method, path, about }) => ({
    method,
    path: `${ADMIN_PATH}${path}`,
    does: about,
  }));
  return { standin: 'admin/1', routes };
}

function loadState({ controls, body }: AdminRequest): AdminResponse {
  if (body['leftOut'] !== undefined)
    return problem('invalid_field', 'This is a part of a state; GET /__standin/state?all=true has all of it', {
      pointer: '/leftOut',
    });
  controls.load(body);
  return NO_CONTENT;
}

function saveSnapshot({ controls, body }: AdminRequest): AdminResponse {
  const name = nameIn(body);
  if (typeof name === 'object') return name;
  if (controls.saveSnapshot(name)) return { status: 201, value: { name } };
  return problem('bad_request', 'There are 100 snapshots already; save over one of them, or DELETE them all');
}

function restoreSnapshot({ controls, body }: AdminRequest): AdminResponse {
  const name = nameIn(body);
  if (typeof name === 'object') return name;
  return controls.restoreSnapshot(name) ? NO_CONTENT : snapshotNotFound(name);
}

function removeSandboxes({ target, sandbox }: AdminRequest): AdminResponse {
  if (sandbox === undefined) target.removeSandboxes();
  else if (!target.removeSandbox(sandbox))
    return problem('resource_not_found', `There is no sandbox "${sandbox}" in which something was written`);
  return NO_CONTENT;
}

/** An item after an action, nothing where it was removed, or why there is none. */
function itemResponse(
  query: ReadonlyMap<string, string>,
  act: (collection: string, key: string | undefined) => JsonObject | boolean | undefined,
): AdminResponse {
  const collection = query.get('collection');
  if (collection === undefined) return collectionRequired();
  const key = query.get('key');
  const result = act(collection, key);
  if (result === true) return NO_CONTENT;
  return result === false || result === undefined ? itemNotFound(collection, key) : ok(result);
}

function collectionRequired(): Problem {
  return problem('invalid_parameter', 'The query must name a collection, such as ?collection=/books&key=7');
}

function itemNotFound(collection: string, key: string | undefined): Problem {
  return problem('resource_not_found', `There is no item ${key === undefined ? '' : `"${key}" `}in ${collection}`);
}

function setClock(place: AdminControls, body: JsonObject): AdminResponse {
  const unknown = unknownProperty(body, ['now', 'fixed']);
  if (unknown !== undefined) return unknown;
  const { now, fixed = false } = body;
  const epochMs = typeof now === 'string' ? parseRfc3339(now) : undefined;
  if (now !== null && (epochMs === undefined || !isClockTime(epochMs)))
    return problem(
      'invalid_field',
      'The field /now must be a date-time up to the year 9998, or null for the real time',
    );
  if (typeof fixed !== 'boolean') return problem('invalid_field', 'The field /fixed must be true or false');
  place.setClock(epochMs === undefined ? undefined : new Date(epochMs), { fixed });
  return NO_CONTENT;
}

/** Each of them is looked at for every request. */
const MAX_FAULTS = 100;

function setFaults(place: AdminControls, body: JsonObject): AdminResponse {
  const unknown = unknownProperty(body, ['faults']);
  if (unknown !== undefined) return unknown;
  const given = body['faults'];
  const faults = typeof given === 'string' ? [given] : given;
  if (!Array.isArray(faults) || !faults.every((fault) => typeof fault === 'string'))
    return problem('invalid_field', 'The field /faults must be an array of strings, such as ["status:503;for=30s"]');
  if (faults.length > MAX_FAULTS)
    return problem('invalid_field', `The field /faults may have ${MAX_FAULTS} faults at the most`);
  place.setFaults(...faults);
  return shown({ faults: place.faults() });
}

function createSandbox(target: AdminTarget, body: JsonObject): AdminResponse {
  const unknown = unknownProperty(body, ['id', 'from', 'snapshot']);
  if (unknown !== undefined) return unknown;
  const { id, from, snapshot } = body;
  for (const [name, value] of Object.entries({ id, from, snapshot })) {
    if (typeof value !== 'string' && (value !== undefined || name === 'id'))
      return problem('invalid_field', `The field /${name} must be a string`, { pointer: `/${name}` });
  }
  const rejection = target.createSandbox(id as string, from as string | undefined, snapshot as string | undefined);
  return rejection ?? { status: 201, value: { id: id as string } };
}

function snapshotNotFound(name = ''): Problem {
  return problem('resource_not_found', `There is no snapshot "${name}"`);
}

/** The name of a snapshot, `default` where none is sent; a mistyped one must not save over another snapshot. */
function nameIn(body: JsonObject): string | Problem {
  const unknown = unknownProperty(body, ['name']);
  if (unknown !== undefined) return unknown;
  const { name = 'default' } = body;
  if (typeof name === 'string' && name !== '') return name.slice(0, 200);
  return problem(
    'invalid_field',
    'The field /name must be a string that is not empty; without it the name is "default"',
  );
}
