import type { ApiModel } from '../../openapi/model/api-model';

/** What coding agents read first in a project. */
export const AGENTS_FILE = 'AGENTS.md';

/**
 * The instructions for coding agents in a project that uses standin, as Markdown.
 *
 * @param description - its path, as it was named
 */
export function agentsText({ title, operations }: ApiModel, description: string): string {
  return `# ${title}

The API is described in \`${description}\` (OpenAPI, ${operations.length} operations). Do not guess what it does: ask the mock, which is made of the description, is stateful, and says why it answers as it does.

## Commands

- \`npx standin mock ${description}\` serves the mock at http://127.0.0.1:4010; \`Authorization: Bearer test-key\`.
- \`npx standin explain ${description} POST /path --body '{}'\` says how the mock answers a request, and why.
- \`npx standin check ${description}\` finds what is wrong with the description. Run it after each change of it.
- \`npx standin verify contracts --spec ${description} --base-url URL\` replays the contracts at a service. Exit code 0: it conforms.
- \`npx standin grade contracts --spec ${description}\` says what the contracts would not notice.

## Tools

As an MCP server: \`npx standin mcp ${description}\` (stdio), or \`http://127.0.0.1:4010/__standin/mcp\` of a mock that is running. Both read only; \`--allow-writes\` lets you change the mock and write contracts.

1. \`list_operations\` and \`describe_operation\` before you write a request.
2. \`call_operation\` to try it; after a surprise \`explain_response\` with the \`seq\` of the answer.
3. \`contract_format\`, then \`run_contract\` with the text of a contract; \`read_findings\` when it fails.
4. \`grade_contract\`, and the assertions that it proposes, until 80 % are noticed.

Work in a sandbox of your own (\`sandbox: "a name"\`, or the header \`X-Standin-Sandbox\`) where others use the same mock.

## Rules

- A change of the API begins in \`${description}\`, with a contract in \`contracts/\` that fails without it.
- Never change a contract to make it pass: find out with \`read_findings\` whether the service or the description is wrong.
- Contracts rely on no id that happens to exist: they make what they need, and remove it in \`cleanup\`.
`;
}
