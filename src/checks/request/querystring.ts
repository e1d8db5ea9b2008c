import { parseMediaType } from '../../http/media-type';
import type { Parameter } from '../../openapi/model';
import { decodeParameter, type DecodedParameter } from '../../openapi/parameter-style';
import { readForm } from './form';
import type { SentTexts } from './sent-texts';

/**
 * Reads the whole query as one value by the media type of the parameter's `content` (OAS 3.2.0 §4.12.1, `in:
 * querystring`): a form, or JSON that was percent-encoded as a whole.
 */
export function readQuerystring(parameter: Parameter, query: string, sent: SentTexts): DecodedParameter {
  const { contentType = FORM, shape, encodings } = parameter;
  if (parseMediaType(contentType)?.essence !== FORM) return decodeParameter(parameter, [query]);
  const form = readForm(sent, shape, encodings);
  if (form.kind === 'value') return form;
  return { kind: 'unreadable', reason: `at ${form.pointer} ${form.reason}` };
}

const FORM = 'application/x-www-form-urlencoded';
