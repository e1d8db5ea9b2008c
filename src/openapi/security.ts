import type { SecurityRequirement, SecurityScheme } from './model';
import { resolveObject, type Located } from './references';
import type { SourceDocument } from './source-document';
import { items, member, members, rootOf } from './walk';

/** The requirements of an operation; its own list replaces the root's (OAS 3.0.3 §4.7.10). */
export function readRequirements(document: SourceDocument, operation: Located): SecurityRequirement[] {
  const list = member(operation, 'security') ?? member(rootOf(document), 'security');
  return items(list).map((requirement) =>
    members(requirement).map(({ name, value }) => ({
      name,
      scopes: Array.isArray(value) ? value.filter((scope) => typeof scope === 'string') : [],
    })),
  );
}

export function readSecuritySchemes(document: SourceDocument): Map<string, SecurityScheme> {
  const components = member(rootOf(document), 'components');
  const schemes = new Map<string, SecurityScheme>();
  if (components === undefined) return schemes;
  for (const { name, ...located } of members(member(components, 'securitySchemes'))) {
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
      realm: text('x-realm'),
    });
  }
  return schemes;
}
