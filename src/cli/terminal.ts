import pc from 'picocolors';
import { printableLines, withoutCommands } from '../errors/printable';

// Those of our own colours (ECMA-48 §8.3.117), and of no other effect: concealed and blinking text are not among them.
const COLOURS = /(\u001b\[(?:1|2|4|22|24|3[0-79]|9[0-7])m)/;

/** What the command line writes for people, on a stream; whatever is in it does nothing but be seen. */
export function say(stream: Pick<NodeJS.WriteStream, 'write'>, text: string): void {
  const quiet = withoutCommands(text);
  const parts = pc.isColorSupported ? quiet.split(COLOURS) : [quiet];
  stream.write(parts.map((part, index) => (index % 2 === 1 ? part : printableLines(part))).join(''));
}
