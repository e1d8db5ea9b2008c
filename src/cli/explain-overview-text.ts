import pc from 'picocolors';
import type { Explanation, OperationExplanation } from './explanation';
import { bounded, columns, listText, wrap } from './text-columns';

const SHOWN_RESOURCES = 24;
const SHOWN_REASONS = 12;
const SHOWN_OPERATIONS = 3;

/** What a description of many operations comes down to: what is kept, and what is not, by reason. */
export function overviewLines({ resources, operations }: Explanation): string[] {
  const low = resources.filter(({ confidence }) => confidence === 'low');
  const stateless = operations.filter(({ source }) => source.from !== 'state');
  return [
    pc.bold('What is kept'),
    ...cut(
      resources.map(({ path, key, confidence, kind }) => [confidence, kind === 'singleton' ? 'one record' : key, path]),
      SHOWN_RESOURCES,
    ),
    ...(low.length === 0
      ? []
      : [
          '',
          ...wrap(
            `Look at these first: ${listText(
              low.map(({ path }) => path),
              6,
            )}.`,
            '',
            0,
          ),
        ]),
    '',
    ...section('What is answered without state, by reason', groupsOf(stateless, reasonOf)),
    ...section('Query parameters that are not modelled, by reason', parameterGroups(operations)),
  ];
}

function section(title: string, groups: ReadonlyMap<string, readonly string[]>): string[] {
  if (groups.size === 0) return [];
  const sorted = [...groups].sort(([, left], [, right]) => right.length - left.length);
  const rows = sorted.map(([reason, names]) => [
    String(names.length),
    `${reason}: ${listText(names, SHOWN_OPERATIONS)}`,
  ]);
  return [pc.bold(title), ...cut(rows, SHOWN_REASONS), ''];
}

function cut(rows: readonly (readonly string[])[], most: number): string[] {
  const { shown, rest } = bounded(rows, most);
  return [...columns(shown, '  '), ...(rest === 0 ? [] : [pc.dim(`  and ${rest} more`)])];
}

/** Reasons that differ in names alone are one: `nothing tells what "merge" does to pull`. */
function reasonOf({ source }: OperationExplanation): string {
  const text = source.reasons[0]?.text ?? '';
  const [first = text] = text.split(': ');
  return first.startsWith('nothing tells what "') ? 'nothing tells what the action does' : first;
}

function groupsOf(
  operations: readonly OperationExplanation[],
  keyOf: (operation: OperationExplanation) => string,
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const operation of operations) add(groups, keyOf(operation), `${operation.method} ${operation.path}`);
  return groups;
}

function parameterGroups(operations: readonly OperationExplanation[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { method, path, parameters, source } of operations) {
    if (source.from !== 'state') continue;
    for (const { name, in: location, role, effect } of parameters) {
      if (location !== 'query' || role !== 'none') continue;
      const reason = effect.replace(/^.* has no member of this name/, 'the items have no member of this name');
      add(groups, reason, `${name} of ${method} ${path}`);
    }
  }
  return groups;
}

function add(groups: Map<string, string[]>, key: string, name: string): void {
  const known = groups.get(key);
  if (known === undefined) groups.set(key, [name]);
  else known.push(name);
}
