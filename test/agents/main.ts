// Ten tasks that are done with the tools of an agent alone: npm run measure -- agents
//
//   --write                   writes docs/measured/agents.md: each call with its answer
//
// Exits 1 if a tool refuses a call.
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { agentOf, connect, type Agent } from './agents';
import { startServer } from '../support/server';
import { makeWritableFolder, TASKS, type Told, writingDown } from './tasks';
import { writeFormatted } from '../support/write-formatted';

const PAGE = 'docs/measured/agents.md';
const LONGEST = 700;

const shown = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST)} … (${text.length} characters)`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
  const tasks = TASKS.map((task, at) => ({ ...task, at }));
  const folder = makeWritableFolder();
  const server = await startServer({ allowWrites: true });
  const client = await connect(`${server.url}/__standin/mcp`);
  const agent: Agent = { ...agentOf(client), server, close: () => client.close() };
  const parts = [
    '# What agents do with it',
    '',
    'Ten tasks at the bundled Petstore, done with the [tools for agents](../agents.md) alone, by the official client of the Model Context Protocol. Nobody thinks between the calls: the tasks are a script (`test/agents/tasks.ts`), in which each step follows from what was answered before. Written by `npm run measure -- agents --write`; a test holds what is reported.',
    '',
  ];
  const rows: string[] = [];
  let characters = 0;
  let [calls, refused] = [0, 0];
  for (const { at, title, before, run } of tasks) {
    const told: Told[] = [];
    const report = await run(writingDown(agent, told, folder));
    const size = told.reduce((sum, { answer }) => sum + answer.length, 0);
    characters += size;
    calls += told.length;
    refused += told.filter(({ answer }) => answer.startsWith('refused')).length;
    rows.push(`| ${at + 1} | ${title} | ${told.length} | ${size} | ${report.replaceAll('|', '\\|')} |`);
    parts.push(`## ${at + 1}. ${title}`, '', ...(before === undefined ? [] : [before, '']));
    for (const { tool, input, answer } of told.slice(0, MOST_CALLS))
      parts.push(
        `\`${tool}\` \`${shown(JSON.stringify(input))}\``,
        '',
        '```text',
        shown(answer).replaceAll('```', "'''"),
        '```',
        '',
      );
    if (told.length > MOST_CALLS) parts.push(`… and ${told.length - MOST_CALLS} more calls of the same kind.`, '');
    parts.push(`Reported: ${report}`, '');
    process.stdout.write(`${at + 1}. ${title}\n   ${report}\n`);
  }
  const table = [
    '| | Task | Calls | Characters of answers | Reported |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    `${characters} characters in all.`,
    '',
  ];
  parts.splice(4, 0, ...table);
  const text = parts
    .join('\n')
    .replaceAll(server.url, 'http://127.0.0.1:4010')
    .replaceAll(folder, 'contracts/by-an-agent');
  if (values.write) writeFormatted(PAGE, text);
  rmSync(folder, { recursive: true, force: true });
  const figures = { tasks: tasks.length, calls, 'calls refused': refused, 'characters of answers': characters };
  process.stdout.write(`figures ${JSON.stringify(figures)}\n`);
  await client.close();
  await server.close();
  process.exitCode = refused > 0 ? 1 : 0;
}

const MOST_CALLS = 6;

void main();
