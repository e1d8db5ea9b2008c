import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { unenforcedSchemes } from '../checks/request/authentication';
import { unjudgedBodies } from '../checks/request/unjudged-bodies';
import { ConfigError } from '../errors/harness-error';
import type { SourceFinding } from '../errors/source-finding';
import type { SeedData } from '../formats/fixture';
import { OVERRIDES_FORMAT } from '../formats/overrides';
import type { FixtureResource } from '../formats/fixture-place';
import { isAddress } from '../http/is-address';
import { joinPointer } from '../json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { unconditionalWrites } from '../mock/conditional-writes';
import type { MockOptions } from '../mock/options';
import { mergeRules } from '../mock/merge-rules';
import type { Rules } from '../mock/rules';
import { undocumentedSuccesses } from '../mock/success';
import type { ApiModel } from '../openapi/model';
import { findingAt } from '../openapi/source-document';
import { hintFindings } from '../resources/hint-findings';
import { inferResourceModel } from '../resources/infer-resource-model';
import { mergeOverrides, type Overrides } from '../resources/statements';
import type { CreateMockServerOptions } from './create-mock-server';
import { mockOptions } from './mock-options';
import { readDescription } from './description-options';
import { loadFixtures, readFixtures } from './node/load-fixtures';
import { loadOverrides, overridesOf } from './node/load-overrides';
import { moduleFiles, type OnRead } from './node/load-anew';
import type { Pack } from './node/load-packs';
import { loadRules } from './node/load-rules';
import { BUNDLED } from './node/package-root';
import { packOverrides, packRules } from './pack-inputs';

/** What a mock is made from, read from its files. */
export interface Inputs {
  readonly api: ApiModel;
  readonly warnings: readonly SourceFinding[];
  /** The packs that were named, or that were made for its title. */
  readonly packs: readonly Pack[];
  readonly rules: Rules | undefined;
  readonly fixtures: SeedData | undefined;
  readonly overrides: Overrides | undefined;
  /** Without fixtures: does it begin with examples and made-up rows? */
  readonly isSeeded: boolean;
  readonly options: Partial<MockOptions>;
}

/**
 * Reads everything that a mock is made from.
 *
 * @param isWatched - the files may have changed since they were read, and may change again
 * @param onRead - told of each file that the description refers to, whether it can be read or not; where they are
 *   watched, of the modules of the rules as well
 * @throws SpecError, ConfigError when something cannot be used
 */
export async function loadInputs(
  options: CreateMockServerOptions,
  isWatched: boolean,
  onRead: OnRead,
): Promise<Inputs> {
  const { api, warnings, packs } = await readDescription(options.description, options, { onRead, choosesPacks: true });
  const isBundled = isBundledDescription(options);
  const meant = packOverrides(packs, api);
  const overrides = chooseOverrides(options.overrides, api, meant.part);
  const model = inferResourceModel(api, overrides);
  const onModule = isWatched ? onRead : undefined;
  const ruled = await packRules(packs, api, model, onModule);
  const rules = mergeRules(ruled.part, await chooseRules(options.rules, isBundled, onModule));
  const { resources } = model;
  return {
    api,
    warnings: [
      ...warnings,
      ...meant.findings,
      ...ruled.findings,
      ...hintFindings(api),
      ...unjudgedBodies(api),
      ...undocumentedSuccesses(api),
      ...(options.requireIfMatch === true ? unconditionalWrites(api, model) : []),
      ...securityWarnings(api, options.auth),
    ],
    packs,
    rules,
    fixtures: isEmpty(options.state) ? undefined : chooseFixtures(options.fixtures, isBundled, resources),
    overrides,
    isSeeded: !isEmpty(options.state),
    options: mockOptions(options),
  };
}

