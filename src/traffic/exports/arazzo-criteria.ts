import type { JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { Matcher } from '../../formats/contract/matcher';
import type { RuntimeExpression } from '../../formats/contract/runtime-expression';
import { plainText, wholePlaceholder } from './template';

/** A runtime expression as Arazzo writes it (1.0.1 §4.8). */
export function expressionText(expression: RuntimeExpression): string {
  switch (expression.kind) {
    case 'body':
      return `$response.body${expression.pointer === '' ? '' : `#${expression.pointer}`}`;
    case 'request-body':
      return `$request.body${expression.pointer === '' ? '' : `#${expression.pointer}`}`;
    case 'header':
      return `$response.header.${expression.name}`;
    case 'request-header':
      return `$request.header.${expression.name}`;
    case 'request-path':
      return `$request.path.${expression.name}`;
    case 'request-query':
      return `$request.query.${expression.name}`;
    case 'status':
      return '$statusCode';
    default:
      return `$${expression.kind}`;
  }
}

interface HeaderCriteria {
  /** Criterion Objects (Arazzo 1.0.1 §4.6.11). */
  readonly criteria: JsonValue[];
  readonly lost: readonly string[];
}

/**
 * What a header must be. Simple conditions do not tell upper from lower case, so that a text is compared by a pattern.
 *
 * @param expression - gives the runtime expression for a placeholder
 */
export function headerCriteria(name: string, matcher: Matcher, expression: (name: string) => string): HeaderCriteria {
  if (matcher.kind === 'all') {
    const parts = matcher.matchers.map((part) => headerCriteria(name, part, expression));
    return { criteria: parts.flatMap(({ criteria }) => criteria), lost: parts.flatMap(({ lost }) => lost) };
  }
  const criterion = criterionOf(`$response.header.${name}`, matcher, expression);
  return criterion === undefined ? { criteria: [], lost: [`$${matcher.kind}`] } : { criteria: [criterion], lost: [] };
}

function criterionOf(context: string, matcher: Matcher, expression: (name: string) => string): JsonValue | undefined {
  switch (matcher.kind) {
    case 'present':
      return { condition: `${context} != null` };
    case 'absent':
      return { condition: `${context} == null` };
    case 'pattern': {
      const plain = plainText(matcher.source);
      return plain === undefined ? undefined : { context, type: 'regex', condition: plain };
    }
    case 'value': {
      const text = scalarText(matcher.value);
      const [plain, whole] = [plainText(text), wholePlaceholder(text)];
      if (whole !== undefined) return { condition: `${context} == ${expression(whole)}` };
      return plain === undefined
        ? undefined
        : { context, type: 'regex', condition: `^${plain.replace(SYNTAX, '\\$&')}$` };
    }
    default:
      return undefined;
  }
}

const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;
