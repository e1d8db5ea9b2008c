import { existsSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { codeOf, ConfigError, ContractError, type SourceFinding, SpecError } from '../core/errors/standin-error';
import { isJsonObject } from '../core/json/json-value';
import { counted } from '../core/text/printable';
import { similarName } from '../core/text/similar-name';
import type { Contract } from '../formats/contract/contract';
import { type ContractInputs, readContract } from '../formats/contract/contract-reader';
import { explainUnquotedPlaceholders } from '../formats/contract/placeholders';
import type { ReadFile } from '../formats/contract/body-reader';
import { declaredVariables } from '../formats/contract/variables';
import type { ApiModel } from '../openapi/model/api-model';
import { readSource } from '../openapi/read/read-source';
import type { SourceDocument } from '../openapi/read/source-document';
import { BUNDLED, isWithin, kindAt, PACKAGE_ROOT, readTextFile, relativePath } from './file-access';

/** Values of variables by name. */
export type GivenVariables = Readonly<Record<string, string | number | boolean>>;

/**
 * Reads contract files, and those of folders and the folders in them, in the order of their names. Descriptions that
 * stand in a folder are no contracts: the one that was inferred from a recording stands beside its contract.
 *
 * @param variables - for what contracts declare under `variables`; what they declare under `env` is in the environment
 *   of this process
 * @param keepsSecrets - do the placeholders of secret variables, and of the environment, stay in the steps? Then they need
 *   no value
 * @throws ContractError `CONTRACT_UNREADABLE`; `CONTRACT_INVALID` with every finding of every file
 * @throws ConfigError for a variable that no contract declares
 */
export function loadContracts(
  paths: readonly string[],
  api: ApiModel,
  variables: GivenVariables = {},
  keepsSecrets = false,
): Contract[] {
  const findings: SourceFinding[] = [];
  const declared = new Set<string>();
  const given = { variables, environment: process.env, keepsSecrets };
  const contracts = paths
    .flatMap((path) => documentsAt(path, findings))
    .flatMap((document) => {
      for (const name of declaredVariables(document)) declared.add(name);
      return readContract(document, api.operations, findings, inputsFor(api, document, given)) ?? [];
    });
  if (findings.length === 0) {
    requireDeclared(variables, [...declared]);
    return contracts;
  }
  const files = [...new Set(findings.map(({ file }) => file))];
  throw new ContractError('CONTRACT_INVALID', `${files.join(', ')}: ${counted(findings.length, 'error')}`, {
    findings,
    hint: 'docs/reference/contract-format.md describes the format.',
  });
}

/** Reads contracts of the files that {@link loadContracts} read once more, after something in them was changed. */
export function contractReader(
  api: ApiModel,
  variables: GivenVariables = {},
): (document: SourceDocument) => Contract | undefined {
  const given = { variables, environment: process.env, keepsSecrets: false };
  return (document) => readContract(document, api.operations, [], inputsFor(api, document, given));
}

function inputsFor(api: ApiModel, { file }: SourceDocument, given: ContractInputs['given']): ContractInputs {
  const schemeNames = [...api.securitySchemes.keys()];
  return { given, readFile: contractFiles(file), eventNames: () => api.events().map(({ name }) => name), schemeNames };
}

function requireDeclared(variables: GivenVariables, declared: readonly string[]): void {
  const unknown = Object.keys(variables).find((name) => !declared.includes(name));
  if (unknown === undefined) return;
  const near = similarName(unknown, declared);
  const question = near === undefined ? '' : `: did you mean "${near}"?`;
  const known =
    declared.length === 0
      ? 'No contract declares any: variables: { name: default } at the top of one does.'
      : `Declared are ${declared.join(', ')}.`;
  throw new ConfigError('CONFIG_INVALID', `No contract declares the variable "${unknown}"${question}`, { hint: known });
}

/** The bundled contracts as they were read last, by path: programs that run them often parse their YAML once. */
const bundledDocuments = new Map<string, { readonly text: string; readonly document: SourceDocument }>();

function readDocument(file: string, findings: SourceFinding[]): SourceDocument | undefined {
  const text = readTextFile(file, 'CONTRACT_UNREADABLE');
  const known = bundledDocuments.get(file);
  if (known?.text === text) return known.document;
  try {
    const document = readSource(text, file);
    if (isWithin(BUNDLED.contracts, resolve(file))) bundledDocuments.set(file, { text, document });
    return document;
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    findings.push(...explainUnquotedPlaceholders(text, error.findings));
    return undefined;
  }
}

/** What can be read of a file, or of the contracts of a folder. */
function documentsAt(path: string, findings: SourceFinding[]): SourceDocument[] {
  const kind = kindAt(path);
  if (kind === undefined) throw unreadable(`${path} does not exist`, missingHint(path));
  const files = kind === 'file' ? [path] : contractsIn(path);
  if (files.length === 0) throw unreadable(`${path} holds no contract`, CONTRACT_FILES);
  const documents = files.flatMap((file) => readDocument(file, findings) ?? []);
  if (kind === 'file') return documents;
  const contracts = documents.filter((document) => !isDescription(document));
  // Files that are not even YAML are found to be at fault.
  if (contracts.length > 0 || documents.length < files.length) return contracts;
  const left = `${counted(documents.length, 'OpenAPI description')}, which is left out: ${documents[0]?.file ?? ''}`;
  throw unreadable(`${path} holds no contract`, `${CONTRACT_FILES} There is ${left}.`);
}

const CONTRACT_FILES = 'Contracts are .yaml, .yml or .json files.';

function isDescription({ root }: SourceDocument): boolean {
  return isJsonObject(root) && (Object.hasOwn(root, 'openapi') || Object.hasOwn(root, 'swagger'));
}

/** In a clone the bundled contracts are below the current folder, and so they stand in the documents; elsewhere not. */
function missingHint(path: string): string {
  const hint = 'Name a contract file, or a folder of them.';
  // An absolute path stays itself.
  const bundled = resolve(PACKAGE_ROOT, path);
  if (!isWithin(BUNDLED.contracts, bundled) || !existsSync(bundled)) return hint;
  return `${hint} The bundled one is ${relativePath(bundled)}; with none named all bundled ones are replayed.`;
}

/** What may stand beside contracts and is none: a JSON Schema, and what `standin export` writes of them. */
const NO_CONTRACT = /\.(?:schema\.json|arazzo\.yaml|postman_collection\.json)$/i;

/** Every contract below a folder. */
function contractsIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return contractsIn(path);
    return /\.(?:ya?ml|json)$/i.test(entry.name) && !NO_CONTRACT.test(entry.name) ? [path] : [];
  });
}

