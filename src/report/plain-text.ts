// Control characters, lone surrogates and non-characters: XML 1.0 §2.2 has no way to write the most of them, and HTML
// none that is no parse error. Line feed and tab stay.
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufdd0-\ufdef\ufffe\uffff]/g;

/** A text without characters that markup cannot hold; each becomes U+FFFD. */
export function writable(text: string): string {
  return text.toWellFormed().replace(UNWRITABLE, '\ufffd').replace(/\r\n?/g, '\n');
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
  return writable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** The same for an attribute of XML, whose reader turns line ends and tabs into spaces (XML 1.0 §3.3.3). */
export function escapeAttribute(text: string): string {
  return escapeMarkup(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
