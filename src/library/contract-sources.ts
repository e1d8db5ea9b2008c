import { isRequired } from '../checks/request/parameters';
import { ConfigError, type SourceFinding } from '../core/errors/standin-error';
import type { JsonObject } from '../core/json/json-value';
import { BUNDLED, isBundled, relativePath } from '../files/file-access';
import { loadContracts } from '../files/load-contracts';
import { type Contract, CONTRACT_FORMAT, stepsOf } from '../formats/contract/contract';
import { readContract } from '../formats/contract/contract-reader';
import { type FamilyId, type GenerateOptions, generateContracts } from '../generated/generate-contracts';
import { learningRounds } from '../generated/learning-rounds';
import { OwnKeys } from '../generated/own-keys';
import { availableStatuses } from '../generated/subject';
import { whyUnfit } from '../generated/uncalled';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation } from '../openapi/model/operation';
import type { Rounds } from '../runner/run/rounds';
import type { RunContractOptions } from './run-options';

type Sources = Pick<
  RunContractOptions,
  | 'contracts'
  | 'description'
  | 'variables'
  | 'generate'
  | 'seed'
  | 'maxRequests'
  | 'probesAuth'
  | 'identities'
  | 'auth'
  | 'within'
  | 'mode'
>;

/** So many requests are generated where nobody says how many. */
export const MOST_REQUESTS = 10_000;

/**
 * The contracts of a run: those that were named, or the bundled ones of the bundled Petstore, and what is generated of the
 * description, which is also what is run where there is nothing else.
 *
 * @param written - what {@link writtenContracts} returned, where it was called before
 * @param runId - left out where nothing is sent
 * @throws SpecError, ContractError, ConfigError
 */
export function contractsFor(
  options: Sources,
  api: ApiModel,
  written = writtenContracts(options, api),
  runId?: string,
): readonly Contract[] {
  const { generate = written === undefined } = options;
  if (generate === false) return written ?? notEmpty(availability(api), NO_GET);
  const first = written ?? availability(api);
  let room = roomFor(options) - first.flatMap(stepsOf).length;
  const own: Contract[] = [];
  for (const contract of generatedContracts(api, { seed: options.seed, ...chosen(options, generate, runId) })) {
    room -= stepsOf(contract).length;
    if (room < 0) break;
    own.push(contract);
  }
  return notEmpty([...first, ...own], NOTHING);
}

/**
 * The same made while the run goes on, with what it learns of the answers; `undefined` where nothing is generated, and for
 * a part of a run, whose other parts would learn other things.
 *
 * @param written - what {@link writtenContracts} returned
 */
export function roundsFor(
  options: Sources & Pick<RunContractOptions, 'shard'>,
  api: ApiModel,
  written: readonly Contract[] | undefined,
  runId: string,
): Rounds | undefined {
  const { generate = written === undefined, seed, shard } = options;
  if (generate === false || shard !== undefined) return undefined;
  const first = written ?? availability(api);
  return learningRounds(api, {
    seed: String(seed ?? api.title),
    ...chosen(options, generate, runId),
    first,
    room: roomFor(options) - first.flatMap(stepsOf).length,
    read: (root) => readOwnContract(root, api),
  });
}

function chosen(
  { identities = {}, auth, within = {}, mode }: Sources,
  generate: true | readonly FamilyId[],
  runId: string | undefined,
): Omit<GenerateOptions, 'seed'> {
  return {
    mayLeave: mode === 'full',
    ownKeys: runId === undefined ? undefined : new OwnKeys(runId),
    families: generate === true ? undefined : new Set(generate),
    // Without a key nobody is told apart.
    identities: auth === 'off' ? [] : Object.keys(identities),
    within: new Map(
      Object.entries(within).flatMap(([name, value]) =>
        [value]
          .flat()
          .slice(0, 1)
          .map((first): [string, string] => [name, first]),
      ),
    ),
  };
}

/** What is generated of the description, one contract after the other. */
export function* generatedContracts(
  api: ApiModel,
  { seed, ...options }: Omit<GenerateOptions, 'seed'> & { readonly seed?: number | undefined },
): Generator<Contract> {
  for (const root of generateContracts(api, {
    ...options,
    seed: String(seed ?? api.title),
  }))
    yield readOwnContract(root, api);
}

/** How many requests contracts may take: a quarter is left for the probes. */
function roomFor({ maxRequests = MOST_REQUESTS, probesAuth }: Sources): number {
  return probesAuth === false ? maxRequests : Math.ceil(maxRequests * 0.75);
}

/** Those that were named, or the bundled ones; `undefined` where there are none. */
export function writtenContracts(
  {
    contracts,
    description,
    variables,
    generate,
  }: Pick<Sources, 'contracts' | 'description' | 'variables' | 'generate'>,
  api: ApiModel,
): readonly Contract[] | undefined {
  if (typeof contracts === 'string') return loadContracts([contracts], api, variables);
  if (contracts !== undefined && contracts.length > 0) return loadContracts(contracts, api, variables);
  const isAsked = generate !== undefined && generate !== false;
  return isBundled(description) && !isAsked
    ? loadContracts([relativePath(BUNDLED.contracts)], api, variables)
    : undefined;
}

const NO_GET = 'No contracts were named, and no GET of the description needs no parameter';
const NOTHING =
  'No contracts were named, and nothing can be generated: no operation of the description lists or makes something';

function notEmpty(contracts: readonly Contract[], message: string): readonly Contract[] {
  if (contracts.length > 0) return contracts;
  const hint = 'There is nothing to be asked for: standin init writes a first contract.';
  throw new ConfigError('CONFIG_INVALID', message, { hint });
}

/**
 * What can be asked of every service: each GET and HEAD that needs no parameter answers with a success that it documents. Beside it
 * the run checks each response by the description, and calls these operations without a valid key.
 */
function availability(api: ApiModel): Contract[] {
  const steps = api.operations.filter(isParameterlessRead).map((operation) => {
    // With 426 a service asks for another protocol (RFC 9110 §15.5.22).
    return { operation: operation.id, mayBeRefused: [426], expect: { status: availableStatuses(operation) } };
  });
  if (steps.length === 0) return [];
  return [readOwnContract({ standin: CONTRACT_FORMAT, name: 'Availability (no contract was named)', steps }, api)];
}

/** A contract of the runner itself, as if it stood in the description. */
function readOwnContract(root: JsonObject, api: ApiModel): Contract {
  const { file } = api.document;
  const findings: SourceFinding[] = [];
  const contract = readContract({ file, root, locationOf: () => undefined }, api.operations, findings);
  if (contract === undefined)
    throw new Error(`The contract of the runner cannot be read: ${findings[0]?.message ?? ''}`);
  return { ...contract, isGenerated: true };
}

function isParameterlessRead(operation: Operation): boolean {
  const { method, path, parameters } = operation;
  const isRead = method === 'GET' || method === 'HEAD';
  const isPlain = isRead && !path.includes('{') && !parameters.some((parameter) => isRequired(parameter));
  return isPlain && whyUnfit(operation) === undefined;
}
