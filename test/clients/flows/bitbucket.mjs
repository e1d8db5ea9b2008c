// Bitbucket by its community client. The client chooses workspaces and slugs, bodies name their type, and pages are
// links in the body. Left out: effects of git itself (commits, diffs, files), which need a repository behind the API.
import {
  after,
  both,
  call,
  distinct,
  end,
  load,
  need,
  none,
  number,
  one,
  refused,
  size,
  some,
  text,
  times,
  url,
} from '../flow.mjs';

const { Bitbucket } = (await load('bitbucket')).default;
/** The client reads Content-Type of each response and fails where there is none, as in a 204. */
const fetchWithType = async (...args) => {
  const response = await fetch(...args);
  if (response.headers.has('content-type')) return response;
  const headers = new Headers(response.headers);
  headers.set('content-type', 'text/plain');
  const hasNoBody = [204, 205, 304].includes(response.status);
  return new Response(hasNoBody ? null : await response.text(), { status: response.status, headers });
};
const b = new Bitbucket({
  baseUrl: url,
  auth: { token: 'token' },
  notice: false,
  request: { fetch: fetchWithType },
});
const data = (promise) => promise.then((response) => response.data);
const status =
  (...allowed) =>
  (error) =>
    allowed.includes(error.status) || `status ${error.status}`;

const workspace = 'acme';
const R = { workspace, repo_slug: 'shop' };
/** Follows the links of pages; the ids of their items. */
async function idsOfAllPages(first, limit = 20) {
  const ids = [];
  let page = await first;
  for (let count = 0; count < limit; count++) {
    ids.push(...page.values.map(({ id }) => id));
    if (!b.hasNextPage(page)) return ids;
    page = await data(b.getNextPage(page));
  }
  throw new Error(`more than ${limit} pages`);
}

await call(
  'repositories.create',
  () =>
    data(
      b.repositories.create({
        ...R,
        _body: { type: 'repository', name: 'shop', description: 'Sells', scm: 'git', is_private: true },
      }),
    ),
  { type: 'repository', uuid: text, name: 'shop', description: 'Sells', is_private: true },
);
await call('repositories.get', () => data(b.repositories.get(R)), { name: 'shop', description: 'Sells', scm: 'git' });
await call(
  'repositories.update',
  () => data(b.repositories.update({ ...R, _body: { type: 'repository', description: 'Sells more' } })),
  { name: 'shop', description: 'Sells more', is_private: true },
);
await call('repositories.create another', () =>
  data(b.repositories.create({ workspace, repo_slug: 'docs', _body: { type: 'repository', name: 'docs' } })),
);
await call('repositories.list', () => data(b.repositories.list({ workspace })), {
  values: both(some({ name: 'shop', description: 'Sells more' }), some({ name: 'docs' })),
});

const issue = await call(
  'issue_tracker.create',
  () =>
    data(
      b.issue_tracker.create({
        ...R,
        _body: { type: 'issue', title: 'Typo', kind: 'bug', priority: 'minor', content: { raw: 'in the footer' } },
      }),
    ),
  {
    id: number,
    title: 'Typo',
    kind: 'bug',
    priority: 'minor',
    state: one('new', 'open', 'submitted'),
    content: { raw: 'in the footer' },
  },
);
const I = () => ({ ...R, issue_id: need(issue?.id, 'issue id') });
await call('issue_tracker.get', () => data(b.issue_tracker.get(I())), {
  title: 'Typo',
  kind: 'bug',
  content: { raw: 'in the footer' },
});
await call(
  'issue_tracker.update',
  () => data(b.issue_tracker.update({ ...I(), _body: { type: 'issue', title: 'Typos', state: 'resolved' } })),
  { title: 'Typos', state: 'resolved', kind: 'bug' },
);
await call('issue_tracker.createComment', () =>
  data(b.issue_tracker.createComment({ ...I(), _body: { type: 'issue_comment', content: { raw: 'Done' } } })),
);
await call('issue_tracker.listComments', () => data(b.issue_tracker.listComments(I())), {
  values: some({ content: { raw: 'Done' } }),
});
await call(
  'issue_tracker.create eight more',
  () => times(8, (n) => data(b.issue_tracker.create({ ...R, _body: { type: 'issue', title: `Task ${n}` } }))),
  size(8),
);
await call(
  'issue_tracker.list, pages of four',
  () => idsOfAllPages(data(b.issue_tracker.list({ ...R, pagelen: 4 }))),
  both(size(9), distinct(9)),
);
await call(
  'issue_tracker.list of another repository',
  () => (after('issue_tracker.create'), data(b.issue_tracker.list({ workspace, repo_slug: 'docs' }))),
  { values: none({ title: 'Typos' }) },
);

