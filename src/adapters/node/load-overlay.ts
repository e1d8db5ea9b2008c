import { counted } from '../../errors/counted';
import { ConfigError } from '../../errors/harness-error';
import type { SourceFinding } from '../../errors/source-finding';
import { applyOverlays, type OverlaidDocument } from '../../formats/apply-overlay';
import { readOverlay, type Overlay } from '../../formats/overlay';
import type { JsonValue } from '../../json/json-value';
import { readSource } from '../../openapi/read-source';
import type { SourceDocument } from '../../openapi/source-document';
import { readTextFile } from './read-file';

/**
 * Reads an overlay: a file, YAML or JSON, or what a program gives.
 *
 * @throws ConfigError `CONFIG_INVALID` with every finding; SpecError `SPEC_SYNTAX` for a file that is no YAML or JSON
 */
export function loadOverlay(given: string | object): Overlay {
  const document =
    typeof given === 'string'
      ? readConfigSource(given)
      : { file: 'the overlay given', root: given as JsonValue, placeOf: () => undefined };
  const findings: SourceFinding[] = [];
  const overlay = readOverlay(document, findings);
  refuseIfAny(`The overlay ${document.file}`, findings);
  return overlay;
}

/** {@link applyOverlays}. @throws ConfigError `CONFIG_INVALID` for one that cannot be done */
export function overlaid(document: SourceDocument, overlays: readonly Overlay[]): OverlaidDocument {
  const applied = applyOverlays(document, overlays);
  const errors = applied.findings.filter(({ severity }) => severity === 'error');
  refuseIfAny(`The overlay of ${document.file}`, errors);
  return applied;
}

/** A file that says how something is to be done. @throws ConfigError, SpecError */
export function readConfigSource(path: string): SourceDocument {
  const fail = (message: string, hint: string, cause?: unknown): ConfigError =>
    new ConfigError('CONFIG_INVALID', message, { hint, cause });
  return readSource(readTextFile(path, fail), path);
}

/** @throws ConfigError `CONFIG_INVALID` with the findings, where there are some */
export function refuseIfAny(what: string, findings: readonly SourceFinding[]): void {
  if (findings.length === 0) return;
  throw new ConfigError('CONFIG_INVALID', `${what} cannot be used: ${counted(findings.length, 'error')}`, { findings });
}
