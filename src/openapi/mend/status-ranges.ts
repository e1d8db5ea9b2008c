import type { Mend } from './mend';

/** `2xx` and `Default` among responses: OpenAPI writes `2XX` and `default` (OAS 3.0.3 §4.7.16). */
export const statusRanges: Mend = ({ kind, value, tell, rename }) => {
  if (kind !== 'responses') return;
  for (const name of Object.keys(value)) {
    const meant = /^[1-5]xx$/i.test(name) ? name.toUpperCase() : /^default$/i.test(name) ? 'default' : name;
    if (meant === name || Object.hasOwn(value, meant)) continue;
    tell(name, { message: `"${name}" is read as "${meant}"`, expected: `"${meant}"` });
    rename(name, meant);
  }
};
