import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigError, messageOf } from '../core/errors/standin-error';
import { parseJson } from '../core/json/parse-json';
import { stringifyJson } from '../core/json/stringify-json';
import { type DescriptionOptions, readDescription } from '../files/load-api';
import { fetchDescriptionText } from '../files/load-description';
import { readTextFile, relativePath } from '../files/file-access';
import type { ApiModel } from '../openapi/model/api-model';
import type { ContractDraft } from '../traffic/contract/contract-draft';
import { contractOfTraffic, countsText, describeContract, siftTraffic } from '../traffic/contract/contract-of-traffic';
import { contractText } from '../traffic/contract/contract-text';
import type { Derivation } from '../traffic/contract/derive-contract';
import type { CleanExchange } from '../traffic/exchange/recorded-exchange';
import { draftDescriptionText } from '../traffic/inferred/draft-text';
import { inferDescription } from '../traffic/inferred/infer-description';
import type { SiftedTraffic } from '../traffic/noise/without-noise';
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
  /** File or address of the description; one is inferred when left out, and `api` too. */
  readonly description?: string | undefined;
  /** The description, where it was read already. */
  readonly api?: ApiModel | undefined;
  /** Where it is to be replayed; where it was recorded when left out. */
  readonly baseUrl?: string | undefined;
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
  /** Path of the description, as `verify --spec` takes it; `undefined` for the one that it takes by itself. */
  readonly description: string | undefined;
  /** Was it made of this very traffic? */
  readonly isInferred: boolean;
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
  const { baseUrl, exchanges, second, target, out, vault } = input;
  const isInferred = input.description === undefined && input.api === undefined;
  const draftFile = isInferred ? (input.draftSpec ?? draftFileFor(out)) : undefined;
  checkFree(input, draftFile);
  const sifted = siftTraffic(exchanges, target, !isInferred);
  const described = await describe(input, sifted, draftFile);
  const { api, name: description } = described;
  const filesFolder = basename(`${stemOf(out)}.files`);
  const traffic = { api, baseUrl, sifted, second, target, out, description, isInferred, filesFolder };
  const { derivation, basePath } = contractOfTraffic(traffic);
  const { text, merged } = textOf(input, derivation.draft);
  const files: [file: string, content: string | Uint8Array][] = [[out, text]];
  if (draftFile !== undefined && described.text !== undefined) files.push([draftFile, described.text]);
  const written = [...files.map(([file]) => file)];
  // By it the next recording tells what was changed by hand.
  files.push([generatedFile(out), `${stringifyJson(storeDraft(derivation.draft))}\n`]);
  for (const { path, bytes } of derivation.files) files.push([join(dirname(out), path), bytes]);
  for (const [file, content] of files)
    vault.assertClean(relativePath(file), typeof content === 'string' ? content : Buffer.from(content).toString());
  for (const [file, content] of files) write(file, content);
  return {
    files: written,
    sifted,
    derivation,
    api,
    basePath,
    description,
    isInferred,
    merged,
  };
}

/** `contracts/new.openapi.yaml` beside `contracts/new.yaml`. */
function draftFileFor(out: string): string {
  return `${stemOf(out)}.openapi.yaml`;
}

/** `contracts/new.generated` beside `contracts/new.yaml`: the contract as it was made, before anybody changed it. */
function generatedFile(out: string): string {
  return `${stemOf(out)}.generated`;
}

function stemOf(out: string): string {
  return out.replace(/\.(?:ya?ml|json)$/i, '');
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
  readonly name: string | undefined;
  /** Of a description that was inferred. */
  readonly text?: string;
}

async function describe(
  input: ContractFromTraffic,
  { kept, origin }: SiftedTraffic,
  draftFile: string | undefined,
): Promise<Described> {
  const { description, api: known } = input;
  if (known !== undefined) return { api: known, name: description };
  if (description !== undefined) return { api: (await readDescription(description, input)).api, name: description };
  const title = origin === undefined ? 'The API' : new URL(origin).host;
  const text = draftDescriptionText(inferDescription(kept, { title }));
  const name = draftFile ?? 'the inferred description';
  const { api } = await fetchDescriptionText(text, name, { budgetMs: 1000, isStrict: true });
  return { api, name, text };
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

function write(file: string, content: string | Uint8Array): void {
  try {
    mkdirSync(dirname(resolve(file)), { recursive: true });
    writeFileSync(file, content);
  } catch (error) {
    throw new ConfigError('CONFIG_INVALID', `${relativePath(file)} cannot be written: ${messageOf(error)}`);
  }
}

/** What became of a recording, in lines for the terminal. */
export function describeWritten({ files, sifted, derivation, merged }: WrittenContract): string[] {
  return [
    `${relativePath(files[0] ?? '')}: ${countsText(derivation.counts)}`,
    ...files.slice(1).map((file) => `${relativePath(file)}: the description that was inferred`),
    ...merged,
    ...describeContract(sifted.dropped, derivation),
  ];
}
