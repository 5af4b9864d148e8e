/** The eight documented operations: method, path, and the shapes of request and answer. */
import type { z } from 'zod';
import {
  addSocialShowcaseProductsRequest,
  addSocialShowcaseProductsResponse,
  listCreatorAccountsRequest,
  listCreatorAccountsResponse,
  listSocialShowcaseProductsRequest,
  listSocialShowcaseProductsResponse,
} from './creators.ts';
import { createFileUploadRequest, createFileUploadResponse } from './files.ts';
import {
  createAiGenerationScheduleRequest,
  createAiGenerationScheduleResponse,
  listAiTasksByScheduleIdRequest,
  listAiTasksByScheduleIdResponse,
} from './generation.ts';
import {
  createCreatorPostRequest,
  createCreatorPostResponse,
  fetchPublicVideoDataRequest,
  fetchPublicVideoDataResponse,
} from './posts.ts';

/** `request` is the body of a POST or the query of a GET; `response` is the envelope's `data`. */
export interface OperationContract {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly request: z.ZodType;
  readonly response: z.ZodType;
  /** A repeated call takes effect again. */
  readonly once?: true;
  /** Field of `data` that holds the list, where the answer is one. */
  readonly entries?: 'list' | 'products';
}

export const operations = {
  createCreatorPost: {
    method: 'POST',
    path: '/v1/creator/post/create',
    request: createCreatorPostRequest,
    response: createCreatorPostResponse,
    once: true,
  },
  createAiGenerationSchedule: {
    method: 'POST',
    path: '/v1/ai/schedule/create',
    request: createAiGenerationScheduleRequest,
    response: createAiGenerationScheduleResponse,
    once: true,
  },
  listAiTasksByScheduleId: {
    method: 'GET',
    path: '/v1/ai/task/listByScheduleId',
    request: listAiTasksByScheduleIdRequest,
    response: listAiTasksByScheduleIdResponse,
    entries: 'list',
  },
  addSocialShowcaseProducts: {
    method: 'POST',
    path: '/v1/creator/socialshop/product/addToShowcase',
    request: addSocialShowcaseProductsRequest,
    response: addSocialShowcaseProductsResponse,
  },
  listCreatorAccounts: {
    method: 'GET',
    path: '/v1/creatorAccount/pageList',
    request: listCreatorAccountsRequest,
    response: listCreatorAccountsResponse,
    entries: 'list',
  },
  createFileUpload: {
    method: 'POST',
    path: '/v1/file/presign',
    request: createFileUploadRequest,
    response: createFileUploadResponse,
  },
  listSocialShowcaseProducts: {
    method: 'GET',
    path: '/v1/creator/socialshop/product/listByShowcase',
    request: listSocialShowcaseProductsRequest,
    response: listSocialShowcaseProductsResponse,
    entries: 'products',
  },
  fetchPublicVideoData: {
    method: 'POST',
    path: '/v1/material/fetch',
    request: fetchPublicVideoDataRequest,
    response: fetchPublicVideoDataResponse,
  },
} as const satisfies Record<string, OperationContract>;

export type OperationId = keyof typeof operations;
export type RequestOf<O extends OperationId> = z.input<(typeof operations)[O]['request']>;
/** Field `data` of the answer of an operation. */
export type ResponseOf<O extends OperationId> = z.infer<(typeof operations)[O]['response']>;

/** Operations that the contract mentions without their form: each works only when it is configured. */
export const referencedOperations = ['confirmUpload', 'uploadCover', 'searchMusic', 'listPosts'] as const;
export type ReferencedOperationId = (typeof referencedOperations)[number];

/** Every operation that has a rate limit. The presigned PUT to the object storage has none. */
export type LimitedOperation = OperationId | ReferencedOperationId;

/** What rows need calls for, in the order of their steps. An `addition` serves several products of one creator. */
const callUnits = ['addition', 'generation', 'poll', 'file', 'cover', 'post'] as const;
export type CallUnit = (typeof callUnits)[number];

interface OperationFacts {
  /** Title for planners. */
  readonly title: string;
  /** Title for programmers. */
  readonly summary: string;
  /** Rows wait for one call of it for each of these. */
  readonly each?: CallUnit;
}

/** What is known of each operation beside its form. Operations that rows wait for come first. */
export const operationFacts: Readonly<Record<LimitedOperation, OperationFacts>> = {
  createCreatorPost: { title: 'Posts', summary: 'Post a video or photos for a creator', each: 'post' },
  createAiGenerationSchedule: {
    title: 'AI generations',
    summary: 'Order the generation of images or videos',
    each: 'generation',
  },
  listAiTasksByScheduleId: {
    title: 'AI results',
    summary: 'List the tasks of an ordered generation',
    each: 'poll',
  },
  createFileUpload: {
    title: 'Uploads',
    summary: 'Announce a file, and get the address to send it to',
    each: 'file',
  },
  confirmUpload: { title: 'Confirming uploads', summary: 'Confirm that a file was sent', each: 'file' },
  uploadCover: { title: 'Covers', summary: 'Make a file the cover of a post', each: 'cover' },
  addSocialShowcaseProducts: {
    title: 'Add products',
    summary: 'Add products to the showcase of a creator',
    each: 'addition',
  },
  listSocialShowcaseProducts: { title: 'List products', summary: 'List the products of a showcase' },
  listCreatorAccounts: { title: 'Creators', summary: 'List creators and their authorizations' },
  listPosts: { title: 'Publishing records', summary: 'List the posts that were made' },
  searchMusic: { title: 'Music', summary: 'Search background music' },
  fetchPublicVideoData: { title: 'Videos', summary: 'Read the public figures of a video' },
};

/** The operations that make the calls for these, in the order given. */
export function operationsFor(units: readonly CallUnit[]): readonly LimitedOperation[] {
  const all = Object.entries(operationFacts) as [LimitedOperation, OperationFacts][];
  return units.flatMap((unit) => all.filter(([, { each }]) => each === unit).map(([operation]) => operation));
}

export function callsFor(
  counts: Readonly<Record<CallUnit, number>>,
): Readonly<Partial<Record<LimitedOperation, number>>> {
  return Object.fromEntries(
    callUnits.flatMap((unit) => operationsFor([unit]).map((operation) => [operation, counts[unit]])),
  );
}
