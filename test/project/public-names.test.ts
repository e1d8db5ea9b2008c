import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as expressEntry from '../../src/express';
import * as rootEntry from '../../src/index';
import * as jestEntry from '../../src/jest';
import { ROOT } from './source-files';

/** Names that an entry exports, types too, as its export lists have them. */
function exportedNames(entry: string): { values: string[]; types: string[] } {
  const text = readFileSync(join(ROOT, 'src', entry), 'utf8');
  const values: string[] = [];
  const types: string[] = [];
  for (const [, typeOnly, list = ''] of text.matchAll(/^export (type )?\{([^}]*)\}/gm)) {
    for (const name of list.split(',').map((item) => item.trim())) {
      if (name === '') continue;
      if (typeOnly !== undefined || name.startsWith('type ')) types.push(name.replace(/^type /, ''));
      else values.push(name);
    }
  }
  return { values: values.sort(), types: types.sort() };
}

test.each([
  [
    'index.ts',
    rootEntry,
    [
      'ConfigError',
      'ContractError',
      'SpecError',
      'StandinError',
      'TransportError',
      'cleanUp',
      'formatTextReport',
      'gradeContracts',
      'runContract',
    ],
    [
      'ApiModel',
      'BrokenInvariant',
      'CleanUpOptions',
      'CleanUpResult',
      'ErrorCode',
      'FilterEvent',
      'FilterRule',
      'GradeOptions',
      'GradeResult',
      'GradedDefect',
      'Item',
      'ItemDraft',
      'JsonObject',
      'JsonValue',
      'Operation',
      'Reference',
      'RuleEvent',
      'RuleReader',
      'RuleStore',
      'Rules',
      'RunContractOptions',
      'RunProgress',
      'RunResult',
      'SourceFinding',
      'StepResult',
      'Verdict',
    ],
  ],
  [
    'express.ts',
    expressEntry,
    ['createMockServer'],
    [
      'CollectionDiff',
      'ContractChoice',
      'ContractControls',
      'ContractOfRequests',
      'CreateMockServerOptions',
      'FaultFacts',
      'ForcedResponse',
      'JournalEntry',
      'MockControls',
      'MockServer',
      'RecordingControls',
      'RespondOptions',
      'ResponseControls',
      'SandboxControls',
      'SandboxFacts',
      'SandboxesControls',
      'SetResponse',
      'Snapshot',
      'StateDiff',
      'StoppedRecording',
      'StoredState',
    ],
  ],
  ['jest.ts', jestEntry, ['describeContract'], ['DescribeContractOptions']],
])('%s exports these names and no others', (entry, module, values, types) => {
  expect(exportedNames(entry)).toStrictEqual({ values, types });
  expect(Object.keys(module).sort()).toStrictEqual(values);
});

test.each(['index.ts', 'express.ts', 'jest.ts'])('%s lists its names one by one', (entry) => {
  const text = readFileSync(join(ROOT, 'src', entry), 'utf8');
  expect(text).not.toMatch(/export \*/);
  expect(text.split('\n').filter((line) => /^\s*(?:const|let|function|class|import)\b/.test(line))).toStrictEqual([]);
});
