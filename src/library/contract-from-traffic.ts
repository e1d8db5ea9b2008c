import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { ConfigError, messageOf } from '../core/errors/standin-error';
import { parseJson } from '../core/json/parse-json';
import { stringifyJson } from '../core/json/stringify-json';
import { counted } from '../core/text/printable';
import { type DescriptionOptions, readDescription } from '../files/load-api';
import { fetchDescriptionText } from '../files/load-description';
import { readTextFile, relativePath } from '../files/file-access';
import type { ApiModel } from '../openapi/model/api-model';
import { contractText } from '../traffic/contract/contract-text';
import type { ContractDraft } from '../traffic/contract/contract-draft';
import { type Derivation, deriveContract } from '../traffic/contract/derive-contract';
import type { CleanExchange } from '../traffic/exchange/recorded-exchange';
import { draftDescriptionText } from '../traffic/inferred/draft-text';
import { inferDescription } from '../traffic/inferred/infer-description';
import { descriptionFit } from '../traffic/noise/description-fit';
import { nothingLeft, type SiftedTraffic, withoutNoise } from '../traffic/noise/without-noise';
import type { SecretVault } from '../traffic/secrets/secret-vault';
import { describeMerge } from '../traffic/update/describe-merge';
import { mergeContract } from '../traffic/update/merge-contract';
import { readStoredDraft, storeDraft } from '../traffic/update/stored-draft';

/** Recorded traffic, and what a contract is to be made of it. */
export interface ContractFromTraffic extends DescriptionOptions {
  /** All that was recorded, in the order in which the requests began. */
  readonly exchanges: readonly CleanExchange[];
  /** The same of a second recording of the same session; none where it was recorded once. */
  readonly second?: readonly CleanExchange[] | undefined;
  readonly vault: Pick<SecretVault, 'assertClean'>;
  /** URL of the API; the origin with most of it when left out. */
  readonly target?: string | undefined;
  /** File of the contract. */
  readonly out: string;
  /** File or address of the description; one is inferred when left out. */
  readonly description?: string | undefined;
  /** File for the description that is inferred; beside the contract when left out. */
  readonly draftSpec?: string | undefined;
  /** Merge into the contract that is there? */
  readonly update?: boolean | undefined;
  /** May files that are there be written over? */
  readonly force?: boolean | undefined;
}

/** What was written, for who reads it. */
export interface WrittenContract {
  readonly files: readonly string[];
  readonly sifted: SiftedTraffic;
  readonly derivation: Derivation;
  readonly api: ApiModel;
  /** Path of the API below its origin, `''` or `/v1`. */
  readonly basePath: string;
  /** Path of the description, as `verify --spec` takes it. */
  readonly description: string;
  /** What became of edits by hand; empty without `update`. */
  readonly merged: readonly string[];
}

/**
 * Makes a contract of recorded traffic, and writes it, with the description where one was inferred. Nothing is written
 * that has a secret in it.
 *
 * @throws ConfigError where nothing of the traffic is an API, the description does not fit it, or a file is in the way
 */
export async function writeContractFromTraffic(input: ContractFromTraffic): Promise<WrittenContract> {
  const { exchanges, second = [], target, out, vault } = input;
  const draftFile = input.description === undefined ? (input.draftSpec ?? draftFileFor(out)) : undefined;
  checkFree(input, draftFile);
  const sifted = withoutNoise(exchanges, { origin: target });
  refuse(nothingLeft(sifted));
  const { origin = '' } = sifted;
  const described = await describe(input, sifted, draftFile);
  const { api, name } = described;
  if (input.description !== undefined) refuse(descriptionFit(api, sifted.kept, name).misfit);
  const basePath = basePathOf(api, sifted.kept, target);
  const derivation = deriveContract({
    api,
    exchanges: sifted.kept,
    second: second.length === 0 ? undefined : withoutNoise(second, { origin: target ?? origin }).kept,
    basePath,
    name: titleOf(out, api),
    header: headerOf({ out, description: name, baseUrl: `${origin}${basePath}` }),
  });
  const { text, merged } = textOf(input, derivation.draft);
  const files: [file: string, text: string][] = [[out, text]];
  if (draftFile !== undefined && described.text !== undefined) files.push([draftFile, described.text]);
  // By it the next recording tells what was changed by hand.
  files.push([generatedFile(out), `${stringifyJson(storeDraft(derivation.draft))}\n`]);
  for (const [file, content] of files) vault.assertClean(relativePath(file), content);
  for (const [file, content] of files) write(file, content);
  return {
    files: files.slice(0, -1).map(([file]) => file),
    sifted,
    derivation,
    api,
    basePath,
    description: name,
    merged,
  };
}

function refuse(reason: { readonly message: string; readonly hint: string } | undefined): void {
  if (reason !== undefined) throw new ConfigError('CONFIG_INVALID', reason.message, { hint: reason.hint });
}

/** `contracts/new.openapi.yaml` beside `contracts/new.yaml`. */
function draftFileFor(out: string): string {
  return `${out.replace(/\.(?:ya?ml|json)$/i, '')}.openapi.yaml`;
}