function unreadable(message: string, hint: string): ContractError {
  return new ContractError('CONTRACT_UNREADABLE', message, { hint });
}

/** Larger files are rejected unread: each is stored in memory for the whole run. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

/**
 * Reads the files that a contract sends. They stand in its folder or below it: a contract that somebody else wrote must
 * not send what is elsewhere on this machine, by no link either.
 *
 * @param contract - path of the contract
 */
function contractFiles(contract: string): ReadFile {
  const folder = dirname(resolve(contract));
  return (path) => {
    const asked = resolve(folder, path);
    if (isAbsolute(path) || !isWithin(folder, asked)) {
      const expected = `a file in the folder of the contract, ${relativePath(folder)}, or below it`;
      return { kind: 'refused', reason: 'is outside the folder of the contract', expected };
    }
    try {
      if (!isWithin(realpathSync(folder), realpathSync(asked))) {
        const expected = 'a file that stands there itself';
        return { kind: 'refused', reason: 'is a link that leads out of the folder of the contract', expected };
      }
      const fault = fileProblem(statSync(asked));
      if (fault !== undefined) return { kind: 'refused', ...fault };
      return { kind: 'read', bytes: new Uint8Array(readFileSync(asked)) };
    } catch (error) {
      const code = codeOf(error);
      const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? 'unknown'})`;
      const hint = `It is looked for at ${relativePath(join(folder, path))}.`;
      return { kind: 'refused', reason, expected: 'a path from the folder of the contract', hint };
    }
  };
}

function fileProblem(stats: Stats): { readonly reason: string; readonly expected: string } | undefined {
  if (!stats.isFile()) return { reason: 'is not a file', expected: 'a file' };
  if (stats.size <= MAX_FILE_BYTES) return undefined;
  return { reason: `has ${stats.size} bytes`, expected: `at most ${MAX_FILE_BYTES} bytes` };
}
