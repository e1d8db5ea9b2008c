export { createMockServer } from './library/create-mock-server';
export type { CreateMockServerOptions } from './library/mock-options';
export type { MockServer } from './server/mock-server';
export type { MockControls, SandboxControls, SandboxesControls, Snapshot } from './server/controls/sandbox-controls';
export type { CollectionDiff, StateDiff } from './mock/state/state';
export type { StoredState } from './mock/sandbox/state-export';
export type { FaultFacts } from './mock/faults/fault';
export type { SandboxFacts } from './mock/sandbox/sandboxes';
export type { JournalEntry } from './mock/sandbox/journal';
