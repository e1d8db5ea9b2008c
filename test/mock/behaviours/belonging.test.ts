import request from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text } from '../../support/small-api';
import { mockOfDocument, type SmallMock } from './small-mock';

const own = { ...text, readOnly: true };

/** Tasks show their projects, and whom they are for. */
const document = (shown: Readonly<Record<string, object>>): string =>
  smallApi(
    {
      'GET /projects': { answers: { 200: list(ref('Project')) } },
      'POST /projects': { body: ref('Project'), answers: { 201: ref('Project') } },
      'GET /projects/{projectGid}': { answers: { 200: ref('Project') } },
      'GET /projects/{projectGid}/tasks': { answers: { 200: list(ref('Task')) } },
      'POST /projects/{projectGid}/tasks': { body: ref('NewTask'), answers: { 201: ref('Task') } },
      'GET /tasks': { query: { project: text, 'project.gid': text }, answers: { 200: list(ref('Task')) } },
      'POST /tasks': { body: ref('NewTask'), answers: { 201: ref('Task') } },
      'GET /tasks/{taskGid}': { answers: { 200: ref('Task') } },
      'PATCH /tasks/{taskGid}': { body: ref('NewTask'), answers: { 200: ref('Task') } },
    },
    {
      Project: object({ gid: own, name: text }, ['gid']),
      NewTask: object({ name: text, projects: list(text), project: text, memberships: shown['memberships'] ?? text }),
      Task: object({ gid: own, name: text, ...shown }, ['gid']),
    },
  );

const names = async ({ send }: SmallMock, path: string): Promise<unknown[]> =>
  ((await send('GET', path)).body as unknown as { name: string }[]).map(({ name }) => name);

async function withProjects(shown: Readonly<Record<string, object>>): Promise<SmallMock> {
  const mock = mockOfDocument(document(shown));
  for (const name of ['P', 'Q']) await mock.send('POST', '/projects', { name });
  return mock;
}

test.each([
  { shown: { projects: list(ref('Project')) }, sent: (gid: string) => ({ projects: [gid] }) },
  { shown: { project: ref('Project') }, sent: (gid: string) => ({ project: gid }) },
])('what is made with a project is in the list of that project, and follows it: $shown', async ({ shown, sent }) => {
  const mock = await withProjects(shown);
  await mock.send('POST', '/tasks', { name: 'a', ...sent('1') });
  await mock.send('POST', '/tasks', { name: 'b', ...sent('2') });
  expect(await names(mock, '/projects/1/tasks')).toEqual(['a']);
  expect(await names(mock, '/tasks?project=1')).toEqual(['a']);
  expect(await names(mock, '/tasks?project.gid=2')).toEqual(['b']);
  await mock.send('PATCH', '/tasks/1', sent('2'));
  expect(await names(mock, '/projects/1/tasks')).toEqual([]);
  expect(await names(mock, '/projects/2/tasks')).toEqual(['a', 'b']);
});

test('what is made below a project shows it', async () => {
  const mock = await withProjects({ projects: list(ref('Project')) });
  const made = await mock.send('POST', '/projects/2/tasks', { name: 'a' });
  expect(made.body).toEqual({ gid: '1', name: 'a', projects: [{ gid: '2', name: 'Q' }] });
  expect(await names(mock, '/projects/2/tasks')).toEqual(['a']);
  expect(await names(mock, '/projects/1/tasks')).toEqual([]);
});

test('a filter finds what it names in the objects of a list', async () => {
  const mock = await withProjects({ memberships: list(object({ project: ref('Project'), role: text })) });
  await mock.send('POST', '/tasks', { name: 'a', memberships: [{ project: { gid: '1' } }] });
  await mock.send('POST', '/tasks', { name: 'b', memberships: [{ project: { gid: '2' } }] });
  expect(await names(mock, '/tasks?project=2')).toEqual(['b']);
});

test('rows that are made up lie below what they show', async () => {
  const app = await serveText(document({ project: ref('Project') }), { state: 'seeded' });
  const tasks = (await request(app).get('/tasks').expect(200)).body as { gid: string; project: { gid: string } }[];
  const projects = (await request(app).get('/projects').expect(200)).body as { gid: string }[];
  for (const { gid } of projects) {
    const below = (await request(app).get(`/projects/${gid}/tasks`).expect(200)).body as { gid: string }[];
    const shown = tasks.filter(({ project }) => project.gid === gid);
    expect(below.map((task) => task.gid)).toEqual(shown.map((task) => task.gid));
  }
});
