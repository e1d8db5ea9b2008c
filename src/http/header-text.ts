/** A text as the value of a field: what is no visible ASCII is percent-encoded (RFC 9110 §5.5). */
export function toHeaderText(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, (other) => encodeURIComponent(other.toWellFormed()));
}
