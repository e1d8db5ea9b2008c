import { mkdtempSync } from 'node:fs';
import type { Agent } from './agents';

/** One call of a task, with what the tool answered. */
export interface Told {
  readonly tool: string;
  readonly input: object;
  readonly answer: string;
}

/** What an agent is asked to do, and how it is done with the tools alone. */
interface Task {
  readonly title: string;
  /** What others did before, in words; the agent learns of it by its tools. */
  readonly before?: string;
  /** @returns what the agent reports */
  readonly run: (agent: Working) => Promise<string>;
}

/** An agent whose calls are written down. */
export interface Working {
  /** @returns the answer */
  readonly call: (tool: string, input?: object) => Promise<string>;
  readonly json: <Shape>(tool: string, input?: object) => Promise<Shape>;
  /** What somebody else does: a client of the mock. @returns the status */
  readonly client: (method: string, path: string, body?: object) => Promise<number>;
  /** Where it writes contracts. */
  readonly folder: string;
}

export function writingDown(agent: Agent, told: Told[], folder: string): Working {
  const call = async (tool: string, input: object = {}): Promise<string> => {
    const answer = await agent.call(tool, input);
    told.push({ tool, input, answer });
    return answer;
  };
  return {
    call,
    folder,
    json: async <Shape>(tool: string, input?: object) => JSON.parse(await call(tool, input)) as Shape,
    client: async (method, path, body) => {
      const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await fetch(`${agent.server.url}${path}`, { method, headers, ...sent })).status;
    },
  };
}

interface Graded {
  readonly grade: number;
  readonly missedFirst: readonly { readonly assertion?: { readonly addTo: string; readonly text: string } }[];
}

const CATEGORIES = `standin: contract/1
name: A category from its first day to its last
steps:
  - name: a category is made
    operation: createCategory
    body: { name: 'Dogs \${runId}', description: Loyal }
    expect: { status: 201, body: { name: 'Dogs \${runId}', description: Loyal } }
    capture: { categoryId: $response.body#/id }
  - name: it is read
    operation: getCategory
    parameters: { categoryId: '\${categoryId}' }
    expect: { status: 200, body: { id: '\${categoryId}', name: 'Dogs \${runId}', description: Loyal } }
  - name: one without a name is refused
    operation: createCategory
    body: {}
    expect: { status: 400, code: missing_field }
  - name: it is removed
    operation: deleteCategory
    parameters: { categoryId: '\${categoryId}' }
    expect: { status: 204 }
  - name: it is gone
    operation: getCategory
    parameters: { categoryId: '\${categoryId}' }
    expect: { status: 404 }
`;

const OPERATIONS = ['getCategory', 'deleteCategory'];
/**
 * Makes a folder of its own for what an agent writes: below the working directory, and in no folder that is searched for
 * tests. The caller removes it.
 */
export function makeWritableFolder(): string {
  return mkdtempSync('written-by-agents-');
}

