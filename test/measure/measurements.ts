/** A measurement of `npm run measure`. */
export interface Measurement {
  /** `mutants-generated/lending`: chosen by `mutants-generated` as well. */
  readonly name: string;
  /** One line for `--list`. */
  readonly about: string;
  /**
   * The full command. It prints its figures to stdout as a line with one flat JSON object:
   * `figures {"defects":214,"defects caught":214}`.
   */
  readonly command: string;
  /** The command of a sample, which differs with each `SEED`. Left out: a part of it would say nothing, or takes long. */
  readonly sample?: string;
  /** Files of docs/measured that hold the results. */
  readonly documents: readonly string[];
  /** What makes `command` write the documents. Left out: people write them. */
  readonly write?: string;
  /** Files and folders whose changes may change the figures; `:!` excludes one. */
  readonly paths: readonly string[];
  /** Differences up to this share are noise, as of times. */
  readonly noise?: number;
}

const RUN = 'node --import tsx';
const KILL_RATE = `${RUN} test/mutants/kill-rate/main.ts`;
/** What most measurements run: all but the page of the mock. */
const PRODUCT = ['src', ':!src/window', 'spec', 'fixtures', 'packs'];
const MUTANTS = [
  ...PRODUCT,
  ...['contracts', 'test/mutants/catalogue', 'test/mutants/variants', 'test/mutants/kill-rate', 'test/second-petstore'],
];
/** An API of our own that is no Petstore, with its defects. */
const ownApi = (name: string): string[] => [
  ...PRODUCT,
  ...['frame', name, 'kill-rate'].map((each) => `test/mutants/${each}`),
];
const BENCH = ['src', 'spec', 'fixtures', 'bench'];

