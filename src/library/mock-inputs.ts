import { existsSync } from 'node:fs';
import { unvalidatedBodies } from '../checks/request/body';
import { ConfigError, type SourceFinding } from '../core/errors/standin-error';
import { isHttpUrl } from '../core/http/request-target';
import { joinPointer } from '../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value';
import type { TellProgress } from '../core/text/progress';
import { BUNDLED, isBundled, readConfigSource, throwIfInvalid } from '../files/file-access';
import { readDescription } from '../files/load-api';
import { loadFixtures, loadOverrides, overridesOf, readFixtures } from '../files/load-mock-files';
import { loadRules, moduleFiles, type OnRead, type Pack } from '../files/load-rules-and-packs';
import type { FixtureResource, SeedData } from '../formats/fixture';
import { keepKnownEntries, OVERRIDES_FORMAT, readOverrides } from '../formats/overrides';
import type { MockOptions } from '../mock/context/options';
import { unconditionalWrites, undocumentedSuccesses } from '../mock/plans/documented-responses';
import type { Rules } from '../mock/rules/rules';
import { mergeRules } from '../mock/rules/rules-validation';
import type { ApiModel } from '../openapi/model/api-model';
import { findingAt } from '../openapi/read/source-document';
import { inferResourceModel } from '../resources/infer-resource-model';
import type { ResourceModel } from '../resources/model/binding';
import { hintFindings } from '../resources/overrides/hint-findings';
import { mergeOverrides, NO_OVERRIDES, type Overrides } from '../resources/overrides/statements';
import { unenforcedSchemes } from '../security/authentication';
import { engineOptions } from './engine-options';
import type { CreateMockServerOptions } from './mock-options';

