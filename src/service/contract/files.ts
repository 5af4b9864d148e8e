/** Uploads through presigned storage: `createFileUpload`. */
import { z } from 'zod';
import { answeredId, flag, incidental } from './envelope.ts';
import { label } from './texts.ts';
import { answeredUrl } from './uri.ts';

const contentType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: ?;[\x20-\x7e]*[\x21-\x7e])?$/;

export const createFileUploadRequest = z.strictObject({
  fileName: z.string().regex(/^.+\.[^./\\]+$/, 'must be a file name with an extension'),
  contentType: z.string().regex(contentType, 'must be a MIME type, with its parameters if it has any'),
  size: z.int().min(1),
  /** SHA-256 of the UTF-8 text of the lowercase hex form of the bytes (not of the bytes themselves). */
  hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hexadecimal digits'),
});

export const createFileUploadResponse = z.object({
  fileId: answeredId,
  uploadUrl: incidental(answeredUrl),
  url: incidental(answeredUrl),
  isNew: flag,
  expiresAt: incidental(label),
});

/** A file to register (contract, section 4.6). */
export type CreateFileUpload = z.infer<typeof createFileUploadRequest>;
/** A registered file, and where its bytes go. */
export type FileUpload = z.infer<typeof createFileUploadResponse>;
