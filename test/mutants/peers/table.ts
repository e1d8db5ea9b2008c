import { DEFECTS } from '../catalogue/index';

/** What one tool noticed; `reason` where it could not be run. */
export interface OfPeer {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly settings: string;
  /** Of so many defects one. */
  readonly sample: number;
  readonly reason?: string;
  /** Findings at the server without a defect. */
  readonly alwaysFound?: readonly string[];
  /** Variants at which there was a finding that is not among those. */
  readonly alarms?: readonly string[];
  /** At so many of them it was run. */
  readonly variants?: number;
  /** By id of the defects that it was run at. */
  readonly noticed?: Readonly<Record<string, boolean>>;
  readonly requests?: number;
  readonly seconds?: number;
}

const HEAD = `# Side by side with other tools

Written by \`npm run measure -- peers --write\`. Each tool is run at the same server, the second Petstore of \`test/second-petstore\`, with the same description and the same key, and set up as well as we can; the files are in \`test/mutants/peers\`. First it is run three times without a defect: what it finds there is wrong, and is not counted as noticed later. Then once with each variant that the description leaves free, where a finding is a false alarm, and once with each defect of the sample. A defect is noticed if there is a finding that was not there without it, whatever it says. Requests are counted at the server, those for things that a tool's setup makes among them.

Who wrote the table wrote one of the tools and the list of defects: it says how the tools differ in what they look at, not which is best for you. Schemathesis, CATS and EvoMaster are not in it, for they are not on npm. Try them beside it. Neither are Specmatic's resiliency tests, one run of which takes three minutes and finds 40 things at the server without a defect: \`--only specmatic-resiliency\` measures them.
`;

/** The table as Markdown. */
export function formatPeers(measured: readonly OfPeer[]): string {
  const ran = measured.filter(({ reason }) => reason === undefined);
  const failed = measured.filter(({ reason }) => reason !== undefined);
  const sample = ran[0]?.sample ?? 1;
  const ids = DEFECTS.filter(({ id }) => ran.some(({ noticed = {} }) => id in noticed));
  return [
    HEAD,
    `Of the defects, one in ${sample} was tried. Where a tool was run at fewer, it takes long. Seconds are the shortest of three runs, on two processors that had other work.`,
    '',
    '| Tool | Defects noticed | Findings without a defect | Variants with a false alarm | Requests of a run | Seconds of a run |',
    '| --- | --- | --- | --- | --- | --- |',
    ...ran.map(rowOf),
    '',
    ...(failed.length === 0
      ? []
      : [...failed.map(({ title, reason }) => `${title} could not be run: ${reason ?? ''}.`), '']),
    '## How each was set up',
    '',
    ...measured.map(
      ({ title, version, settings }) => `- **${title}**${version === '' ? '' : ` ${version}`}: ${settings}.`,
    ),
    '',
    '## Findings and false alarms at a server that conforms',
    '',
    ...ran.map(alarmsOf),
    '',
    '## Which defects',
    '',
    `| Defect | ${ran.map(({ title }) => title).join(' | ')} |`,
    `| --- | ${ran.map(() => '---').join(' | ')} |`,
    ...ids.map(
      ({ id, title }) => `| ${id} ${title} | ${ran.map(({ noticed }) => cellOf(noticed?.[id])).join(' | ')} |`,
    ),
    '',
  ].join('\n');
}

const cellOf = (isNoticed: boolean | undefined): string => (isNoticed === undefined ? '' : isNoticed ? 'yes' : '–');

function rowOf({
  title,
  noticed = {},
  alwaysFound = [],
  alarms = [],
  variants = 0,
  requests = 0,
  seconds = 0,
}: OfPeer): string {
  const all = Object.values(noticed);
  const count = all.filter(Boolean).length;
  return `| ${title} | ${count} of ${all.length} (${((100 * count) / Math.max(1, all.length)).toFixed(0)} %) | ${alwaysFound.length} | ${alarms.length} of ${variants} | ${requests} | ${seconds.toFixed(1)} |`;
}

function alarmsOf({ title, alwaysFound = [], alarms = [] }: OfPeer): string {
  const words = [
    ...(alwaysFound.length === 0
      ? []
      : [
          `without a defect: ${alwaysFound
            .slice(0, 3)
            .map((each) => `\`${each.replaceAll('`', "'")}\``)
            .join(', ')}${alwaysFound.length > 3 ? `, and ${alwaysFound.length - 3} more` : ''}`,
        ]),
    ...(alarms.length === 0 ? [] : [`at the variants ${alarms.join(', ')}`]),
  ];
  return `- ${title}: ${words.length === 0 ? 'none' : words.join('; ')}.`;
}
