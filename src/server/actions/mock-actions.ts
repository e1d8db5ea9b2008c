import { type Action, action, NO_CONTENT, ok, shown } from './action';

/** The mock as a whole. */
export const MOCK_ACTIONS: readonly Action[] = [
  action({
    name: 'docs',
    isOutOfTurn: true,
    method: 'GET',
    path: '/docs',
    about: 'a page with every operation, and links to what can be looked at',
    input: {},
    run: ({ target }) => ({ status: 200, page: target.docsPage() }),
  }),
  action({
    name: 'health',
    isOutOfTurn: true,
    method: 'GET',
    path: '/health',
    about: 'says that the mock is up, and of what',
    input: {},
    run: ({ target }) => ok(target.health()),
  }),
  action({
    name: 'ready',
    isOutOfTurn: true,
    method: 'GET',
    path: '/ready',
    about:
      'for load balancers and probes, from any machine and without a token: 200 while requests are served, 503 while what they do cannot be stored',
    input: {},
    isOpen: true,
    run({ target }) {
      const { status } = target.health();
      return { status: status === 'ok' ? 200 : 503, value: { status: status ?? 'failing' } };
    },
  }),
  action({
    name: 'operations',
    method: 'GET',
    path: '/operations',
    about: 'every operation with its documented statuses, and how often it answered which; of all sandboxes, or of one',
    input: {},
    run: ({ target, sandbox }) => shown({ operations: target.operations(sandbox) }),
  }),
  action({
    name: 'description',
    isOutOfTurn: true,
    method: 'GET',
    path: '/description',
    about: 'the description as one JSON document, with this mock as its server',
    input: {},
    run: ({ target, address, sandbox }) => ok(target.description(address, sandbox)),
  }),
  action({
    name: 'credentials',
    isOutOfTurn: true,
    method: 'GET',
    path: '/credentials',
    about: 'a key that the mock accepts; null where none is asked for, and where there are only those of a tokens file',
    input: {},
    run: ({ target }) => shown(target.credentials()),
  }),
  action({
    name: 'overview',
    method: 'GET',
    path: '/overview',
    about: 'what is true of the mock now: its clock, what is stored, what is not natural, its sandboxes',
    input: {},
    run: ({ target, controls, sandbox }) =>
      shown({
        ...target.overview(sandbox),
        forced: controls.responses(),
        faults: controls.faults().map(({ fault }) => fault),
        snapshots: controls.snapshotNames(),
        undo: controls.nextUndo() ?? null,
      }),
  }),
  action({
    name: 'setClock',
    method: 'PUT',
    path: '/clock',
    about: 'sets the time of the mock: {"now":"2031-01-01T00:00:00Z"}, null for the real one',
    input: {
      now: { in: 'body', type: 'time', about: 'the time; null for the real one', required: true, isNullable: true },
      fixed: { in: 'body', type: 'boolean', about: 'it stands still; without it, it runs on' },
    },
    library: 'setClock',
    changes: 'clock',
    run({ controls, input: { now, fixed = false } }) {
      controls.setClock(now === null ? undefined : new Date(now), { fixed });
      return NO_CONTENT;
    },
  }),
  action({
    name: 'tokenFor',
    isOutOfTurn: true,
    method: 'POST',
    path: '/token',
    about:
      'an access token of the issuer, as somebody gets it who signs in: {"user":"ann@example.com","scopes":["read"]}',
    input: {
      user: { in: 'body', type: 'string', about: 'id, user name or e-mail address; without it the first user' },
      scopes: {
        in: 'body',
        type: 'strings',
        about: 'scopes; without them all of the description',
        example: '["read"]',
      },
      expiresIn: { in: 'body', type: 'integer', about: 'seconds until its end; without it an hour' },
    },
    library: 'tokenFor',
    changes: [],
    run: ({ target, input }) => shown({ token: target.tokenFor(input) }),
  }),
];
