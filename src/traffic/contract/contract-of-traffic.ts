import { dirname, relative, resolve } from 'node:path';
import { ConfigError } from '../../core/errors/standin-error';
import { counted, toPaste } from '../../core/text/printable';
import { relativePath } from '../../files/file-access';
import type { ApiModel } from '../../openapi/model/api-model';
import type { CleanExchange } from '../exchange/recorded-exchange';
import { descriptionFit } from '../noise/description-fit';
import { nothingLeft, type SiftedTraffic, withoutNoise } from '../noise/without-noise';
import { withAssumedResponses } from './assumed-responses';
import { type Derivation, deriveContract } from './derive-contract';

/** Traffic of one API, and what the contract of it is called. */
export interface TrafficOfApi {
  readonly api: ApiModel;
  readonly sifted: SiftedTraffic;
  /** The same of a second recording of the same session; none where it was recorded once. */
  readonly second?: readonly CleanExchange[] | undefined;
  /** URL of the API; the origin with most of it when left out. */
  readonly target?: string | undefined;
  /** File of the contract. */
  readonly out: string;
  /** File or address of the description, as `verify --spec` takes it; `undefined` for the one that it takes by itself. */
  readonly description: string | undefined;
  /** Where the command in the first lines replays it: where it was recorded when left out. */
  readonly baseUrl?: string | undefined;
  /** Was it made of this very traffic, so that it fits? */
  readonly isInferred: boolean;
  /** Folder for files that steps send, from that of the contract; left out: such steps are pending. */
  readonly filesFolder?: string | undefined;
}

/** A contract of traffic, before it is written anywhere. */
export interface TrafficContract {
  readonly derivation: Derivation;
  /** Path of the API below its origin, `''` or `/v1`. */
  readonly basePath: string;
}

/**
 * Makes a contract of the traffic of one API: a value, with the comments that a person reads first.
 *
 * @throws ConfigError where the description does not fit the traffic
 */
export function contractOfTraffic(traffic: TrafficOfApi): TrafficContract {
  const { api, sifted, second = [], target, out, description, isInferred, filesFolder } = traffic;
  const { origin = '', kept, waited } = sifted;
  if (!isInferred) refuse(descriptionFit(api, kept, description ?? api.title, pathOfTarget(target)).misfit);
  const basePath = basePathOf(api, kept, target);
  const { baseUrl = `${origin}${basePath}` } = traffic;
  const assumed = withAssumedResponses(api, kept, basePath);
  const derived = deriveContract({
    api,
    exchanges: assumed.exchanges,
    waited,
    second: second.length === 0 ? undefined : withoutNoise(second, { origin: target ?? origin }).kept,
    basePath,
    filesFolder,
    name: nameOf(out, isInferred ? '' : api.title.trim()),
    header: headerOf(out, verifyCommand(relativePath(out), { description, isInferred }, baseUrl)),
  });
  const derivation = { ...derived, notes: [...assumed.notes, ...derived.notes] };
  refuse(noSteps(derivation));
  return { derivation, basePath };
}

function noSteps({ counts, notes }: Derivation): Parameters<typeof refuse>[0] {
  if (counts.steps > 0) return undefined;
  return { message: 'No request of the recording makes a step of a contract', hint: notes.join('; ') };
}

/**
 * The traffic of an API alone.
 *
 * @param isDescribed - does a description say what to expect of requests without responses?
 * @throws ConfigError where none of it is
 */
export function siftTraffic(
  exchanges: readonly CleanExchange[],
  target: string | undefined,
  isDescribed: boolean,
): SiftedTraffic {
  const sifted = withoutNoise(exchanges, { origin: target, keepsRequests: isDescribed });
  refuse(nothingLeft(sifted));
  return sifted;
}

function refuse(reason: { readonly message: string; readonly hint: string } | undefined): void {
  if (reason !== undefined) throw new ConfigError('CONFIG_INVALID', reason.message, { hint: reason.hint });
}

/** The command that replays a contract: of what was inferred nobody has said what becomes of requests without a key. */
export function verifyCommand(
  contract: string,
  { description, isInferred }: Pick<TrafficOfApi, 'description' | 'isInferred'>,
  baseUrl: string,
): string {
  const spec = description === undefined ? '' : ` --spec ${description}`;
  return toPaste(`standin verify ${contract}${spec} --base-url ${baseUrl}${isInferred ? ' --no-auth-probes' : ''}`);
}

/** The path of the URL of a target, without a slash at the end; empty where there is none. */
export function pathOfTarget(target: string | undefined): string {
  return target === undefined || !URL.canParse(target) ? '' : new URL(target).pathname.replace(/\/+$/, '');
}

/** Where the paths of the description begin at the target: the base path of it that most requests fit. */
function basePathOf({ mounts, basePath }: ApiModel, exchanges: readonly CleanExchange[], target?: string): string {
  const candidates = [...new Set([pathOfTarget(target), basePath, ...mounts.map((mount) => mount.basePath), ''])];
  const fits = candidates.map((candidate) => {
    const routes = mounts.find((mount) => mount.basePath === candidate)?.routes ?? mounts[0]?.routes;
    const count = exchanges.filter(({ request }) => {
      const path = request.target.split('?')[0] ?? '';
      return path.startsWith(candidate) && routes?.match(path.slice(candidate.length) || '/') !== undefined;
    }).length;
    return { candidate, count };
  });
  return fits.reduce((best, each) => (each.count > best.count ? each : best), fits[0] ?? { candidate: '', count: 0 })
    .candidate;
}

/** The words of its file, behind the title that somebody gave the API; what was inferred has only an address. */
function nameOf(out: string, title: string): string {
  const words = (out.split(/[\\/]/).at(-1) ?? '')
    .replace(/\.(?:ya?ml|json)$/i, '')
    .replace(/[-_.]+/g, ' ')
    .trim();
  const name = words === '' ? 'recorded' : words;
  return title === '' ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : `${title}, ${name}`;
}

function headerOf(out: string, command: string): string[] {
  const schema = relative(dirname(resolve(out)), resolve('node_modules/standin/contracts/contract.schema.json'));
  return [
    `yaml-language-server: $schema=${schema.replaceAll('\\', '/')}`,
    '',
    'Made from recorded traffic. Every response is checked against the description as well; what stands under expect holds',
    'on any deployment. It is yours to change: a later recording with --update keeps what you changed.',
    '',
    command,
  ];
}

/** What a reader has to know of a contract that was made of traffic, in lines. */
export function describeContract(dropped: SiftedTraffic['dropped'], derivation: Derivation): string[] {
  const { notes, environment, identities } = derivation;
  const leftOut = dropped.map(({ count, reason, examples }) => `  ${reason} (${count}): ${examples.join(', ')}`);
  return [
    ...(leftOut.length === 0 ? [] : ['Left out:', ...leftOut]),
    ...(notes.length === 0 ? [] : ['To look at:', ...notes.map((note) => `  ${note}`)]),
    ...(environment.length === 0 ? [] : [`To be set in the environment: ${environment.join(', ')}`]),
    ...(identities.length === 0 ? [] : [`To be given keys: ${identities.join(', ')} (--identity)`]),
  ];
}

/** `12 steps, 2 in the setup, 3 in the cleanup`. */
export function countsText({ steps, setup, cleanup }: Derivation['counts']): string {
  return `${counted(steps, 'step')}, ${setup} in the setup, ${cleanup} in the cleanup`;
}
