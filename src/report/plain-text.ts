import { printableLines, withoutCommands } from '../errors/printable';

/**
 * A text without characters that markup cannot hold, control characters above all (XML 1.0 §2.2), or that would do
 * something in the viewer of a report; each becomes U+FFFD. Line feed and tab stay.
 */
export function writable(text: string): string {
  return printableLines(text, '\ufffd');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  // Everywhere, so that no text holds `]]>` (XML 1.0 §2.4).
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as markup, XML or HTML, between tags and in quoted attributes. */
export function escapeMarkup(text: string): string {
  const escaped = writable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
  return withoutCommands(escaped, '&#58;', '#&#35;');
}

/** The same for an attribute of XML, whose reader turns line ends and tabs into spaces (XML 1.0 §3.3.3). */
export function escapeAttribute(text: string): string {
  return escapeMarkup(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
