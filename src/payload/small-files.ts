import { parseMediaType } from '../http/media-type';

/** A red pixel on its own: the least that a browser shows. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const JPEG =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z';
const WEBP = 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA';
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect width="1" height="1" fill="red"/></svg>';
/** One empty page, without the table that readers can do without. */
const PDF = `%PDF-1.1
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;
/** An archive with nothing in it: its end record alone. */
const ZIP = 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==';
const GZIP = 'H4sIAAAAAAAAAwMAAAAAAAAAAAA=';

const bytes = (base64: string) => (): Uint8Array => Buffer.from(base64, 'base64');

const FILES: Readonly<Record<string, () => Uint8Array | string>> = {
  'image/png': bytes(PNG),
  'image/gif': bytes(GIF),
  'image/jpeg': bytes(JPEG),
  'image/jpg': bytes(JPEG),
  'image/webp': bytes(WEBP),
  'image/svg+xml': () => SVG,
  'application/pdf': () => PDF,
  'application/zip': bytes(ZIP),
  'application/x-zip-compressed': bytes(ZIP),
  'application/gzip': bytes(GZIP),
  'application/x-gzip': bytes(GZIP),
  'application/octet-stream': () => Buffer.from('standin', 'latin1'),
};

/** What a range of media types is answered with. */
const OF_RANGES: Readonly<Record<string, string>> = {
  'image/*': 'image/png',
  'application/*': 'application/octet-stream',
};

/** A body that is no text, and what it is. */
export interface SmallFile {
  readonly mediaType: string;
  readonly body: Uint8Array | string;
}

/** The smallest file of a media type that a reader of it opens; `undefined` for types that are not known. */
export function smallFile(mediaType: string): SmallFile | undefined {
  const essence = parseMediaType(mediaType)?.essence ?? '';
  const type = OF_RANGES[essence] ?? essence;
  const make = Object.hasOwn(FILES, type) ? FILES[type] : undefined;
  return make === undefined ? undefined : { mediaType: type === essence ? mediaType : type, body: make() };
}