/** What a mock is made from, read from its files. */
interface MockInputs {
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
export async function loadMockInputs(
  options: CreateMockServerOptions,
  isWatched: boolean,
  onRead: OnRead,
  onProgress?: TellProgress,
): Promise<MockInputs> {
  const hooks = { onRead, choosesPacks: true, onProgress };
  const { api, warnings, packs } = await readDescription(options.description, options, hooks);
  const isPetstore = isBundled(options.description);
  const meant = packOverrides(packs, api);
  const overrides = chooseOverrides(options.overrides, api, meant.part);
  const model = inferResourceModel(api, overrides, onProgress);
  const onModule = isWatched ? onRead : undefined;
  const ruled = await packRules(packs, api, model, onModule);
  const rules = mergeRules(ruled.part, await chooseRules(options.rules, isPetstore, onModule));
  const { resources } = model;
  return {
    api,
    warnings: [
      ...warnings,
      ...meant.findings,
      ...ruled.findings,
      ...hintFindings(api),
      ...unvalidatedBodies(api),
      ...undocumentedSuccesses(api),
      ...(options.requireIfMatch === true ? unconditionalWrites(api, model) : []),
      ...securityWarnings(api, options.auth),
    ],
    packs,
    rules,
    fixtures: options.state === 'empty' ? undefined : chooseFixtures(options.fixtures, isPetstore, resources),
    overrides,
    isSeeded: options.state !== 'empty',
    options: engineOptions(options),
  };
}

/** Every file and folder that {@link loadMockInputs} reads, but for those that the description or the rules refer to: an address is not a file. */
export function inputFiles(options: CreateMockServerOptions): readonly string[] {
  const { tokens, overrides, overlays = [], packs } = options;
  const isPetstore = isBundled(options.description);
  const rules = typeof options.rules === 'string' ? options.rules : isPetstore ? BUNDLED.rules : 'off';
  const fixtures = typeof options.fixtures === 'string' ? options.fixtures : isPetstore ? BUNDLED.fixtures : undefined;
  return [
    ...[options.description ?? BUNDLED.description].flatMap((name) =>
      typeof name === 'string' && !isHttpUrl(name) ? [name] : [],
    ),
    ...(rules === 'off' || typeof options.rules === 'object' ? [] : moduleFiles(rules)),
    ...(fixtures === undefined || options.state === 'empty' ? [] : [fixtures]),
    ...[tokens, overrides, ...overlays].filter((file) => typeof file === 'string'),
    ...packFolders(packs),
  ];
}

/** Packs of the package stay as they are. */
function packFolders(packs: CreateMockServerOptions['packs']): readonly string[] {
  return packs === undefined || packs === 'off' ? [] : packs.filter((pack) => existsSync(pack));
}

async function chooseRules(
  rules: CreateMockServerOptions['rules'],
  isPetstore: boolean,
  onRead: OnRead | undefined,
): Promise<Rules | undefined> {
  if (rules === 'off') return undefined;
  if (typeof rules === 'object') return rules;
  if (rules !== undefined) return loadRules(rules, onRead);
  return isPetstore ? loadRules(BUNDLED.rules, onRead) : undefined;
}

/** @param meant - what packs say, before which the user's own word comes */
function chooseOverrides(given: CreateMockServerOptions['overrides'], api: ApiModel, meant: Overrides): Overrides {
  return given === undefined ? meant : mergeOverrides(meant, ownOverrides(given, api));
}

function ownOverrides(given: string | object, api: ApiModel): Overrides {
  if (typeof given === 'string') return loadOverrides(given, api);
  // In a program the version of the format is that of the package.
  const root: JsonValue = { standin: OVERRIDES_FORMAT, ...(given as JsonObject) };
  return overridesOf({ file: 'the overrides given', root, locationOf: () => undefined }, api);
}

function chooseFixtures(
  fixtures: CreateMockServerOptions['fixtures'],
  isPetstore: boolean,
  resources: readonly FixtureResource[],
): SeedData | undefined {
  if (typeof fixtures === 'string') return loadFixtures(fixtures, resources);
  if (fixtures !== undefined) {
    if (!isJsonObject(fixtures as unknown as JsonValue))
      throw new ConfigError('FIXTURE_INVALID', 'The fixtures must be an object');
    const document = {
      file: 'the fixtures given',
      root: fixtures as unknown as JsonValue,
      locationOf: () => undefined,
    };
    return readFixtures([document], resources);
  }
  return isPetstore ? loadFixtures(BUNDLED.fixtures, resources) : undefined;
}

/** What no request can be rejected for: who starts the mock should know before the first one. */
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

/** What packs bring beside their overlays, and what of it this description does not have. */
interface PackParts<Part> {
  readonly part: Part;
  readonly findings: readonly SourceFinding[];
}

/**
 * The overrides of all packs as one. A pack is for every version of an API: paths and operations that this one lacks are
 * left out, with a warning each.
 *
 * @throws ConfigError `CONFIG_INVALID` with every finding
 */
function packOverrides(packs: readonly Pack[], api: ApiModel): PackParts<Overrides> {
  const warnings: SourceFinding[] = [];
  let part = NO_OVERRIDES;
  for (const { overrides: file } of packs) {
    if (file === undefined) continue;
    const { document, unknown } = keepKnownEntries(readConfigSource(file), api);
    for (const { pointer, name } of unknown)
      warnings.push(
        findingAt(document, pointer, {
          rule: RULE,
          severity: 'warning',
          message: `The description has no ${name}: what the pack says of it is left out`,
        }),
      );
    const findings: SourceFinding[] = [];
    part = mergeOverrides(part, readOverrides(document, api, findings));
    throwIfInvalid(`The overrides ${file}`, findings);
  }
  return { part, findings: warnings };
}

/**
 * The rules of all packs as one; those of operations that this description lacks are left out, with a warning each.
 *
 * @param onRead - as for rules that are watched
 * @throws ConfigError `RULES_UNREADABLE`, `RULES_INVALID`
 */
async function packRules(
  packs: readonly Pack[],
  api: ApiModel,
  { bindings }: ResourceModel,
  onRead: OnRead | undefined,
): Promise<PackParts<Rules | undefined>> {
  const findings: SourceFinding[] = [];
  const bound = new Set([...bindings.keys()].map(({ id }) => id));
  const asked = new Set(api.operations.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
  let part: Rules | undefined;
  for (const { rules: file } of packs) {
    if (file === undefined) continue;
    const { operations = {}, filters = {}, ...others } = await loadRules(file, onRead);
    const known = Object.entries(operations).filter(([id]) => bound.has(id));
    // A language that several lists read: one that none of them reads here is nothing to speak of.
    const read = Object.entries(filters).filter(([name]) => asked.has(name));
    for (const id of Object.keys(operations).filter((each) => !bound.has(each)))
      findings.push({
        rule: RULE,
        severity: 'warning',
        file,
        pointer: joinPointer('/operations', id),
        message: `The description has no operation ${id} that works on a resource: its rule is left out`,
      });
    part = mergeRules(part, {
      ...others,
      operations: Object.fromEntries(known),
      filters: Object.fromEntries(read),
    });
  }
  return { part, findings };
}

/** On every finding about what a pack brings. */
const RULE = 'pack-fits';
