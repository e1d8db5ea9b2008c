import {
  createMockServer,
  createServerParts,
  type ServerHooks,
  type ServerParts,
} from '../../src/library/create-mock-server';
import { type CreateMockServerOptions } from '../../src/library/mock-options';
import type { MockServer } from '../../src/server/mock-server';
import { temporaryFolder } from './temporary-folder';

/** A mock of a description that is written in the test; nothing is in it unless the test says so. */
export async function serveText(text: string, options: CreateMockServerOptions = {}): Promise<MockServer> {
  return inFile(text, (description) => createMockServer({ state: 'empty', ...options, description }));
}

/** The same with what is known of it: its warnings, its model. */
export async function partsOfText(
  text: string,
  options: CreateMockServerOptions = {},
  hooks: ServerHooks = {},
): Promise<ServerParts> {
  return inFile(text, (description) => createServerParts({ state: 'empty', ...options, description }, hooks));
}

async function inFile<Result>(text: string, use: (file: string) => Promise<Result>): Promise<Result> {
  const folder = temporaryFolder();
  try {
    return await use(folder.write('openapi.yaml', text));
  } finally {
    folder.remove();
  }
}
