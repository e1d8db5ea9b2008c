// GitHub by @octokit/rest. Left out of the earlier trial: numbers that count 1, 2, 3 in each repository, ETags, the text
// "Not Found" and the organisation "github" — nothing in the description says them.
import {
  after,
  all,
  both,
  call,
  distinct,
  end,
  every,
  list,
  load,
  need,
  none,
  number,
  one,
  origin,
  refused,
  size,
  some,
  text,
  times,
} from '../flow.mjs';
const { Octokit } = await load('@octokit/rest');
const o = new Octokit({ baseUrl: origin, auth: 'ghp_test', log: { debug() {}, info() {}, warn() {}, error() {} } });
const data = (pattern, status) => ({ ...(status && { status }), data: pattern });

const me = await call('users.getAuthenticated', () => o.users.getAuthenticated(), data({ login: text }, 200));
await call(
  'repos.createForAuthenticatedUser',
  () => o.repos.createForAuthenticatedUser({ name: 'demo', description: 'd', private: true }),
  data(
    {
      name: 'demo',
      description: 'd',
      private: true,
      full_name: /\/demo$/,
      owner: { login: (v) => v === me?.data?.login || `owner ${v}` },
    },
    201,
  ),
);
const R = () => ({ owner: need(me?.data?.login, 'login'), repo: 'demo' }); // who is logged in owns it
await call(
  'repos.get',
  () => o.repos.get(R()),
  (r) => r.data.name === 'demo' && r.data.owner.login === R().owner,
);
await call(
  'repos.update',
  () => o.repos.update({ ...R(), description: 'changed', has_wiki: false }),
  data({ description: 'changed', has_wiki: false }),
);
await call(
  'repos.listForAuthenticatedUser',
  () => o.repos.listForAuthenticatedUser({ per_page: 100 }),
  data(some({ name: 'demo' })),
);
await call('repos.listForUser', () => o.repos.listForUser({ username: R().owner }), data(some({ name: 'demo' })));
await call('orgs.listForAuthenticatedUser', () => o.orgs.listForAuthenticatedUser(), data(list));

