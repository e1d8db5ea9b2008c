import type { Pack } from '../adapters/node/load-packs';
import { printable } from '../errors/printable';

/** A pack that is used, and how to do without one that nobody asked for. */
export function packText({ name, about, chosen }: Pack): string {
  const why = chosen === 'title' ? ' (chosen by the title of the description; --pack off leaves it out)' : '';
  return printable(`${name}: ${about}${why}`);
}
