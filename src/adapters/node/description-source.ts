import { SpecError } from '../../errors/harness-error';
import { isAddress } from '../../http/is-address';
import { fetchRemote } from './fetch-remote';
import { readTextFile } from './read-file';

/** A description as it was found. */
export interface DescriptionSource {
  readonly text: string;
  /** Its path as it was given, or the address at which it was found in the end. */
  readonly file: string;
  /** Hosts that it may lead to. */
  readonly allowRemote: readonly string[];
}

/** The text of a description. @throws SpecError `SPEC_UNREADABLE` */
export function readDescription(file: string): string {
  return readTextFile(file, (message, hint, cause) => new SpecError('SPEC_UNREADABLE', message, { hint, cause }));
}

/**
 * Reads a description from its file or from its address. Whoever names an address allows its host, be it this machine:
 * what is beside the description is asked for there as well.
 *
 * @throws SpecError `SPEC_UNREADABLE`
 */
export async function findDescription(name: string, allowRemote: readonly string[] = []): Promise<DescriptionSource> {
  if (!isAddress(name)) return { text: readDescription(name), file: name, allowRemote };
  if (!URL.canParse(name))
    throw new SpecError('SPEC_UNREADABLE', `${name} is no URL`, {
      hint: 'Write it as https://example.com/openapi.json.',
    });
  const { host, href } = new URL(name);
  const hosts = [host, ...allowRemote];
  const fetched = await fetchRemote(href, hosts);
  if ('failure' in fetched)
    throw new SpecError('SPEC_UNREADABLE', `${name} cannot be read: ${fetched.failure}`, {
      hint: 'Try the address in a browser; save what it shows, and name the file.',
    });
  return { text: fetched.text, file: fetched.uri, allowRemote: hosts };
}
