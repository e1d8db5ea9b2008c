import { resolveRef, SchemaEnv } from 'ajv/dist/compile';
import { _ } from 'ajv/dist/compile/codegen';
import type { CodeKeywordDefinition } from 'ajv/dist/types';
import ajvRef, { callRef } from 'ajv/dist/vocabularies/core/ref';
import { recurring } from './recurring';

/** A reference that closes a circle, which is one to a schema that is being compiled, is followed with care. */
export const referenceKeyword: CodeKeywordDefinition = {
  ...ajvRef,
  code(cxt, ruleType) {
    const { gen, it } = cxt;
    const target = resolveRef.call(it.self, it.schemaEnv.root, it.baseId, String(cxt.schema));
    if (!(target instanceof SchemaEnv) || target.validate !== undefined) {
      ajvRef.code(cxt, ruleType);
      return;
    }
    const around = gen.scopeValue('wrapper', { ref: target });
    const code = _`parts.recurring(() => ${around}.validate)`;
    callRef(cxt, gen.scopeValue('func', { key: target, ref: recurring(() => target.validate), code }), target);
  },
};
