// A part of docs/measured/clients.md that no command measures: which clients were known while the code was written, and
// a run of eight clients with flows and descriptions that are not in this repository.
const ROWS = [
  ['octokit', '57/57', '57/57'],
  ['stripe', '44/44', '43/44'],
  ['kubernetes', '36/37', '36/37'],
  ['docker', '34/34', '34/34'],
  ['bitbucket', '26/26', '16/26'],
  ['svix', '28/28', '25/28'],
  ['hubspot', '20/20', '10/20'],
  ['okta', '25/26', '14/26'],
  ['**all**', '**270/272 (99.3 %)**', '**235/272 (86.4 %)**'],
];

export const EIGHT_CLIENTS = `## Which clients were known

- octokit, stripe, kubernetes and docker were known while the code was written.
- bitbucket, hubspot, okta and svix were unseen until flows for them were supplied on 2026-11-28. They have been seen since.

All eight were used to find faults of standin, which were then fixed. The figures on this page say nothing about clients that nobody has tried.

## A run of eight clients outside CI

Flows for eight clients, kept outside this repository, ran at \`standin mock DESCRIPTION --auth any\`. Their flow of bitbucket differs from the one above. hubspot, okta and svix cannot run in CI: their descriptions are only in git repositories, and no npm package has them.

| client | 2026-11-29 | 2026-11-28, commit 32ab58ac |
| --- | --- | --- |
${ROWS.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

Two calls were wrong on 2026-11-29:

- okta: the client needs https links. It reaches the mock through a TLS proxy that does not forward the scheme, so the links begin with http.
- kubernetes: a watch must report a new namespace.
`;
