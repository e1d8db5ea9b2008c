export { describeContract, type DescribeContractOptions } from './adapters/describe-contract';
