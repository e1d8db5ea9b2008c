import type { SourceFinding } from '../errors/source-finding';
import { readOverrides } from '../formats/overrides';
import { joinPointer } from '../json/json-pointer';
import { mergeRules } from '../mock/merge-rules';
import type { Rules } from '../mock/rules';
import type { ApiModel } from '../openapi/model';
import { findingAt } from '../openapi/source-document';
import type { ResourceModel } from '../resources/resource-model';
import { mergeOverrides, NO_OVERRIDES, type Overrides } from '../resources/statements';
import type { OnRead } from './node/load-anew';
import { readConfigSource, refuseIfAny } from './node/load-overlay';
import type { Pack } from './node/load-packs';
import { loadRules } from './node/load-rules';
import { entriesKnown } from '../formats/known-entries';

/** What packs bring beside their overlays, and what of it this description does not have. */
export interface PackParts<Part> {
  readonly part: Part;
  readonly findings: readonly SourceFinding[];
}

/**
 * The overrides of all packs as one. A pack is for every version of an API: paths and operations that this one lacks are
 * left out, with a warning each.
 *
 * @throws ConfigError `CONFIG_INVALID` with every finding
 */
export function packOverrides(packs: readonly Pack[], api: ApiModel): PackParts<Overrides> {
  const warnings: SourceFinding[] = [];
  let part = NO_OVERRIDES;
  for (const { overrides: file } of packs) {
    if (file === undefined) continue;
    const { document, unknown } = entriesKnown(readConfigSource(file), api);
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
    refuseIfAny(`The overrides ${file}`, findings);
  }
  return { part, findings: warnings };
}

/**
 * The rules of all packs as one; those of operations that this description lacks are left out, with a warning each.
 *
 * @param onRead - as for rules that are watched
 * @throws ConfigError `RULES_UNREADABLE`, `RULES_INVALID`
 */
export async function packRules(
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
