export { describeContract } from './library/describe-contract';
export type { DescribeContractOptions } from './library/run-options';