export const TASKS: readonly Task[] = [
  {
    title: 'What does it take to add a pet?',
    async run({ call, json }) {
      const { operations } = await json<{ operations: { id: string }[] }>('list_operations', { search: 'add pet' });
      const [{ id } = { id: '' }] = operations;
      const text = await call('describe_operation', { operation: id });
      const { body } = JSON.parse(text) as { body: { content: { schema: { required: string[] } }[] } };
      return `${id} needs ${body.content[0]?.schema.required.join(' and ') ?? ''}`;
    },
  },
  {
    title: 'The application says that adding a pet fails. Why?',
    before: 'The application sent POST /pets {"name":"Rex"}.',
    async run({ client, call, json }) {
      await client('POST', '/pets', { name: 'Rex' });
      const { requests } = await json<{ requests: { seq: number; status: number }[] }>('list_requests', {
        newest: true,
        limit: 1,
      });
      const failed = requests.at(-1)!;
      const why = await call('explain_response', { seq: failed.seq });
      return `${failed.status}: ${/The field \/categoryId is missing[^"]*/.exec(why)?.[0].replace(/\\$/, '') ?? 'unknown'}`;
    },
  },
  {
    title: 'Add the pet rightly, and show what changed.',
    async run({ json }) {
      const body = { name: 'Rex', categoryId: 1 };
      const made = await json<{ status: number; changed: unknown[] }>('call_operation', {
        method: 'POST',
        target: '/pets',
        body,
      });
      return `${made.status}, ${made.changed.length} items changed: the pet and its stock`;
    },
  },
  {
    title: 'Make the next GET /pets a 503, once, so that the retry of the application can be tried.',
    async run({ call, client }) {
      await call('set_next_response', { operation: 'listPets', status: 503, times: 1, violates: true });
      return `the application gets ${await client('GET', '/pets')}, then ${await client('GET', '/pets')}`;
    },
  },
  {
    title: 'Try a clean-up without disturbing anybody.',
    async run({ call, json, client }) {
      await call('create_sandbox', { id: 'attempt' });
      const gone = await json<{ status: number }>('call_operation', {
        method: 'DELETE',
        target: '/pets/1',
        sandbox: 'attempt',
      });
      const there = await json<{ status: number }>('call_operation', {
        method: 'GET',
        target: '/pets/1',
        sandbox: 'attempt',
      });
      await call('remove_sandbox', { sandbox: 'attempt' });
      return `there ${gone.status} and then ${there.status}; for everybody else still ${await client('GET', '/pets/1')}`;
    },
  },
  {
    title: 'Somebody changed the data. What, and can it be as before?',
    before: 'A snapshot was made; then the application sent PUT /categories/1 with another name.',
    async run({ call, client, json }) {
      await call('save_snapshot', { name: 'before' });
      await client('PUT', '/categories/1', { name: 'Changed' });
      const diff = await call('compare_state', { snapshot: 'before' });
      await call('restore_snapshot', { name: 'before' });
      const { rows } = await json<{ rows: { item: { name: string } }[] }>('list_items', {
        collection: '/categories',
        key: '1',
      });
      return `${diff.includes('Changed') ? '/categories 1 became "Changed"' : 'nothing'}; now it is "${rows[0]?.item.name ?? ''}" again`;
    },
  },
  {
    title: 'Make a contract of what the application did.',
    before: 'The application sent POST /categories, and GET of what it made.',
    async run({ call, client, json }) {
      await client('POST', '/categories', { name: 'Fish' });
      await client('GET', '/categories?limit=1');
      const { requests } = await json<{ requests: { seq: number }[] }>('list_requests', { newest: true, limit: 2 });
      const { yaml } = await json<{ yaml: string }>('contract_of_requests', {
        requests: requests.map(({ seq }) => seq),
      });
      const run = JSON.parse(await call('run_contract', { text: yaml })) as { outcome: string };
      return `the contract ${run.outcome === 'conforms' ? 'passes' : 'fails'} at a mock of its own`;
    },
  },
  {
    title: 'This contract fails. Why?',
    async run({ call, json }) {
      const text = CATEGORIES.replace(
        "name: 'Dogs ${runId}', description: Loyal } }\n    capture",
        "name: 'Cats ${runId}' } }\n    capture",
      );
      await call('run_contract', { text });
      const { findings } = await json<{ findings: { step: string; findings: { message: string }[] }[] }>(
        'read_findings',
        { limit: 1 },
      );
      return `"${findings[0]?.step ?? ''}": ${findings[0]?.findings[0]?.message ?? ''}`;
    },
  },
  {
    title: 'Write a contract for categories that passes.',
    async run({ call, json, folder }) {
      await call('contract_format');
      const run = await json<{ outcome: string; steps: { passed: number } }>('run_contract', { text: CATEGORIES });
      await call('write_contract', { file: `${folder}/categories.yaml`, text: CATEGORIES });
      return `it ${run.outcome}, ${run.steps.passed} steps pass`;
    },
  },
  {
    title: 'Let it notice at least 80 % of what can go wrong with them.',
    async run({ call, json, folder }) {
      const grade = (): Promise<Graded> => json<Graded>('grade_contract', { files: [folder], operations: OPERATIONS });
      const grades: number[] = [];
      for (let round = 1; round <= 8; round++) {
        const { grade: percent, missedFirst } = await grade();
        grades.push(percent);
        if (percent >= 80) break;
        let at = 0;
        for (const { assertion } of missedFirst)
          if (assertion?.addTo === 'a contract of its own')
            await call('write_contract', {
              file: `${folder}/missed-${round}-${(at += 1)}.yaml`,
              text: assertion.text,
            });
      }
      return `from ${grades[0] ?? 0} % to ${grades.at(-1) ?? 0} % in ${grades.length} rounds of what the grade proposes`;
    },
  },
];
