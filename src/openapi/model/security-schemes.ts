import { parsePointer } from '../../core/json/json-pointer';
import type { OAuthFlow, SecurityRequirement, SecurityScheme } from './operation';
import { oasVersionOf, type SourceDocument } from '../read/source-document';
import { fieldOf, fieldsOf, itemsOf, localPointer, type Located, resolveObject, rootOf } from '../read/references';

const SCHEMES = '#/components/securitySchemes/';

/** The requirements of an operation; its own list replaces the root's (OAS 3.0.3 §4.7.10). */
export function readRequirements(document: SourceDocument, operation: Located): SecurityRequirement[] {
  const list = fieldOf(operation, 'security') ?? fieldOf(rootOf(document), 'security');
  return itemsOf(list).map((requirement) =>
    fieldsOf(requirement).map(({ name, value }) => ({
      name: schemeNameOf(document, name),
      scopes: Array.isArray(value) ? value.filter((scope) => typeof scope === 'string') : [],
    })),
  );
}

/**
 * The name of the scheme that a requirement means: from 3.2 on it may stand there by its URI, and a name comes first
 * (OAS 3.2.0 Security Requirement Object).
 */
export function schemeNameOf(document: SourceDocument, written: string): string {
  if (oasVersionOf(document) !== '3.2' || !written.startsWith(SCHEMES)) return written;
  const pointer = localPointer(written);
  const [, , name] = pointer === undefined ? [] : parsePointer(pointer);
  return name ?? written;
}

export function readSecuritySchemes(document: SourceDocument): Map<string, SecurityScheme> {
  const components = fieldOf(rootOf(document), 'components');
  const schemes = new Map<string, SecurityScheme>();
  if (components === undefined) return schemes;
  for (const { name, ...located } of fieldsOf(fieldOf(components, 'securitySchemes'))) {
    const scheme = resolveObject(document, located)?.value;
    if (scheme === undefined) continue;
    const text = (key: string): string | undefined => {
      const value = scheme[key];
      return typeof value === 'string' ? value : undefined;
    };
    schemes.set(name, {
      name,
      type: text('type') ?? '',
      scheme: text('scheme')?.toLowerCase(),
      in: text('in'),
      parameterName: text('name'),
      description: text('description'),
      realm: text('x-realm'),
      flows: fieldsOf(fieldOf({ ...located, value: scheme }, 'flows')).map(readFlow),
      openIdConnectUrl: text('openIdConnectUrl'),
    });
  }
  return schemes;
}

/** Can a request have a header or a cookie of this name (RFC 9110 §5.6.2, RFC 6265 §4.1.1)? In a query every name can be. */
export function isPossibleName({
  in: location,
  parameterName = '',
}: Pick<SecurityScheme, 'in' | 'parameterName'>): boolean {
  return location === 'query' || /^[\w!#$%&'*+.^`|~-]+$/.test(parameterName);
}

/** OAuth Flow Object (OAS 3.0.3 §4.7.29). */
function readFlow(flow: Located & { readonly name: string }): OAuthFlow {
  const text = (name: string): string | undefined => {
    const value = fieldOf(flow, name)?.value;
    return typeof value === 'string' ? value : undefined;
  };
  return {
    kind: flow.name,
    authorizationUrl: text('authorizationUrl'),
    tokenUrl: text('tokenUrl'),
    refreshUrl: text('refreshUrl'),
    deviceAuthorizationUrl: text('deviceAuthorizationUrl'),
    scopes: fieldsOf(fieldOf(flow, 'scopes')).map(({ name }) => name),
  };
}
