import { isEntityTag } from '../../../core/http/header-fields';
import { headerCheck } from './header-check';

/** ETag is one entity tag, in its quotes. */
export const etag = headerCheck({
  id: 'etag',
  source: 'RFC 9110 §8.8.3',
  name: 'ETag',
  what: 'an entity tag',
  expected: 'one entity tag such as "4f2a9c" or W/"4f2a9c"',
  isValid: (value) => isEntityTag(value.trim()),
  hint: (value) => (isEntityTag(`"${value.trim()}"`) ? 'The quotes are part of the tag.' : undefined),
});
