/** Something that a person asks an agent to do, ready to be sent (MCP 2025-11-25, prompts). */
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: { readonly name: string; readonly description: string; readonly required: boolean }[];
  readonly text: (given: Readonly<Record<string, string>>) => string;
}

/** What is asked for most. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: 'mock_this_api',
    title: 'Mock this API',
    description: 'Looks at the description, and makes the mock hold what the application needs',
    arguments: [
      { name: 'need', description: 'what the application needs: "three orders, one of them late"', required: false },
    ],
    text: ({ need = '' }) =>
      `Get to know the API: overview, list_operations, and describe_operation of those that matter. Tell me which of them are stateful and which are made up.
${need === '' ? 'Then show me with call_operation how an item is made, read and changed.' : `Then make the mock hold this: ${need}. Use call_operation or put_item, save a snapshot of it, and show me what is stored.`}
Where a response is a surprise, ask explain_response before you try again.`,
  },
  {
    name: 'write_a_contract',
    title: 'Write a contract for a change',
    description: 'Writes a contract that says what a change of the API promises, runs it, and grades it',
    arguments: [{ name: 'change', description: 'what is new: "orders can be cancelled"', required: true }],
    text: ({ change = '' }) =>
      `This is the change: ${change}
Read contract_format, and describe_operation of each operation that the change is about. Write a contract that would fail without the change: what is made, what is read back, and what must be refused. Run it with run_contract and its text until it passes at the mock, for the right reason. Then grade_contract: add the assertions that it proposes, as long as they are about this change, until at least 80 % of the mistakes are noticed. Write it with write_contract, and tell me what it does not notice.`,
  },
  {
    name: 'find_out_why',
    title: 'Find out why this failed',
    description: 'Finds the cause of a response or a failure that was a surprise',
    arguments: [{ name: 'problem', description: 'what happened: "POST /orders gives 422"', required: true }],
    text: ({ problem = '' }) =>
      `This happened: ${problem}
Find the request with list_requests (newest=true), look at it with show_request, and ask explain_response. If a contract failed, read_findings has the evidence. Compare with describe_operation. Tell me the cause in one sentence, where the description says so, and the smallest change that puts it right. Change nothing before I agree.`,
  },
];
