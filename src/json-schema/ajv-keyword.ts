import { _ } from 'ajv/dist/compile/codegen';
import type { CodeKeywordDefinition, KeywordErrorDefinition } from 'ajv/dist/types';
import type { JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import type { JudgingKeyword } from './judging-keyword';

const error: KeywordErrorDefinition = {
  message: '',
  // `data` and the rest are ajv's; the judge's own object goes through as it is.
  params: ({ params }) => _`${params['broken']}`,
};

/**
 * A keyword of ours for ajv. It becomes one call in the generated code: a keyword that ajv calls with a context, and
 * whose errors it collects, takes thirty lines at each place, which costs a large description seconds. Where the code is
 * kept as text, the judge is made again from its operand: see `ready-validators`.
 */
export function ajvKeyword({ keyword, schemaType, judge }: JudgingKeyword): CodeKeywordDefinition {
  return {
    keyword,
    schemaType,
    error,
    code(cxt) {
      const { gen, data } = cxt;
      const operand: JsonValue = cxt.schema as JsonValue;
      const isKept = cxt.it.opts.code.source === true;
      const ask = gen.scopeValue('keyword', {
        ref: judge(operand as never),
        ...(isKept ? { code: _`parts.judge(${keyword}, ${stringifyJson(operand)})` } : {}),
      });
      const broken = gen.const('broken', _`${ask}(${data})`);
      cxt.setParams({ broken });
      cxt.fail(_`${broken} !== undefined`);
    },
  };
}
