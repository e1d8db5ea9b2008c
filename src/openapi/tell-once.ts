import type { SourceFinding } from '../errors/source-finding';

/**
 * Leaves out what another finding says more precisely: that a reference is no URI where `ref-resolves` speaks of it, and
 * that a schema does not compile where a rule names the part of it that is at fault.
 */
export function tellOnce(findings: readonly SourceFinding[]): SourceFinding[] {
  const references = new Set(findings.filter(({ rule }) => rule === 'ref-resolves').map(({ pointer }) => pointer));
  const reasons = findings.filter(({ rule }) => rule === 'ref-resolves' || rule === 'openapi-schema');
  const told = new Set<string>();
  return findings.filter(({ rule, pointer, file }) => {
    const key = `${file} ${pointer}`;
    // Whoever read the files knows better than the rule why a reference leads nowhere.
    if (rule === 'ref-resolves' && told.has(key)) return false;
    if (rule === 'ref-resolves') told.add(key);
    if (rule === 'openapi-schema') return !references.has(pointer);
    if (rule !== 'schema-compiles') return true;
    return !reasons.some((reason) => `${reason.pointer}/`.startsWith(`${pointer}/`));
  });
}
