import { ConfigError, ContractError, type SourceFinding } from '../core/errors/standin-error';
import { BUNDLED, packageVersion, relativePath } from '../files/file-access';
import { contractReader } from '../files/load-contracts';
import type { Contract } from '../formats/contract/contract';
import { stepsOf } from '../formats/contract/contract';
import { gradeContracts as gradeAll } from '../grade/grade-contracts';
import { OPERATORS } from '../grade/mutants/operators';
import { didYouMean } from '../core/text/similar-name';
import type { GradedApi } from '../grade/mutants/mutant';
import type { GradeResult } from '../grade/grade-result';
import { DEFAULT_API_KEY } from '../mock/context/options';
import { inferResourceModel } from '../resources/infer-resource-model';
import { generatedContracts, writtenContracts } from './contract-sources';
import type { GradeOptions } from './grade-options';
import { ADMIN_PATH } from '../server/actions/action';
import { loadMockInputs } from './mock-inputs';
import { RUN_ID_AT_OWN_MOCK } from './run-choices';

/** So many defects are tried where nobody says how many. */
const MOST_DEFECTS = 1000;
const ORIGIN = 'http://localhost';

/** Grades contracts; the options are known to be right. */
export async function gradeWith(options: GradeOptions, warn: (finding: SourceFinding) => void): Promise<GradeResult> {
  const {
    description = relativePath(BUNDLED.description),
    contracts: named,
    variables,
    probesAuth = true,
    seed = 1,
    onProgress,
    signal,
  } = options;
  const { strict, lenient, allowRemote, allowFiles, overlays, packs, overrides, rules, fixtures } = options;
  const files = { description, strict, lenient, allowRemote, allowFiles, overlays, packs, overrides, rules, fixtures };
  const mock = await loadMockInputs({ ...files, faults: 'off' }, false, () => undefined, onProgress);
  const { api } = mock;
  for (const warning of mock.warnings) warn(warning);
  const contracts = writtenContracts({ contracts: named, description, variables }, api);
  if (contracts === undefined) {
    throw new ConfigError('CONFIG_INVALID', 'No contracts were named: there is nothing to grade', {
      hint: 'Name a file or a folder: standin grade contracts --spec openapi.yaml.',
    });
  }
  const model = inferResourceModel(api, mock.overrides);
  const identities = identitiesOf(contracts);
  const apiKeys = [DEFAULT_API_KEY, ...identities.values()];
  const result = await gradeAll({
    api,
    model,
    parts: {
      api,
      mock: { ...mock, options: { ...mock.options, auth: 'keys', apiKeys }, docsPath: `${ADMIN_PATH}/docs` },
      basePath: api.basePath,
      beganAt: Date.now(),
    },
    settings: {
      version: packageVersion(),
      api,
      baseUrl: `${ORIGIN}${api.basePath}`,
      apiKey: DEFAULT_API_KEY,
      identities,
      runId: RUN_ID_AT_OWN_MOCK,
      signal,
    },
    contracts,
    witnesses: () => [...generatedContracts(api, { seed })],
    probes: probesAuth,
    only: chosenNames(options.only ?? [], { api, model }),
    maxDefects: options.maxDefects ?? MOST_DEFECTS,
    read: contractReader(api, variables),
    onProgress,
  });
  if (result.excluded.length === contracts.length) throw nothingGreen(result);
  return { ...result, min: options.min };
}

/** @throws ConfigError `CONFIG_INVALID` for a name that is neither an operation nor a defect or a kind of them */
function chosenNames(names: readonly string[], graded: GradedApi): readonly string[] {
  if (names.length === 0) return names;
  const defects = OPERATORS.flatMap(({ id, mutants }) => [id, ...[...mutants(graded)].map((mutant) => mutant.id)]);
  const known = [...graded.api.operations.map(({ id }) => id), ...defects];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new ConfigError(
    'CONFIG_INVALID',
    `Nothing is called "${unknown}": neither an operation nor a defect, nor a kind of them`,
    {
      hint: `${didYouMean(unknown, known) ?? ''} Kinds of defects are ${OPERATORS.map(({ id }) => id).join(', ')}.`.trim(),
    },
  );
}

/** Callers that contracts name have keys of their own, which these mocks take. */
function identitiesOf(contracts: readonly Contract[]): ReadonlyMap<string, string> {
  const names = contracts.flatMap((contract) =>
    stepsOf(contract).flatMap(({ auth }) => (typeof auth === 'object' && 'identity' in auth ? [auth.identity] : [])),
  );
  return new Map([...new Set(names)].map((name, index) => [name, `key-of-caller-${index + 1}`]));
}

function nothingGreen({ excluded }: GradeResult): ContractError {
  const [first] = excluded;
  const message = 'Every contract fails at a mock without a defect, so that nothing can be graded';
  return new ContractError('CONTRACT_INVALID', `${message}: ${first?.file ?? ''}, ${first?.reason ?? ''}`, {
    hint: 'Run them at the mock first: standin mock, and standin verify. Fixtures, rules and overrides of that mock are options here too.',
  });
}
