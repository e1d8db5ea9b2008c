import { type Action, action, NO_CONTENT, shown } from './action';

/** What was asked, and what it led to. */
export const REQUEST_ACTIONS: readonly Action[] = [
  action({
    name: 'journal',
    method: 'GET',
    path: '/journal',
    about: 'the latest requests with their responses and what they changed',
    input: {},
    library: 'journal',
    run: ({ controls }) => shown(controls.journal()),
  }),
  action({
    name: 'clearJournal',
    method: 'DELETE',
    path: '/journal',
    about: 'empties it',
    input: {},
    changes: 'requests',
    mayBeGone: true,
    run({ controls }) {
      controls.clearJournal();
      return NO_CONTENT;
    },
  }),
];
