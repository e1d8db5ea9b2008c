import { problem } from '../../core/http/problem';
import { type Action, action, NO_CONTENT, ok, type Rejection, shown } from './action';

/** Characters of a state after which collections that nobody wrote to are left out: writing larger ones takes seconds. */
const STATE_BUDGET = 512 * 1024;

const SNAPSHOT = { in: 'query', type: 'string', about: 'the name of a snapshot' } as const;
const NAME = { in: 'body', type: 'name', about: 'the name of the snapshot; "default" without it' } as const;

/** What is stored. */
export const STATE_ACTIONS: readonly Action[] = [
  action({
    name: 'state',
    method: 'GET',
    path: '/state',
    about:
      'what is stored, as a fixture document; ?all=true for all of it, ?secrets=true for write-only properties too',
    input: {
      secrets: { in: 'query', type: 'boolean', about: 'with the write-only properties' },
      all: { in: 'query', type: 'boolean', about: 'also large collections that nobody wrote to' },
      collection: { in: 'query', type: 'string', about: 'one collection alone' },
    },
    library: 'state',
    run: ({ controls, input: { secrets, all, collection } }) =>
      ok(controls.state({ secrets, collection, budget: all === true ? undefined : STATE_BUDGET })),
  }),
  action({
    name: 'load',
    method: 'PUT',
    path: '/state',
    about: 'replaces it by such a document',
    input: { state: { in: 'document', type: 'object', about: 'a fixture document', required: true } },
    library: 'load',
    changes: 'state',
    run({ controls, input: { state } }) {
      if (state['leftOut'] !== undefined)
        return problem('invalid_field', 'This is a part of a state; GET /__standin/state?all=true has all of it', {
          pointer: '/leftOut',
        });
      controls.load(state);
      return NO_CONTENT;
    },
  }),
  action({
    name: 'reset',
    method: 'POST',
    path: '/reset',
    about: 'back to the baseline; empties the journal',
    input: {},
    library: 'reset',
    changes: ['state', 'requests', 'responses', 'faults', 'clock'],
    mayBeGone: true,
    run({ controls }) {
      controls.reset();
      return NO_CONTENT;
    },
  }),
  action({
    name: 'undo',
    method: 'POST',
    path: '/undo',
    about: 'takes back the last change of the state, of a request or by hand; again, the one before',
    input: {},
    library: 'undo',
    changes: 'state',
    run({ controls }) {
      const undone = controls.undo();
      return undone === undefined ? NOTHING_TO_UNDO : ok({ undone });
    },
  }),
  action({
    name: 'snapshots',
    method: 'GET',
    path: '/snapshots',
    about: 'the names of the snapshots',
    input: {},
    run: ({ controls }) => shown({ snapshots: controls.snapshotNames() }),
  }),
  action({
    name: 'snapshot',
    method: 'POST',
    path: '/snapshot',
    about: 'stores the state under a name: {"name":"before"}',
    input: { name: NAME },
    library: 'snapshot',
    changes: 'state',
    run({ controls, input }) {
      const name = snapshotName(input.name);
      if (controls.saveSnapshot(name)) return { status: 201, value: { name } };
      return problem('bad_request', 'There are 100 snapshots already; save over one of them, or DELETE them all');
    },
  }),
  action({
    name: 'dropSnapshots',
    method: 'DELETE',
    path: '/snapshot',
    about: 'deletes every snapshot',
    input: {},
    changes: 'state',
    mayBeGone: true,
    run({ controls }) {
      controls.dropSnapshots();
      return NO_CONTENT;
    },
  }),
  action({
    name: 'restore',
    method: 'POST',
    path: '/restore',
    about: 'restores a snapshot: {"name":"before"}',
    input: { name: NAME },
    library: 'restore',
    changes: 'state',
    run({ controls, input }) {
      const name = snapshotName(input.name);
      return controls.restoreSnapshot(name) ? NO_CONTENT : snapshotNotFound(name);
    },
  }),
  action({
    name: 'diff',
    method: 'GET',
    path: '/diff',
    about: 'what changed since the baseline, or since ?snapshot=before',
    input: { snapshot: SNAPSHOT },
    library: 'diff',
    run({ controls, input: { snapshot } }) {
      const diff = controls.diff(snapshot);
      return diff === undefined ? snapshotNotFound(snapshot) : shown({ collections: diff });
    },
  }),
  action({
    name: 'makeBaseline',
    method: 'POST',
    path: '/baseline',
    about: 'makes the state, or ?snapshot=before, what resets go back to',
    input: { snapshot: SNAPSHOT },
    library: 'setBaseline',
    changes: 'state',
    run: ({ controls, input: { snapshot } }) =>
      controls.makeBaseline(snapshot) ? NO_CONTENT : snapshotNotFound(snapshot),
  }),
];

const NOTHING_TO_UNDO = problem(
  'nothing_to_undo',
  'There is no change that can be taken back: nothing was changed, or so long ago that it is not remembered',
);

/** Longer ones would fill the list of them. */
function snapshotName(given = 'default'): string {
  return given.slice(0, 200);
}

function snapshotNotFound(name = ''): Rejection {
  return problem('resource_not_found', `There is no snapshot "${name}"`);
}
