import { readFileSync, rmSync } from 'node:fs';
import { type Agent, startAgent } from './agents';
import { makeWritableFolder, TASKS, type Told, writingDown } from './tasks';

/** What the agent has to report of each. */
const REPORTS = [
  'createPet needs name and categoryId',
  '400: The field /categoryId is missing: the body must have the property ',
  '201, 2 items changed: the pet and its stock',
  'the application gets 503, then 200',
  'there 204 and then 404; for everybody else still 200',
  /^\/categories 1 became "Changed"; now it is "(?!Changed)[^"]+" again$/,
  'the contract passes at a mock of its own',
  /^"a category is made": .*Cats/,
  /^it conforms, \d+ steps pass$/,
  /^from \d\d(\.\d)? % to (8|9)\d(\.\d)? % in \d rounds of what the grade proposes$/,
];

describe('with its tools alone an agent does what it is asked for', () => {
  let agent: Agent;
  const folder = makeWritableFolder();
  beforeAll(async () => {
    agent = await startAgent({ allowWrites: true });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    expect(agent.server.defects).toEqual([]);
    await agent.close();
  });

  test.each(TASKS.map((task, at) => [task.title, at] as const))(
    '%s',
    async (title, at) => {
      const told: Told[] = [];
      const report = await TASKS[at]!.run(writingDown(agent, told, folder));
      const wanted = REPORTS[at]!;
      if (typeof wanted === 'string') expect(report).toContain(wanted);
      else expect(report).toMatch(wanted);
      expect(told.filter(({ answer }) => answer.startsWith('refused'))).toEqual([]);
      // The written protocol tells the same.
      expect(readFileSync('docs/measured/agents.md', 'utf8')).toContain(`${at + 1}. ${title}`);
    },
    600_000,
  );
});
