import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { dirname, join } from 'node:path';
import type { AgentLibrary, NamedContracts } from '../agents/agent-tool';
import { ConfigError, ContractError, type SourceFinding } from '../core/errors/standin-error';
import { PACKAGE_ROOT } from '../files/file-access';
import { WorkingFolder, withFile } from '../files/working-folder';
import { readContract } from '../formats/contract/contract-reader';
import { DEFAULT_API_KEY } from '../mock/context/options';
import type { ApiModel } from '../openapi/model/api-model';
import { readSource } from '../openapi/read/read-source';
import { checkDescription } from './check-description';
import type * as GradeModule from './grade';
import type { CreateMockServerOptions } from './mock-options';
import type * as RunContractModule from './run-contract';

/* oxlint-disable typescript/no-require-imports -- each is loaded when an agent first asks for it */

const UNWRITTEN = 'contract.yaml';

/** Makes a mock that nobody else uses. */
export type CreateMock = (options: CreateMockServerOptions) => Promise<RequestListener>;

/**
 * @param options - of the mock that agents work with; contracts run at mocks that are made of the same
 * @param api - as it is now
 * @param folder - the working folder, which agents read and write contracts below
 */
export function agentLibrary(
  options: CreateMockServerOptions,
  create: CreateMock,
  api: () => ApiModel,
  folder: string,
): AgentLibrary {
  const working = new WorkingFolder(folder);
  const { description, lenient, allowRemote, allowFiles, overlays, packs } = options;
  const others = { lenient, allowRemote, allowFiles, overlays, packs };
  const reading = (): typeof others & { readonly description: string | undefined } => {
    if (typeof description !== 'object') return { description, ...others };
    throw new ConfigError(
      'CONFIG_INVALID',
      'The description is in the memory of a program, and contracts need a file',
      {
        hint: 'Start the mock with the path of a description.',
      },
    );
  };
  const { overrides, rules, fixtures } = options;
  return {
    check: async () => {
      if (typeof description === 'object') return [];
      return (await checkDescription({ description, allowRemote, allowFiles, overlays, packs })).findings;
    },
    run: (named, target, mayWrite, signal) =>
      withContracts(working, named, async (contracts) => {
        const { runContract } = require('./run-contract') as typeof RunContractModule;
        if (target !== undefined) {
          const apiKey = process.env['STANDIN_API_KEY'];
          const mode = mayWrite ? {} : { mode: 'observe' as const, allowSkipped: true };
          return runContract({ ...reading(), contracts, baseUrl: target, apiKey, signal, ...mode });
        }
        const { apiKeys = [DEFAULT_API_KEY], auth, tokens, state, seed, idStart, strict, basePath } = options;
        const mock = { apiKeys, auth, tokens, state, seed, idStart, strict, basePath, overrides, rules, fixtures };
        const app = await create({ ...reading(), ...mock, faults: 'off' });
        return runContract({ ...reading(), contracts, app, basePath, apiKey: apiKeys[0], signal });
      }),
    grade: (named, only, maxDefects, signal) =>
      withContracts(working, named, (contracts) => {
        const { gradeContracts } = require('./grade') as typeof GradeModule;
        return gradeContracts({ ...reading(), overrides, rules, fixtures, contracts, only, maxDefects, signal });
      }),
    contractFiles: () => working.contracts(),
    readContract: (file) => working.read(file),
    writeContract(file, text, replaces) {
      requireContract(text, file, api());
      working.write(file, text, replaces);
    },
    contractFormat: () => readFileSync(join(PACKAGE_ROOT, 'docs', 'reference', 'contract-format.md'), 'utf8'),
  };
}

/** @throws ContractError with what is wrong */
function requireContract(text: string, file: string, api: ApiModel): void {
  const findings: SourceFinding[] = [];
  readContract(readSource(text, file), api.operations, findings);
  if (findings.length > 0) throw new ContractError('CONTRACT_INVALID', `This is no contract yet`, { findings });
}

/** A contract that is written nowhere is in a file as long as it is used; what is told of it does not name that file. */
async function withContracts<Result extends object>(
  working: WorkingFolder,
  { files, text }: NamedContracts,
  act: (contracts: readonly string[]) => Promise<Result>,
): Promise<Result> {
  if (text === undefined) return act((files ?? []).map((file) => working.inside(file)));
  return withFile(UNWRITTEN, text, async (path) => {
    try {
      return withoutFolder(await act([path]), `${dirname(path)}/`);
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      const { code, message, findings, hint } = error;
      const folder = `${dirname(path)}/`;
      const shown = message.replaceAll(folder, '');
      throw new ContractError(code, shown, {
        findings: withoutFolder(findings, folder),
        ...(hint === undefined ? {} : { hint }),
      });
    }
  });
}

/** The same with the name of a file in place of its path, in every text. */
function withoutFolder<Value>(value: Value, folder: string): Value {
  if (typeof value === 'string') return value.replaceAll(folder, '') as Value;
  if (Array.isArray(value)) return value.map((each: unknown) => withoutFolder(each, folder)) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutFolder(each as unknown, folder)]),
  ) as Value;
}
