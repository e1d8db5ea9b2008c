/**
 * Ten tasks that are done with the tools of an agent alone, each call with what was answered, as docs/measured/agents.md.
 * Nobody thinks between the calls: the tasks are a script, which shows what the answers are good for.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { agentOf, connect, type Agent } from './agents';
import { startServer } from '../support/server';
import { TASKS, type Told, WRITTEN, writingDown } from './tasks';

const PAGE = 'docs/measured/agents.md';
const LONGEST = 700;

const shown = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST)} … (${text.length} characters)`;

async function main(): Promise<void> {
  rmSync(WRITTEN, { recursive: true, force: true });
  const server = await startServer({ allowWrites: true });
  const client = await connect(`${server.url}/__standin/mcp`);
  const agent: Agent = { ...agentOf(client), server, close: () => client.close() };
  const parts = [
    '# What agents do with it',
    '',
    'Ten tasks at the bundled Petstore, done with the [tools for agents](../agents.md) alone, by the official client of the Model Context Protocol. Nobody thinks between the calls: the tasks are a script (`test/agents/tasks.ts`), in which each step follows from what was answered before. Written by `npm run agents`; a test holds what is reported.',
    '',
  ];
  const rows: string[] = [];
  let characters = 0;
  for (const [at, { title, before, run }] of TASKS.entries()) {
    const told: Told[] = [];
    const report = await run(writingDown(agent, told));
    const size = told.reduce((sum, { answer }) => sum + answer.length, 0);
    characters += size;
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
  const text = parts.join('\n').replaceAll(server.url, 'http://127.0.0.1:4010');
  writeFileSync(PAGE, await format(text, { ...(await resolveConfig(PAGE)), parser: 'markdown' }));
  rmSync(WRITTEN, { recursive: true, force: true });
  await client.close();
  await server.close();
}

const MOST_CALLS = 6;

void main();