await call(
  'refs.createBranch',
  () => data(b.refs.createBranch({ ...R, _body: { name: 'cart', target: { hash: '0f1e2d3c4b5a' } } })),
  { name: 'cart' },
);
await call('refs.getBranch', () => data(b.refs.getBranch({ ...R, name: 'cart' })), { name: 'cart' });
await call('refs.listBranches', () => data(b.refs.listBranches(R)), { values: some({ name: 'cart' }) });

const pull = await call(
  'pullrequests.create',
  () =>
    data(
      b.pullrequests.create({
        ...R,
        _body: {
          type: 'pullrequest',
          title: 'Add a cart',
          source: { branch: { name: 'cart' } },
          destination: { branch: { name: 'main' } },
        },
      }),
    ),
  { id: number, title: 'Add a cart', state: 'OPEN', source: { branch: { name: 'cart' } } },
);
const P = () => ({ ...R, pull_request_id: need(pull?.id, 'pull request id') });
await call('pullrequests.get', () => data(b.pullrequests.get(P())), {
  title: 'Add a cart',
  destination: { branch: { name: 'main' } },
});
await call(
  'pullrequests.update',
  () => data(b.pullrequests.update({ ...P(), _body: { type: 'pullrequest', title: 'Add the cart' } })),
  { title: 'Add the cart', source: { branch: { name: 'cart' } } },
);
await call('pullrequests.list', () => data(b.pullrequests.list(R)), { values: some({ title: 'Add the cart' }) });
const comment = await call(
  'pullrequests.createComment',
  () =>
    data(b.pullrequests.createComment({ ...P(), _body: { type: 'pullrequest_comment', content: { raw: 'Nice' } } })),
  { id: number, content: { raw: 'Nice' } },
);
await call(
  'pullrequests.getComment',
  () => data(b.pullrequests.getComment({ ...P(), comment_id: need(comment?.id, 'comment id') })),
  { content: { raw: 'Nice' } },
);
await call('pullrequests.merge', () => data(b.pullrequests.merge({ ...P(), _body: { type: 'merge' } })), {
  state: 'MERGED',
});
await call('pullrequests.get after merge', () => (after('pullrequests.merge'), data(b.pullrequests.get(P()))), {
  title: 'Add the cart',
  state: 'MERGED',
});

const hook = await call(
  'repositories.createWebhook',
  () =>
    data(
      b.repositories.createWebhook({
        ...R,
        _body: { description: 'build', url: 'https://ci.example.com/', active: true, events: ['repo:push'] },
      }),
    ),
  { uuid: text, url: 'https://ci.example.com/', active: true },
);
const H = () => ({ ...R, uid: need(hook?.uuid, 'webhook uuid') });
await call('repositories.getWebhook', () => data(b.repositories.getWebhook(H())), {
  url: 'https://ci.example.com/',
  events: ['repo:push'],
});
await call('repositories.deleteWebhook', () => b.repositories.deleteWebhook(H()));
await refused(
  'repositories.getWebhook after delete',
  () => (after('repositories.deleteWebhook'), b.repositories.getWebhook(H())),
  status(404),
);

await call('issue_tracker.delete', () => b.issue_tracker.delete(I()));
await refused(
  'issue_tracker.get after delete',
  () => (after('issue_tracker.delete'), b.issue_tracker.get(I())),
  status(404, 410),
);
await call(
  'issue_tracker.list after delete',
  () => (after('issue_tracker.delete'), data(b.issue_tracker.list({ ...R, pagelen: 50 }))),
  { values: both(size(8), none({ title: 'Typos' })) },
);
await call('repositories.delete', () => b.repositories.delete(R));
await refused(
  'repositories.get after delete',
  () => (after('repositories.delete'), b.repositories.get(R)),
  status(404),
);
await refused(
  'issue_tracker.list after the repository is gone',
  () => (after('repositories.delete'), b.issue_tracker.list(R)),
  status(404),
);
await call(
  'repositories.get of the other repository',
  () => data(b.repositories.get({ workspace, repo_slug: 'docs' })),
  { name: 'docs' },
);
end();
