/**
 * `campaign-runner/api`: the typed client of the service. It checks every request and every answer against the contract,
 * and has one error class per meaning.
 */

export type { ProxyServer } from '../../config/proxies.ts';
export type { Proxies, Target } from '../platform/net/proxy.ts';
export { createServiceClient, type ServiceClient, type ServiceClientOptions } from './client.ts';
export type { CodeRange, ServiceCodes } from './contract/codes.ts';
export type {
  AddSocialShowcaseProducts,
  CreatorAccount,
  CreatorAccountPage,
  ListCreatorAccounts,
  ListSocialShowcaseProducts,
  ShowcaseError,
  ShowcaseProduct,
  ShowcaseProductPage,
} from './contract/creators.ts';
export type { IntegerId } from './contract/envelope.ts';
export type { CreateFileUpload, FileUpload } from './contract/files.ts';
export type {
  AiGenerationSchedule,
  AiTask,
  AiTaskPage,
  CreateAiGenerationSchedule,
} from './contract/generation.ts';
export type {
  LimitedOperation,
  OperationId,
  ReferencedOperationId,
  RequestOf,
  ResponseOf,
} from './contract/operations.ts';
export type {
  CheckedCreatorPost,
  CreateCreatorPost,
  CreatorPost,
  PublicVideoData,
} from './contract/posts.ts';
export type { OperationTemplate } from './contract/templates.ts';
export type { AddProducts, Creators, OfAccount, Showcase, ShowcaseQuery } from './creators.ts';
export * from './errors.ts';
export type { ConfirmRequest, CoverRequest, Covers, Files } from './files.ts';
export type { Generations } from './generations.ts';
export type { MusicLibrary, MusicTrack, PostQuery, Posts, PublishingRecord, Videos } from './posts.ts';
export type { PutRequest, StorageOptions } from './storage.ts';
export type { CallOptions, Listed, SkippedEntries } from './transport/caller.ts';
export type { HttpMethod } from './transport/exchange.ts';
export type {
  ListExtent,
  PagingOptions,
  SmallerPages,
  Through,
} from './transport/paging.ts';
export type { FormFile, OperationTemplates } from './transport/referenced-caller.ts';
export type { ObservedCall } from './transport/transport.ts';
