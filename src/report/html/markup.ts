import { escapeMarkup as text } from '../text/step-text';

/** A part of the page with a heading, which the navigation leads to. */
export interface Section {
  readonly id: string;
  readonly heading: string;
  /** Markup; `''` for a section that is left out. */
  readonly content: string;
}

export function sectionElement({ id, heading, content }: Section): string {
  return `<section aria-labelledby="${id}-heading" id="${id}">\n<h2 id="${id}-heading">${text(heading)}</h2>\n${content}\n</section>`;
}

/** @param rows - each as markup of a `tr` */
export function tableElement(caption: string, columns: readonly string[], rows: readonly string[]): string {
  const heads = columns.map((column) => `<th scope="col">${text(column)}</th>`).join('');
  return `<div class="wide" tabindex="0" role="region" aria-label="${text(caption)}"><table><caption>${text(caption)}</caption><thead><tr>${heads}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>`;
}

export function foldedElement(summary: string, content: string, name: string): string {
  return `<details class="${name}"><summary>${text(summary)}</summary>${content}</details>`;
}

/** Lines as they are, to be read and copied. */
export function linesElement(lines: readonly string[]): string {
  return `<pre tabindex="0"><code>${text(lines.join('\n'))}</code></pre>`;
}

/** The address of a cause in the page, the same in each report of it. */
export function causeAnchor(fingerprint: string): string {
  return `finding-${fingerprint}`;
}
