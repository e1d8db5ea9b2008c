export { createMockServer, type CreateMockServerOptions } from './adapters/create-mock-server';
export type { MockServer } from './adapters/express/mock-server';
export type { MockControls, SandboxControls, SandboxesControls, Snapshot } from './adapters/express/sandbox-controls';
export type { CollectionDiff, StateDiff } from './mock/diff-states';
export type { StoredState } from './mock/export-state';
export type { FaultFacts } from './mock/faults/fault-book';
export type { SandboxFacts } from './mock/sandboxes';
export type { JournalEntry } from './mock/journal';
