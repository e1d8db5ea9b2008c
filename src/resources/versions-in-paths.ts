import type { Operation } from '../openapi/model';
import { shapeOf, templateFrom, type Segment } from './path-template';
import type { Reading } from './reading';

const VERSION = /^v\d+(?:\.\d+)*(?:(?:alpha|beta)\d*)?$/i;

/** A path with a version in it. */
interface Versioned {
  readonly operation: Operation;
  readonly at: number;
  readonly version: string;
}

/**
 * `POST /v10/things` is `POST /v9/things`, where each operation counts its own versions: every one of them is described in
 * one version alone, and together they are about one store, which has the version in which an item is read. Where two
 * versions have the same operation, they are two interfaces, and stay apart.
 */
export function readVersions(readings: Map<Operation, Reading>): void {
  for (const group of byThing(readings)) {
    const versions = new Set(group.map(({ version }) => version));
    const done = group.map(({ operation, at }) => whatIsDone(readings.get(operation), at));
    if (versions.size < 2 || new Set(done).size < done.length) continue;
    const version = versionOfItem(readings, group);
    for (const { operation, at } of group) {
      const reading = readings.get(operation);
      const segment = reading?.template.segments[at];
      if (reading === undefined || segment?.kind !== 'literal' || segment.text === version) continue;
      const template = templateFrom(reading.template.segments.with(at, { kind: 'literal', text: version }));
      const reason = `is ${reading.method} ${template.path} in another version`;
      readings.set(operation, { ...reading, template, reason });
    }
  }
}

/** Operations by what stands before the version and the word behind it. */
function byThing(readings: ReadonlyMap<Operation, Reading>): Iterable<Versioned[]> {
  const groups = new Map<string, Versioned[]>();
  for (const [operation, { template }] of readings) {
    const { segments } = template;
    const at = segments.findIndex((segment) => segment.kind === 'literal' && VERSION.test(segment.text));
    const [version, thing] = [segments[at], segments[at + 1]];
    if (version?.kind !== 'literal' || thing?.kind !== 'literal') continue;
    const name = shapeOf([...segments.slice(0, at), thing]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [{ operation, at, version: version.text }]);
    else group.push({ operation, at, version: version.text });
  }
  return groups.values();
}

function whatIsDone(reading: Reading | undefined, at: number): string {
  return reading === undefined ? '' : `${reading.method} ${shapeOf(withoutVersion(reading.template.segments, at))}`;
}

function withoutVersion(segments: readonly Segment[], at: number): Segment[] {
  return segments.filter((_segment, index) => index !== at);
}

/** The version in which `/things/{id}` is read, else that of most operations. */
function versionOfItem(readings: ReadonlyMap<Operation, Reading>, group: readonly Versioned[]): string {
  const item = group.find(({ operation, at }) => {
    const reading = readings.get(operation);
    const behind = reading?.template.segments.slice(at + 1) ?? [];
    return reading?.method === 'GET' && behind.length === 2 && behind[1]?.kind === 'variable';
  });
  if (item !== undefined) return item.version;
  const countOf = (version: string): number => group.filter((each) => each.version === version).length;
  return group.map(({ version }) => version).reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}
