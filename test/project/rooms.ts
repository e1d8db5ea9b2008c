/** A folder of `src/`. */
export interface Room {
  readonly name: string;
  /** What a reader finds there, for the table of ARCHITECTURE.md. */
  readonly holds: string;
  /** Its folders, in the order in which they may import each other; `.` stands for the files beside them. */
  readonly inside?: readonly string[];
}

/**
 * The rooms of `src/`, lowest row first: a room imports only from the rows before its own, never from another room of its
 * row; inside a room, a folder imports only from those before it. The table in ARCHITECTURE.md is written from this by
 * `npm run rooms`.
 */
export const ROWS: readonly (readonly Room[])[] = [
  [
    {
      name: 'core',
      holds: 'values that know no OpenAPI: texts, errors and findings, exact JSON, dates, HTTP messages and fields',
      inside: ['text', 'errors', 'json', 'time', 'http', 'options'],
    },
  ],
  [
    {
      name: 'schema',
      holds: 'JSON Schema → validator: dialects, patterns without backtracking; the only importer of ajv',
      inside: ['pattern', '.', 'dialects'],
    },
  ],
  [
    {
      name: 'openapi',
      holds: 'description → `ApiModel`: reading, corrections, parameters, routes, questions to schemas, lints',
      inside: [
        'read',
        'read/compose',
        'schemas',
        'read/corrections',
        'parameters',
        'model',
        'view',
        'naming',
        'lint',
        'structure',
        '.',
      ],
    },
  ],
  [
    {
      name: 'lists',
      holds: 'how lists are asked for and paged: parameters, filters, cursors, shapes of pages',
      inside: ['conventions', '.'],
    },
  ],
  [
    {
      name: 'resources',
      holds: 'what is stored, and what each operation does with it: the inference, with its reasons',
      inside: ['model', 'actions', 'paths', 'overrides', 'drafts', 'keys', 'relations', 'passes', '.'],
    },
  ],
  [
    {
      name: 'formats',
      holds: 'the files that people write: contracts, fixtures, overrides, overlays, tokens, baselines',
      inside: ['.', 'contract'],
    },
  ],
  [
    {
      name: 'checks',
      holds: 'what is right: requests in the mock; responses, matchers and whole runs in the runner',
      inside: [
        '.',
        'matchers',
        'request',
        'response/status',
        'response/headers',
        'response/body',
        'response/expected',
        'response',
        'run',
        'callers',
        'together',
      ],
    },
  ],
  [{ name: 'security', holds: 'security schemes: verify, challenge, send, probe; where credentials stand' }],
  [
    { name: 'redaction', holds: 'what of messages is not shown: credentials and secret properties' },
    {
      name: 'payload',
      holds: 'bodies that no state gives: examples, samples of a schema, errors',
      inside: ['sampler', 'error', '.'],
    },
  ],
  [
    {
      name: 'mock',
      holds: 'the stateful engine',
      inside: [
        'faults',
        'state',
        'rules',
        'fitting',
        'sandbox',
        'calls',
        'lists',
        'plans',
        'seed',
        'context',
        'effects',
        'behaviours',
        'pipeline',
        '.',
      ],
    },
    {
      name: 'runner',
      holds: 'contracts replayed at a target: ownership, exchanges, probes, cleanup',
      inside: [
        'coverage',
        'result',
        'transport',
        'ownership',
        'exchange',
        'steps',
        'events',
        'lock-step',
        'probes',
        'run',
      ],
    },
  ],
  [
    { name: 'events', holds: 'what the service sends by itself: when, with what body, and where to' },
    { name: 'issuer', holds: 'who signs in: an OAuth 2.0 and OpenID Connect issuer beside the API, and its tokens' },
  ],
  [
    {
      name: 'report',
      holds: 'results → causes, texts and files of other tools',
      inside: ['causes', 'result', 'text', 'html', 'kinds', '.'],
    },
    { name: 'explain', holds: 'why a response is what it is' },
    { name: 'files', holds: 'reading and writing files: descriptions, contracts, fixtures, rules, ledgers' },
  ],
  [
    {
      name: 'traffic',
      holds: 'recorded exchanges → contracts: reading, secrets, value flow, steps; exports',
      inside: [
        'exchange',
        'secrets',
        'readers',
        'inferred',
        'drift',
        'noise',
        'flow',
        'contract',
        'update',
        'exports',
        '.',
      ],
    },
  ],
  [
    { name: 'generated', holds: 'description → contracts: interactions that hold wherever it does' },
    { name: 'network', holds: 'requests to targets: connections, TLS, proxies' },
    { name: 'store', holds: 'where what a mock remembers outlasts it: a folder, a Redis' },
    { name: 'recorder', holds: 'the recording proxy on a port: passes traffic on, and tells of each exchange' },
    { name: 'prism', holds: 'bodies by Prism, in a thread of its own' },
    {
      name: 'server',
      holds: 'the mock on a port: Express, connections, and what can be done with it while it runs',
      inside: ['controls', 'actions', '.'],
    },
  ],
  [
    {
      name: 'grade',
      holds: 'contracts at mocks that make one mistake each: which they notice, and what would notice the others',
      inside: ['mutants', '.'],
    },
  ],
  [{ name: 'agents', holds: 'what coding agents can do with a mock and with contracts: tools, resources, prompts' }],
  [
    { name: 'library', holds: 'the functions that the package exports, and their options' },
    {
      name: 'window',
      holds:
        'the page of the mock, for browsers: takes values of `core/` and types of `server/actions/shapes.ts` alone',
      inside: [
        'base',
        'parts',
        'reference',
        'views/requests',
        'views/state',
        'views/responses',
        'views/events',
        'views/sandboxes',
        'views/reference',
        'views/coverage',
        'shell',
        'report',
        '.',
      ],
    },
  ],
  [
    {
      name: 'cli',
      holds: 'commands, flags, exit codes',
      inside: ['terminal', 'options', 'actions', 'commands', '.'],
    },
    { name: 'index', holds: 'what `standin` exports' },
    { name: 'express', holds: 'what `standin/express` exports' },
    { name: 'jest', holds: 'what `standin/jest` exports' },
  ],
];

/** The table of ARCHITECTURE.md. */
export function roomsTable(): string {
  const rows = ROWS.flatMap((rooms, row) =>
    rooms.map(({ name, holds, inside = [] }) => {
      const folders = inside.filter((folder) => folder !== '.').map((folder) => `\`${folder}\``);
      const file = ['index', 'express', 'jest'].includes(name) ? `\`${name}.ts\`` : `\`${name}/\``;
      return `| ${row} | ${file} | ${holds} | ${folders.join(' < ')} |`;
    }),
  );
  return ['| row | room | holds | folders inside, lowest first |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
