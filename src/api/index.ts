/**
 * `campaign-runner/api`: the typed client of the service. Every call is checked against the contract before it is sent,
 * and its answer before it is handed on. What can go wrong is a class of error for each meaning.
 */
export { createServiceClient, type ServiceClient, type ServiceClientOptions } from './client.ts';
export type { OperationId, RequestOf, ResponseOf } from './contract/operations.ts';
export * from './errors.ts';
export type { ObservedCall } from './transport.ts';
