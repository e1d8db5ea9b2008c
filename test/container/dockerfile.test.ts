import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { composeServices, dockerfile, execForm, ROOT, stagesOf } from './dockerfile';

/** What hadolint asks for, as far as it is about instructions that ours has. */
const RULES: readonly (readonly [rule: string, breaks: (stages: ReturnType<typeof stagesOf>) => string[]])[] = [
  [
    'DL3006, DL3007: an image has a tag, and not the latest',
    (stages) => stages.map(({ image }) => image).filter((image) => !/:(?!latest$)[\w.-]+$/.test(image)),
  ],
  ['DL3000: a WORKDIR is absolute', (stages) => textsOf(stages, 'WORKDIR').filter((path) => !path.startsWith('/'))],
  ['DL3020: no ADD for files', (stages) => textsOf(stages, 'ADD')],
  [
    'DL3022, DL3023: COPY --from names an earlier stage',
    (stages) =>
      stages.flatMap(({ instructions }, index) =>
        instructions
          .flatMap(({ name, text }) => (name === 'COPY' ? (/--from=(\S+)/.exec(text)?.[1] ?? []) : []))
          .filter((from) => !stages.slice(0, index).some((stage) => stage.name === from)),
      ),
  ],
  [
    'DL3025: CMD, ENTRYPOINT and HEALTHCHECK in their exec form',
    (stages) =>
      ['CMD', 'ENTRYPOINT', 'HEALTHCHECK']
        .flatMap((name) => textsOf(stages, name))
        .filter((text) => execForm(text) === undefined),
  ],
  ['DL3003, DL3004: no cd, no sudo', (stages) => textsOf(stages, 'RUN').filter((text) => /\b(?:cd|sudo)\s/.test(text))],
  [
    'DL4006: no pipe whose first failure nobody sees',
    (stages) => textsOf(stages, 'RUN').filter((text) => /[^|]\|[^|]/.test(text)),
  ],
  [
    'DL4003, DL4004: one CMD, one ENTRYPOINT',
    (stages) => [...textsOf(stages, 'CMD').slice(1), ...textsOf(stages, 'ENTRYPOINT').slice(1)],
  ],
];

function textsOf(stages: ReturnType<typeof stagesOf>, wanted: string): string[] {
  return stages.flatMap(({ instructions }) =>
    instructions.flatMap(({ name, text }) => (name === wanted ? [text] : [])),
  );
}

test.each(RULES)('%s', (_, breaks) => {
  expect(breaks(stagesOf(dockerfile()))).toEqual([]);
});

test('DL3002: what is run is run by a user without rights, and its health is asked for', () => {
  const last = stagesOf(dockerfile()).at(-1)?.instructions ?? [];
  expect(last.filter(({ name }) => name === 'USER').map(({ text }) => text)).toEqual(['node']);
  expect(last.filter(({ name }) => name === 'HEALTHCHECK')).toHaveLength(1);
  const names = last.map(({ name }) => name);
  expect(names.indexOf('USER')).toBeGreaterThan(names.lastIndexOf('COPY'));
});

test('the example for Kubernetes asks for the health as the image does, and lets nothing be written', () => {
  const text = readFileSync(join(ROOT, 'examples', 'container', 'kubernetes.yaml'), 'utf8');
  const [deployment, service] = parseAllDocuments(text).map((document) => document.toJS() as Record<string, never>);
  const [container] =
    (deployment as { spec: { template: { spec: { containers: Record<string, never>[] } } } } | undefined)?.spec.template
      .spec.containers ?? [];
  const [asked = ''] = textsOf(stagesOf(dockerfile()), 'HEALTHCHECK');
  const health = execForm(asked);
  expect(health?.join(' ')).toMatch(/^node .*\/__standin\/ready'/);
  expect(container).toMatchObject({
    args: expect.arrayContaining(['mock', '--host', '0.0.0.0']) as unknown,
    ports: [{ name: 'http', containerPort: 4010 }],
    readinessProbe: { httpGet: { path: '/__standin/ready', port: 'http' } },
    livenessProbe: { tcpSocket: { port: 'http' } },
    securityContext: { runAsNonRoot: true, readOnlyRootFilesystem: true },
  });
  expect(service).toMatchObject({ kind: 'Service', spec: { selector: { app: 'shop-mock' } } });
});

test('every service of compose.yaml that another one waits for exists, and images have tags', () => {
  const services = composeServices();
  const names = Object.keys(services);
  for (const { depends_on: needed = [], image } of Object.values(services)) {
    for (const name of Array.isArray(needed) ? (needed as string[]) : Object.keys(needed))
      expect(names).toContain(name);
    expect(image).toMatch(/^standin$|:/);
  }
  expect([services['mock-1']?.read_only, services['mock-2']]).toEqual([true, services['mock-1']]);
});

// `npm run check:package` runs the same commands in this folder, and the following stages for real.
test('the first stage packs all files that .dockerignore leaves in the context', () => {
  const [{ instructions } = { instructions: [] }] = stagesOf(dockerfile());
  expect(instructions.map(({ name, text }) => `${name} ${text}`)).toEqual([
    'WORKDIR /standin',
    'COPY package.json package-lock.json .npmrc ./',
    'RUN npm ci --no-audit --no-fund',
    'COPY . .',
    'RUN npm run --silent build -- --package',
    'RUN npm pack --silent && mv standin-*.tgz standin.tgz',
  ]);
});

test('the context of the image has every file that the build reads and the package contains', () => {
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
  const stamps = JSON.parse(readFileSync(join(ROOT, 'dist', '.built.json'), 'utf8')) as Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, string>> }>
  >;
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly files: readonly string[];
  };
  const read = Object.values(stamps).flatMap(({ inputs }) => Object.keys(inputs));
  const needed = [...read, ...files, 'package.json', 'package-lock.json', '.npmrc', 'tsconfig.build.json'].filter(
    (path) => !/^(?:node_modules|dist)\//.test(path),
  );
  expect(needed).toContain('src/cli/bin.ts');
  expect(needed.filter((path) => ignored.includes(path) || ignored.includes(path.split('/')[0] ?? ''))).toEqual([]);
});
