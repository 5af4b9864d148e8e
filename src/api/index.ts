/**
 * `campaign-runner/api`: the typed client of the service. It checks every request and every answer against the contract,
 * and has one error class per meaning.
 */
export { createServiceClient, type ServiceClient, type ServiceClientOptions } from './client.ts';
export type { OperationId, RequestOf, ResponseOf } from './contract/operations.ts';
export * from './errors.ts';
export type { ObservedCall } from './transport/transport.ts';
