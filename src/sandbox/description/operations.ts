/**
 * Every operation of the sandbox: those of the contract, those that the contract mentions without their form (section 4.9;
 * the forms here are ours), the presigned PUT and the public downloads.
 */
import { z } from 'zod';
import { httpUrl, integerId } from '../../service/contract/envelope.ts';
import { type OperationContract, operations } from '../../service/contract/operations.ts';

export interface FormFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

const page = { pageSize: z.int().min(1), pageNumber: z.int().min(1) };
const pageAnswer = { total: z.int(), pageNumber: z.int(), pageSize: z.int(), totalPages: z.int() };

/** A number or its decimal text: the contract writes file ids both ways. */
const fileId = z.union([integerId, z.string().regex(/^\d+$/, 'must be an id')]).transform(Number);

const confirmUpload = {
  method: 'POST',
  path: '/v1/file/confirm',
  request: z.strictObject({ fileId }),
  response: z.object({ fileId: z.int(), url: httpUrl }),
} as const satisfies OperationContract;

const uploadCover = {
  method: 'POST',
  path: '/v1/creator/socialshop/uploadPhoto',
  takesForm: true,
  /** The image is a confirmed upload (`fileId`), or the `file` of form data, which becomes one. */
  request: z.strictObject({
    id: fileId.optional(),
    fileId: fileId.optional(),
    file: z
      .custom<FormFile>((value) => (value as Partial<FormFile> | null)?.bytes instanceof Uint8Array)
      .optional(),
  }),
  response: z.object({ uri: z.string(), fileId: z.int() }),
} as const satisfies OperationContract & { takesForm: true };

const searchMusic = {
  method: 'GET',
  path: '/v1/creator/socialshop/searchMusic',
  request: z.strictObject({
    keyword: z.string().min(1),
    pageSize: page.pageSize.default(20),
    pageNumber: page.pageNumber.default(1),
  }),
  response: z.object({
    list: z.array(z.object({ id: z.string(), title: z.string(), author: z.string(), duration: z.string() })),
    ...pageAnswer,
  }),
} as const satisfies OperationContract;

const listPosts = {
  method: 'GET',
  path: '/v1/creator/post/pageList',
  request: z.strictObject({
    pageSize: page.pageSize,
    pageNumber: page.pageNumber,
    creatorId: z.string().min(1).optional(),
    postId: z.string().min(1).optional(),
    title: z.string().min(1).optional(),
    businessId: z.string().min(1).optional(),
    status: z.string().min(1).optional(),
    createdFrom: z.int().nonnegative().optional(),
  }),
  response: z.object({
    list: z.array(
      z.object({
        id: z.int(),
        postId: z.string(),
        platform: z.string(),
        title: z.string(),
        videoUrl: z.string(),
        status: z.string(),
        mediaType: z.string(),
        creatorId: z.string(),
        username: z.string(),
        businessId: z.string(),
        businessIds: z.array(z.string()),
        productId: z.string(),
        scheduledAt: z.int().nullable(),
        createdAt: z.int(),
        publishedAt: z.int().nullable(),
        publicUrl: z.string().nullable(),
        failureReason: z.string().nullable(),
      }),
    ),
    ...pageAnswer,
  }),
} as const satisfies OperationContract;

/** All operations that answer with an envelope. */
export const apiOperations = { ...operations, confirmUpload, uploadCover, searchMusic, listPosts };

/** Without rules that are ours alone: unknown fields are left out, texts may be empty. The client keeps them for its requests. */
export function asDocumented<T extends z.core.$ZodType>(schema: T): T {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
  const changed = (changes: object) =>
    z.core.clone(schema, { ...schema._zod.def, ...changes }, { parent: true });
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, asDocumented(field)]);
      return changed({ shape: Object.fromEntries(fields), catchall: undefined });
    }
    case 'union':
      return changed({ options: def.options.map(asDocumented) });
    case 'array':
      return changed({ element: asDocumented(def.element) });
    case 'optional':
      return changed({ innerType: asDocumented(def.innerType) });
    case 'pipe':
      return changed({ in: asDocumented(def.in), out: asDocumented(def.out) });
    case 'boolean':
      return changed({ checks: undefined });
    case 'string':
      return changed({ checks: def.checks?.filter((check) => !isNonEmpty(check)) });
    default:
      return schema;
  }
}

function isNonEmpty(check: z.core.$ZodCheck): boolean {
  const { def } = (check as z.core.$ZodChecks)._zod;
  return def.check === 'min_length' && def.minimum === 1;
}

export type ApiOperationId = keyof typeof apiOperations;

/** `putFile`: the presigned PUT. `getAsset`: the download of generated media and of uploaded files. */
export type SandboxOperation = ApiOperationId | 'putFile' | 'getAsset';

export const apiOperationIds = Object.keys(apiOperations) as ApiOperationId[];
export const sandboxOperations = [...apiOperationIds, 'putFile', 'getAsset'] as const;
