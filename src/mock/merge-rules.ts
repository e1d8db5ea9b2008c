import { checkShape } from './check-rules';
import type { BrokenInvariant, RuleEvent, RuleReader, Rules } from './rules';

/**
 * Two sets of rules as one. Of an operation both rules are called, the earlier one first; of a parameter the later one
 * reads the values.
 *
 * @throws ConfigError `RULES_INVALID` for what is no set of rules
 */
export function mergeRules(earlier: Rules | undefined, later: Rules | undefined): Rules | undefined {
  if (earlier === undefined || later === undefined) return earlier ?? later;
  checkShape(earlier);
  checkShape(later);
  const operations = { ...earlier.operations };
  for (const [id, rule] of Object.entries(later.operations ?? {})) {
    const before = operations[id];
    operations[id] = before === undefined ? rule : inTurn(before, rule);
  }
  const judges = [earlier.invariants, later.invariants].filter((invariants) => invariants !== undefined);
  return {
    standin: 'rules/1',
    references: [...(earlier.references ?? []), ...(later.references ?? [])],
    operations,
    filters: { ...earlier.filters, ...later.filters },
    ...(judges.length === 0 ? {} : { invariants: (store) => allOf(judges, store) }),
    beginning: earlier.beginning === 'seeded' && later.beginning === 'seeded' ? 'seeded' : 'empty',
  };
}

type Rule = (event: RuleEvent) => unknown;

/** What a rule returns is handed on: one that returns a promise is a fault that is told. */
function inTurn(...rules: readonly Rule[]): Rule {
  return (event) => rules.map((rule) => rule(event)).find((returned) => returned !== undefined);
}

function* allOf(judges: readonly NonNullable<Rules['invariants']>[], store: RuleReader): Iterable<BrokenInvariant> {
  for (const invariants of judges) yield* invariants(store);
}
