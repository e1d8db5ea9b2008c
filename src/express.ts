export { createMockServer, type CreateMockServerOptions } from './adapters/create-mock-server';
export type { MockServer, MockControls, Snapshot } from './adapters/express/mock-server';
export type { JournalEntry } from './mock/journal';
