import type { ListConvention } from './list-convention';

/** Order, search and fields, and parameters that choose nothing among the items. */
export const selection: ListConvention = {
  id: 'selection',
  parameters: [
    [/^(?:sort|sortby|orderby|ordering|sortfield|sortkey|sortcolumn)$/, 'any', 'sort'],
    [/^(?:direction|sortdirection|sortdir|dir|sortorder|orderdirection|orderdir)$/, 'any', 'direction'],
    [
      /^(?:q|query|search|keywords?|searchterm|term|searchtext|fulltext|searchquery|querystring|text)$/,
      'string',
      'search',
    ],
    [/^(?:(?:opt|include|return|only)?fields|select|fieldset|attributes)$/, 'any', 'fields'],
    [
      /^(?:include|includes|expand|embed|with|populate|relations)$/,
      'any',
      { ignored: 'properties that are a key or the item are the item where it names them' },
    ],
    [
      /^(?:filters?|where|rsql|conditions?)$/,
      'any',
      { ignored: 'expressions of this filter language are not evaluated', isFilter: true },
    ],
    [
      /^(?:apikey|accesstoken|token|locale|lang|language|format|alt|callback|pretty|prettyprint|debug|dryrun|apiversion|version|timezone|currency|quotauser|userip|key)$/,
      'any',
      { ignored: 'it chooses how the response is given, not which items' },
    ],
  ],
};
