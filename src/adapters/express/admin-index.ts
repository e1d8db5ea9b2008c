import type { JsonValue } from '../../json/json-value';

/** The path that all admin routes are below. */
export const ADMIN_PATH = '/__standin';

/** What each admin route does, for whoever looks around: `GET /state` and so on, below the admin path. */
export const ADMIN_ROUTES: Readonly<Record<string, string>> = {
  'GET /': 'this list; in a browser the page of /docs',
  'GET /docs': 'a page with every operation, and links to what can be looked at',
  'GET /health': 'says that the mock is up, and of what',
  'GET /state':
    'what is stored, as a fixture document; ?all=true for all of it, ?secrets=true for write-only members too',
  'PUT /state': 'replaces it by such a document',
  'GET /row': 'one row: ?collection=/books&key=7',
  'PUT /row': 'stores the row of the body: ?collection=/books',
  'PATCH /row': 'changes members of a row: ?collection=/books&key=7',
  'DELETE /row': 'removes a row: ?collection=/books&key=7',
  'POST /reset': 'back to the baseline; empties the journal',
  'POST /snapshot': 'keeps the state under a name: {"name":"before"}',
  'DELETE /snapshot': 'forgets every kept state',
  'POST /restore': 'goes back to one: {"name":"before"}',
  'GET /diff': 'what changed since the baseline, or since ?snapshot=before',
  'POST /baseline': 'makes the state, or ?snapshot=before, what resets go back to',
  'GET /journal': 'the latest requests with their answers and what they changed',
  'DELETE /journal': 'empties it',
  'PUT /clock': 'sets the time of the mock: {"now":"2031-01-01T00:00:00Z"}, null for the real one',
  'GET /faults': 'what goes wrong on purpose',
  'PUT /faults': 'sets it: {"faults":["status:503;for=30s"]}',
  'DELETE /faults': 'takes it all away',
  'GET /sandboxes': 'the sandboxes in which something was written',
  'POST /sandboxes': 'makes one: {"id":"b","from":"a"}',
  'DELETE /sandboxes': 'deletes ?sandbox=b, or all of them',
};

/** The routes as a document, each with its whole path. */
export function adminIndex(): JsonValue {
  const routes = Object.entries(ADMIN_ROUTES).map(([route, does]) => {
    const [method = '', path = ''] = route.split(' ');
    return { method, path: `${ADMIN_PATH}${path}`, does };
  });
  return { standin: 'admin/1', routes };
}