/** `contracts/new.generated` beside `contracts/new.yaml`: the contract as it was made, before anybody changed it. */
function generatedFile(out: string): string {
  return `${out.replace(/\.(?:ya?ml|json)$/i, '')}.generated`;
}

function checkFree({ out, update, force }: ContractFromTraffic, draftFile: string | undefined): void {
  if (force === true || update === true) return;
  for (const file of [out, ...(draftFile === undefined ? [] : [draftFile])]) {
    if (!existsSync(file)) continue;
    throw new ConfigError('CONFIG_INVALID', `${relativePath(file)} exists already`, {
      hint: 'Add --update to bring the recording into it, --force to write over it, or name another file.',
    });
  }
}

interface Described {
  readonly api: ApiModel;
  readonly name: string;
  /** Of a description that was inferred. */
  readonly text?: string;
}

async function describe(
  input: ContractFromTraffic,
  { kept, origin }: SiftedTraffic,
  draftFile: string | undefined,
): Promise<Described> {
  const { description } = input;
  if (description !== undefined) return { api: (await readDescription(description, input)).api, name: description };
  const title = origin === undefined ? 'The API' : new URL(origin).host;
  const text = draftDescriptionText(inferDescription(kept, { title }));
  const name = draftFile ?? 'the inferred description';
  const { api } = await fetchDescriptionText(text, name, { budgetMs: 1000 });
  return { api, name, text };
}

/** Where the paths of the description begin at the target: the base path of it that most requests fit. */
function basePathOf({ mounts, basePath }: ApiModel, exchanges: readonly CleanExchange[], target?: string): string {
  const told = target === undefined || !URL.canParse(target) ? '' : new URL(target).pathname.replace(/\/+$/, '');
  const candidates = [...new Set([told, basePath, ...mounts.map((mount) => mount.basePath), ''])];
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

function titleOf(out: string, { title }: ApiModel): string {
  const name = (out.split(/[\\/]/).at(-1) ?? '')
    .replace(/\.(?:ya?ml|json)$/i, '')
    .replace(/[-_.]+/g, ' ')
    .trim();
  return `${title}, ${name === '' ? 'recorded' : name}`;
}

interface HeaderFacts {
  readonly out: string;
  readonly description: string;
  readonly baseUrl: string;
}

function headerOf({ out, description, baseUrl }: HeaderFacts): string[] {
  const schema = relative(dirname(resolve(out)), resolve('node_modules/standin/contracts/contract.schema.json'));
  return [
    `yaml-language-server: $schema=${schema.replaceAll('\\', '/')}`,
    '',
    'Made from recorded traffic. Every response is checked against the description as well; what stands under expect holds',
    'on any deployment. It is yours to change: a later recording with --update keeps what you changed.',
    '',
    `standin verify ${relativePath(out)} --spec ${description} --base-url ${baseUrl}`,
  ];
}

function textOf(
  { out, update }: ContractFromTraffic,
  draft: ContractDraft,
): { readonly text: string; readonly merged: readonly string[] } {
  if (update !== true || !existsSync(out)) return { text: contractText(draft), merged: [] };
  const stored = generatedFile(out);
  const base = existsSync(stored) ? readStoredDraft(parseJson(readTextFile(stored, 'CONTRACT_UNREADABLE'))) : undefined;
  if (base === undefined)
    throw new ConfigError(
      'CONFIG_INVALID',
      `${relativePath(out)} cannot be updated: nobody can tell what was changed in it by hand`,
      {
        hint: `${relativePath(stored)} has the contract as it was made, and is not there, or is not readable. Use --force, or another --out.`,
      },
    );
  const merge = mergeContract({
    base,
    theirs: readTextFile(out, 'CONTRACT_UNREADABLE'),
    ours: draft,
    file: relativePath(out),
  });
  return { text: merge.text, merged: describeMerge(merge) };
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(resolve(file)), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new ConfigError('CONFIG_INVALID', `${relativePath(file)} cannot be written: ${messageOf(error)}`);
  }
}

/** What became of a recording, in lines for the terminal. */
export function describeWritten({ files, sifted, derivation, merged }: WrittenContract): string[] {
  const { counts, notes, environment, identities } = derivation;
  const dropped = sifted.dropped.map(({ count, reason, examples }) => `  ${count} ${reason}: ${examples.join(', ')}`);
  return [
    `${relativePath(files[0] ?? '')}: ${counted(counts.steps, 'step')}, ${counts.setup} in the setup, ${counts.cleanup} in the cleanup`,
    ...files.slice(1).map((file) => `${relativePath(file)}: the description that was inferred`),
    ...merged,
    ...(dropped.length === 0 ? [] : ['Left out:', ...dropped]),
    ...(notes.length === 0 ? [] : ['To look at:', ...notes.map((note) => `  ${note}`)]),
    ...(environment.length === 0 ? [] : [`To be set in the environment: ${environment.join(', ')}`]),
    ...(identities.length === 0 ? [] : [`To be given keys: ${identities.join(', ')} (--identity)`]),
  ];
}
