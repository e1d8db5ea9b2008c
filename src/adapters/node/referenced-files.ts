import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SpecError } from '../../errors/harness-error';
import { readSource } from '../../openapi/read-source';
import type { Reading, ReadUri } from '../../openapi/compose/source-files';
import { isAllowedHost, type Fetched } from './fetch-remote';
import { readTextFile } from './read-file';

/** More files than this are no description of one API. */
const MAX_FILES = 5000;

export interface RemoteDocuments {
  /** Hosts that may be asked; `undefined` where nothing can be fetched. */
  readonly hosts: readonly string[] | undefined;
  readonly fetched: ReadonlyMap<string, Fetched>;
}

/**
 * Reads the files that a description refers to.
 *
 * @param root - path of the description as the user gave it: others are shown in the same way
 * @param onRead - told of the absolute path of each file of this machine, before it is read: it may not be there
 */
export function referencedFiles(root: string, remote: RemoteDocuments, onRead?: (path: string) => void): ReadUri {
  let count = 0;
  return (uri) => {
    count += 1;
    if (count > MAX_FILES) return failed(`The description has more than ${MAX_FILES} files`);
    const { protocol } = new URL(uri);
    if (protocol === 'file:') return readFileAt(uri, root, onRead);
    if (protocol === 'http:' || protocol === 'https:') return readRemote(uri, remote);
    return failed(`${uri} is neither a file nor on the web`);
  };
}

function readFileAt(uri: string, root: string, onRead: ((path: string) => void) | undefined): Reading {
  let path: string;
  try {
    path = fileURLToPath(uri);
  } catch {
    return failed(`${uri} is no path of this machine`);
  }
  onRead?.(path);
  const file = isAbsolute(root) ? path : relative(process.cwd(), path);
  return parsed(file, () =>
    readTextFile(file, (message, hint, cause) => new SpecError('SPEC_UNREADABLE', message, { hint, cause })),
  );
}

function readRemote(uri: string, { hosts, fetched }: RemoteDocuments): Reading {
  const { host } = new URL(uri);
  if (hosts === undefined || !isAllowedHost(uri, hosts)) {
    return failed(
      `${uri} is on another machine, and nobody allowed to ask ${host}`,
      `--allow-remote ${host} allows it; or keep a copy of the file beside this one.`,
    );
  }
  const answer = fetched.get(uri);
  if (answer === undefined) return { kind: 'pending' };
  if ('failure' in answer) return failed(`${uri} cannot be read: ${answer.failure}`);
  const reading = parsed(uri, () => answer.text);
  return reading.kind === 'read' ? { ...reading, uri: answer.uri } : reading;
}

/** What is wrong inside the file is told of that file too, at its own lines. */
function parsed(file: string, readText: () => string): Reading {
  try {
    return { kind: 'read', document: readSource(readText(), file, { isTolerant: true }) };
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const isPath = error.code === 'SPEC_UNREADABLE';
    const hint = isPath ? 'Paths are relative to the file that holds the reference.' : undefined;
    return { ...failed(error.message, hint), findings: error.findings };
  }
}

function failed(message: string, hint?: string): Extract<Reading, { kind: 'failed' }> {
  return { kind: 'failed', reason: { message, ...(hint === undefined ? {} : { hint }) } };
}