const issue = await call(
  'issues.create',
  () =>
    o.issues.create({
      ...R(),
      title: 'Bug',
      body: 'text',
      labels: ['bug'],
      assignees: [need(me?.data?.login, 'login')],
    }),
  data({ title: 'Bug', body: 'text', number: number, state: 'open' }, 201),
);
await call('issues.create keeps labels', () => need(issue, 'issue').data.labels.map((l) => l.name ?? l), some('bug'));
const I = () => ({ ...R(), issue_number: need(issue?.data?.number, 'issue number') });
await call('issues.get', () => o.issues.get(I()), data({ title: 'Bug', body: 'text' }));
await call(
  'issues.update',
  () => o.issues.update({ ...I(), state: 'closed', title: 'Bug2' }),
  data({ state: 'closed', title: 'Bug2', body: 'text' }),
);
await call(
  'issues.listForRepo closed',
  () => o.issues.listForRepo({ ...R(), state: 'closed' }),
  data(both(some({ title: 'Bug2' }), every({ state: 'closed' }))),
);
await call(
  'issues.listForRepo shows open ones by default',
  () => (after('issues.update'), o.issues.listForRepo(R())),
  data(none({ state: 'closed' })),
);
await call('issues.create 25 more', () => times(25, (i) => o.issues.create({ ...R(), title: 'I' + i })), size(25));
await call(
  'paginate issues',
  async () => (await o.paginate(o.issues.listForRepo, { ...R(), per_page: 10, state: 'all' })).map((x) => x.number),
  both(size(26), distinct(26)),
);
await call(
  'paginate.iterator pages',
  () => all(o.paginate.iterator(o.issues.listForRepo, { ...R(), per_page: 10, state: 'all' }), (r) => r.data.length),
  (v) => v.join() === '10,10,6' || v.join(),
);
const comment = await call(
  'issues.createComment',
  () => o.issues.createComment({ ...I(), body: 'hi' }),
  data({ body: 'hi' }, 201),
);
const C = () => ({ ...R(), comment_id: need(comment?.data?.id, 'comment id') });
await call(
  'issues.listComments',
  () => o.issues.listComments(I()),
  (r) => r.data.some((x) => x.id === C().comment_id) || 'not listed',
);
await call('issues.updateComment', () => o.issues.updateComment({ ...C(), body: 'ho' }), data({ body: 'ho' }));
await call('issues.getComment', () => o.issues.getComment(C()), data({ body: 'ho' }));
await call('issues.deleteComment', () => o.issues.deleteComment(C()), { status: 204 });
await call(
  'issues.listComments after delete',
  () => (after('issues.deleteComment'), o.issues.listComments(I())),
  (r) => !r.data.some((x) => x.id === C().comment_id) || 'still there',
);
await call(
  'issues.createLabel',
  () => o.issues.createLabel({ ...R(), name: 'prio', color: 'ff0000' }),
  data({ name: 'prio', color: 'ff0000' }),
);
await call('issues.addLabels', () => o.issues.addLabels({ ...I(), labels: ['prio'] }), data(some({ name: 'prio' })));
await call('issues.listLabelsOnIssue', () => o.issues.listLabelsOnIssue(I()), data(some({ name: 'prio' })));
await call('issues.lock', () => o.issues.lock({ ...I(), lock_reason: 'spam' }), { status: 204 });
await call(
  'repos.createOrUpdateFileContents',
  () =>
    o.repos.createOrUpdateFileContents({
      ...R(),
      path: 'a/b.txt',
      message: 'm',
      content: Buffer.from('hello').toString('base64'),
    }),
  data({ content: { path: 'a/b.txt' } }, 201),
);
await call(
  'repos.getContent',
  () => o.repos.getContent({ ...R(), path: 'a/b.txt' }),
  (r) =>
    Buffer.from(r.data.content ?? '', 'base64').toString() === 'hello' ||
    'content ' + JSON.stringify(r.data).slice(0, 90),
);
await call(
  'git.createRef',
  () => o.git.createRef({ ...R(), ref: 'refs/heads/f', sha: 'aa218f56b14c9653891f9e74264a383fa43fefbd' }),
  data({ ref: 'refs/heads/f' }, 201),
);
await call('git.getRef', () => o.git.getRef({ ...R(), ref: 'heads/f' }), data({ ref: 'refs/heads/f' }));
await call('repos.listBranches', () => o.repos.listBranches(R()), data(list));
const pull = await call(
  'pulls.create',
  () => o.pulls.create({ ...R(), title: 'PR', head: 'f', base: 'main' }),
  data({ title: 'PR', state: 'open', number: number }, 201),
);
const P = () => ({ ...R(), pull_number: need(pull?.data?.number, 'pull number') });
await call('pulls.get', () => o.pulls.get(P()), data({ title: 'PR' }));
await call('pulls.merge', () => o.pulls.merge(P()), data({ merged: true }));
await call('pulls.checkIfMerged', () => o.pulls.checkIfMerged(P()), { status: 204 });
const release = await call(
  'repos.createRelease',
  () => o.repos.createRelease({ ...R(), tag_name: 'v1', name: 'R1', draft: false }),
  data({ tag_name: 'v1', name: 'R1', draft: false }, 201),
);
await call(
  'repos.getReleaseByTag',
  () => o.repos.getReleaseByTag({ ...R(), tag: 'v1' }),
  (r) => r.data.id === need(release, 'release').data.id || 'another id',
);
await call('repos.getLatestRelease', () => o.repos.getLatestRelease(R()), data({ tag_name: 'v1' }));
const hook = await call(
  'repos.createWebhook',
  () => o.repos.createWebhook({ ...R(), config: { url: 'https://x/y', secret: 's' }, events: ['push'] }),
  data({ config: { url: 'https://x/y' }, events: ['push'] }, 201),
);
await call(
  'repos.listWebhooks',
  () => o.repos.listWebhooks(R()),
  (r) => r.data.some((x) => x.id === need(hook, 'webhook').data.id) || 'not listed',
);
const gist = await call(
  'gists.create',
  () => o.gists.create({ files: { 'a.txt': { content: 'x' } }, public: true }),
  data({ files: { 'a.txt': { content: 'x' } }, public: true }, 201),
);
const G = () => need(gist?.data?.id, 'gist id');
await call('gists.get', () => o.gists.get({ gist_id: G() }), data({ files: { 'a.txt': { content: 'x' } } }));
await call(
  'gists.list',
  () => o.gists.list(),
  (r) => r.data.some((x) => x.id === G()) || 'not listed',
);
await call('activity.star', () => o.activity.starRepoForAuthenticatedUser(R()), { status: 204 });
await call('activity.checkStarred', () => o.activity.checkRepoIsStarredByAuthenticatedUser(R()), { status: 204 });
await call('activity.unstar', () => o.activity.unstarRepoForAuthenticatedUser(R()), { status: 204 });
await refused(
  'activity.checkStarred after unstar',
  () => (after('activity.unstar'), o.activity.checkRepoIsStarredByAuthenticatedUser(R())),
  { status: 404 },
);
await call(
  'repos.replaceAllTopics',
  () => o.repos.replaceAllTopics({ ...R(), names: ['a', 'b'] }),
  data({ names: ['a', 'b'] }),
);
await call('repos.getAllTopics', () => o.repos.getAllTopics(R()), data({ names: ['a', 'b'] }));
await call(
  'search.issues',
  () => o.search.issuesAndPullRequests({ q: 'Bug2' }),
  data({ items: list, total_count: number }),
);
await call('actions.createRepoVariable', () => o.actions.createRepoVariable({ ...R(), name: 'V', value: '1' }), {
  status: 201,
});
await call('actions.getRepoVariable', () => o.actions.getRepoVariable({ ...R(), name: 'V' }), data({ value: '1' }));
await refused(
  'issues.create without a title',
  () => o.request('POST /repos/{owner}/{repo}/issues', { ...R(), body: 'no title' }),
  { name: 'HttpError', status: one(400, 422) },
);
await call('repos.delete', () => o.repos.delete(R()), { status: 204 });
await refused('repos.get after delete', () => (after('repos.delete'), o.repos.get(R())), { status: 404 });
await refused('issues.get after the repository is gone', () => (after('repos.delete'), o.issues.get(I())), {
  status: one(404, 410),
});
await refused('repos.get unknown', () => o.repos.get({ owner: 'nobody', repo: 'none' }), {
  status: 404,
  message: text,
});
end();