/** Every file and folder that {@link loadInputs} reads, but for those that the description or the rules refer to: an address is no file. */
export function inputFiles(options: CreateMockServerOptions): readonly string[] {
  const { tokens, overrides, overlays = [], packs } = options;
  const isBundled = isBundledDescription(options);
  const rules = typeof options.rules === 'string' ? options.rules : isBundled ? BUNDLED.rules : 'off';
  const fixtures = typeof options.fixtures === 'string' ? options.fixtures : isBundled ? BUNDLED.fixtures : undefined;
  return [
    ...[options.description ?? BUNDLED.description].flatMap((name) =>
      typeof name === 'string' && !isAddress(name) ? [name] : [],
    ),
    ...(rules === 'off' || typeof options.rules === 'object' ? [] : moduleFiles(rules)),
    ...(fixtures === undefined || isEmpty(options.state) ? [] : [fixtures]),
    ...[tokens, overrides, ...overlays].filter((file) => typeof file === 'string'),
    ...packFolders(packs),
  ];
}

/** Packs of the package stay as they are. */
function packFolders(packs: CreateMockServerOptions['packs']): readonly string[] {
  return packs === undefined || packs === 'off' ? [] : packs.filter((pack) => existsSync(pack));
}

function isBundledDescription({ description }: CreateMockServerOptions): boolean {
  if (typeof description === 'object') return false;
  return description === undefined || resolve(description) === BUNDLED.description;
}

async function chooseRules(
  rules: CreateMockServerOptions['rules'],
  isBundled: boolean,
  onRead: OnRead | undefined,
): Promise<Rules | undefined> {
  if (rules === 'off') return undefined;
  if (typeof rules === 'object') return rules;
  if (rules !== undefined) return loadRules(rules, onRead);
  return isBundled ? loadRules(BUNDLED.rules, onRead) : undefined;
}

/** @param meant - what packs say, before which the user's own word comes */
function chooseOverrides(given: CreateMockServerOptions['overrides'], api: ApiModel, meant: Overrides): Overrides {
  return given === undefined ? meant : mergeOverrides(meant, ownOverrides(given, api));
}

function ownOverrides(given: string | object, api: ApiModel): Overrides {
  if (typeof given === 'string') return loadOverrides(given, api);
  // In a program the version of the format is that of the package.
  const root: JsonValue = { standin: OVERRIDES_FORMAT, ...(given as JsonObject) };
  return overridesOf({ file: 'the overrides given', root, placeOf: () => undefined }, api);
}

function chooseFixtures(
  fixtures: CreateMockServerOptions['fixtures'],
  isBundled: boolean,
  resources: readonly FixtureResource[],
): SeedData | undefined {
  if (typeof fixtures === 'string') return loadFixtures(fixtures, resources);
  if (fixtures !== undefined) {
    if (!isJsonObject(fixtures as unknown as JsonValue))
      throw new ConfigError('FIXTURE_INVALID', 'The fixtures are no object');
    const document = { file: 'the fixtures given', root: fixtures as unknown as JsonValue, placeOf: () => undefined };
    return readFixtures([document], resources);
  }
  return isBundled ? loadFixtures(BUNDLED.fixtures, resources) : undefined;
}

function isEmpty(state: string | undefined): boolean {
  if (state === undefined || state === 'seeded' || state === 'empty') return state === 'empty';
  throw new ConfigError('CONFIG_INVALID', `The option state is "${state}"`, { hint: 'Give seeded or empty.' });
}

/** What no request can be refused for: whoever starts the mock should know before the first one. */
function securityWarnings(api: ApiModel, auth: MockOptions['auth'] | undefined): SourceFinding[] {
  if (auth === 'off') return [];
  return unenforcedSchemes(api).map(({ name, type }) =>
    findingAt(api.document, joinPointer('/components/securitySchemes', name), {
      rule: 'security-not-enforced',
      severity: 'warning',
      message: `The security scheme "${name}" (${type}) is not enforced: certificates are a matter of the connection`,
      hint: 'Callers without a certificate are let in.',
    }),
  );
}