export const MEASUREMENTS: readonly Measurement[] = [
  {
    name: 'slow-tests',
    about: 'the tests that `npm test` leaves out: they take long, or need other processes and programs',
    command: `${RUN} test/measure/slow-tests.ts`,
    sample: `${RUN} test/measure/slow-tests.ts --share 6 --seed SEED`,
    documents: [],
    paths: [...PRODUCT, 'src/window', 'contracts', 'test'],
  },
  {
    name: 'source-mutants',
    about: 'whether `npm test` notices ten small mistakes in ten folders of src/, and how soon (alone on the machine)',
    command: `${RUN} test/measure/source-mutants.ts`,
    documents: [],
    paths: ['src', ':!src/window', 'test'],
  },
  {
    name: 'mutants',
    about: 'which known defects the bundled contracts catch, and whether conforming servers pass',
    command: `${KILL_RATE} --check`,
    sample: `${KILL_RATE} --check --sample 10 --seed SEED`,
    documents: ['kill-rate.md', 'kill-rate.json'],
    write: '--write',
    paths: MUTANTS,
  },
  {
    name: 'safety',
    about:
      'what runs do to rows of somebody else, and what they leave, at services that are hostile in ways drawn by a seed',
    command: `${RUN} test/hostile/main.ts --servers 2000 --seed fifth`,
    sample: `${RUN} test/hostile/main.ts --servers 40 --seed SEED`,
    documents: ['safety.md'],
    paths: ['src/runner', 'src/generated', 'src/library', 'test/hostile'],
  },
  {
    name: 'mutants-recorded',
    about: 'which of them the contract of one recorded session catches',
    command: `${KILL_RATE} --contracts recorded --check`,
    sample: `${KILL_RATE} --contracts recorded --check --sample 6 --seed SEED`,
    documents: ['kill-rate-recorded.md'],
    write: '--write',
    paths: [...MUTANTS, 'test/traffic/round-trip'],
  },
  {
    name: 'mutants-generated',
    about: 'which of them are caught by what is generated from the description, at each trigger',
    command: `${KILL_RATE} --contracts generated --trigger all --check`,
    sample: `${KILL_RATE} --contracts generated --check --sample 4 --seed SEED`,
    documents: ['kill-rate-generated.md'],
    write: '--write',
    paths: MUTANTS,
  },
  {
    name: 'mutants-generated/lending',
    about: 'the same at another API: tools that workshops lend, with a catalogue of its own',
    command: `${KILL_RATE} --api lending --contracts generated --check`,
    sample: `${KILL_RATE} --api lending --contracts generated --check --sample 3 --seed SEED`,
    documents: ['kill-rate-generated-lending.md'],
    write: '--write',
    paths: ownApi('lending'),
  },
  {
    name: 'mutants-generated/clinic',
    about: 'the same at a third API, the desk of a laboratory, which was written without looking at what is found',
    command: `${KILL_RATE} --api clinic --contracts generated --check`,
    sample: `${KILL_RATE} --api clinic --contracts generated --check --sample 3 --seed SEED`,
    documents: ['kill-rate-generated-clinic.md'],
    write: '--write',
    paths: ownApi('clinic'),
  },
  {
    name: 'mutants-everything',
    about: 'which of them are caught by contracts, generated interactions and lock-step together',
    command: `${KILL_RATE} --contracts everything --check`,
    sample: `${KILL_RATE} --contracts everything --check --sample 3 --seed SEED`,
    documents: ['kill-rate-everything.md'],
    write: '--write',
    paths: MUTANTS,
  },
  {
    name: 'seeds',
    about: 'false alarms of generated interactions at conforming servers, with ten seeds each',
    command: [
      `${KILL_RATE} --contracts generated --conforming --seeds 10 --check`,
      `${KILL_RATE} --contracts everything --conforming --seeds 10 --check`,
      `${RUN} test/servers/main.ts --seeds 10`,
    ].join(' && '),
    documents: ['seeds.md'],
    paths: [...MUTANTS, 'test/servers'],
  },
  {
    name: 'grade',
    about: 'how many defects of `standin grade` the bundled contracts notice',
    command: `${RUN} test/measure/grade.ts`,
    sample: `${RUN} test/measure/grade.ts --sample 12 --seed SEED`,
    documents: ['grade.json'],
    write: '--write',
    paths: [...PRODUCT, 'contracts'],
  },
  {
    name: 'corpus',
    about: 'whether descriptions of every kind are mocked, and every response is right',
    command: `${RUN} test/corpus/main.ts --check`,
    sample: `${RUN} test/corpus/main.ts --check --sample 3 --seed SEED`,
    // The page has tables of other descriptions as well, which `--package` and `--folder` name.
    documents: ['corpus.md'],
    paths: [...PRODUCT, 'test/corpus'],
  },
  {
    name: 'clients',
    about: 'which calls of official clients are right at mocks of their APIs',
    command: `${RUN} test/clients/main.mjs --check`,
    sample: `${RUN} test/clients/main.mjs --check --sample 1 --seed SEED`,
    documents: ['clients.md', 'clients.json'],
    write: '--write',
    paths: [...PRODUCT, 'test/clients'],
  },
  {
    name: 'clients-mocks',
    about: 'false alarms of generated interactions at mocks of those APIs, with ten seeds',
    command: `${RUN} test/clients/mocks.mjs --seeds 10`,
    sample: `${RUN} test/clients/mocks.mjs --seeds 10 --requests 500 --sample 1 --seed SEED`,
    documents: ['generated-at-mocks.md'],
    write: '--write',
    paths: [...PRODUCT, 'test/clients'],
  },
  {
    name: 'laws',
    about:
      'whether laws that any API obeys hold at mocks of published descriptions (LAWS_SAMPLE and LAWS_SEED choose them)',
    command: `${RUN} test/laws/main.ts --sample "\${LAWS_SAMPLE:-60}" --seed "\${LAWS_SEED:-first}"`,
    // CI has a step of its own, with the same descriptions each time.
    documents: ['laws.md'],
    write: '--write',
    paths: [...PRODUCT, 'test/laws', 'test/clients/package.json'],
  },
  {
    name: 'servers',
    about: 'whether mode `own` is right and harmless at real servers',
    command: `${RUN} test/servers/main.ts`,
    sample: `${RUN} test/servers/main.ts --sample 3 --seed SEED`,
    documents: ['servers.md'],
    write: '--write',
    paths: [...PRODUCT, 'test/servers'],
  },
  {
    name: 'stores',
    about: 'whether anything answered is lost when a mock, Redis or the network breaks',
    command: `${RUN} bench/store.mjs --only replicas,kills --assert`,
    sample: `${RUN} bench/store.mjs --only replicas,kills --times 2 --assert --sample 2 --seed SEED`,
    documents: [],
    paths: [...PRODUCT, 'bench/store'],
  },
  {
    name: 'own-mock',
    about: 'whether the mock passes the bundled contracts over a socket, as commands',
    command: 'bash scripts/verify-own-mock.sh',
    // One run of the contracts is small already.
    sample: 'bash scripts/verify-own-mock.sh',
    documents: [],
    paths: [...PRODUCT, 'contracts'],
  },
  {
    name: 'agents',
    about: 'ten tasks that a script does with the tools for agents',
    command: `${RUN} test/agents/main.ts`,
    documents: ['agents.md'],
    write: '--write',
    paths: [...PRODUCT, 'test/agents'],
  },
  {
    name: 'properties',
    about: 'whether property tests hold with a new seed, which is printed',
    command: `STANDIN_TEST_SEED=random node scripts/test.mjs slow properties fuzz && STANDIN_TEST_SEED=random node scripts/test.mjs fast properties fuzz && echo 'figures {"failed":0}'`,
    documents: [],
    paths: [...PRODUCT, 'test'],
  },
  {
    name: 'memory',
    about: 'start and memory at rest of the mock (alone on the machine)',
    command: 'node bench/run.mjs --only start --no-prism',
    documents: [],
    paths: BENCH,
    noise: 0.1,
  },
  {
    name: 'soak',
    about: 'whether a mock stays right and small over 300,000 requests (alone on the machine)',
    command: 'node bench/soak.mjs',
    documents: [],
    paths: BENCH,
    noise: 0.1,
  },
  {
    name: 'performance',
    about: 'speed of the mock beside other servers, and its goals (alone on the machine)',
    command: 'node bench/run.mjs',
    documents: ['performance.md'],
    paths: BENCH,
    noise: 0.1,
  },
  {
    name: 'peers',
    about: 'which defects other tools notice (installs them; about two hours)',
    command: `${RUN} test/mutants/peers/main.ts`,
    documents: ['peers.md'],
    write: '--write',
    paths: ['src', 'contracts', 'test/mutants/peers', 'test/mutants/catalogue', 'test/second-petstore'],
  },
];
