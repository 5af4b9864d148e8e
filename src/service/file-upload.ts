/** Uploads one file to the service: presign, PUT, confirm (contract, section 4.6). */
import type { Readable } from 'node:stream';
import type { ServiceClient } from './client.ts';
import type { IntegerId } from './contract/envelope.ts';
import type { CreateFileUpload, FileUpload } from './contract/files.ts';
import type { LimitedOperation } from './contract/operations.ts';
import { instantOf } from './contract/time-zone.ts';
import { MalformedAnswerError, NotConfiguredError, UploadUrlExpiredError } from './errors.ts';

/** A declared file with its bytes, or with `open`, which is called for each time that they are sent. */
type UploadableFile = CreateFileUpload & ({ readonly bytes: Buffer } | { readonly open: () => Readable });

interface FileUploadOptions {
  /** Awaited before each call of the service, to wait for the operation's rate limit. The PUT has no rate limit. */
  readonly pace?: ((operation: LimitedOperation) => Promise<void>) | undefined;
  /** Runs each PUT, perhaps later. */
  readonly put?: (<T>(send: () => Promise<T>) => Promise<T>) | undefined;
  /** Unix epoch, milliseconds. */
  readonly now?: (() => number) | undefined;
}

export interface UploadedFile {
  readonly fileId: IntegerId;
  /** Public URL of the file, if the service gave one. */
  readonly url: string | undefined;
  /** False when the service already had the bytes. */
  readonly uploaded: boolean;
}

/** How often a URL is presigned at most, including the first time. */
const maxPresigns = 3;

type Client = Pick<ServiceClient, 'files' | 'configured'>;

/**
 * Uploads a file unless the service has it. An expired URL is presigned again, at most `maxPresigns` times in all.
 * @throws {NotConfiguredError} before any bytes are sent, when the confirmation is not configured.
 * @throws {UploadUrlExpiredError} when every presigned URL had expired, and {ApiError} for other failures.
 */
export async function uploadFile(
  client: Client,
  file: UploadableFile,
  options: FileUploadOptions = {},
): Promise<UploadedFile> {
  const { now = Date.now, pace, put = (send) => send() } = options;
  const { fileName, contentType, size, hash } = file;
  const declared = { fileName, contentType, size, hash };
  for (let presigns = 1; ; presigns += 1) {
    await pace?.('createFileUpload');
    const record = await client.files.presign(declared);
    const { fileId, url, uploadUrl } = record;
    let etag: string | undefined;
    if (!record.isNew) return { fileId, url, uploaded: false };
    requireConfirmation(client);
    try {
      ({ etag } = await put(async () => {
        if (presigns < maxPresigns) checkExpiry(record, now());
        return send(client, file, record);
      }));
    } catch (error) {
      if (error instanceof UploadUrlExpiredError && presigns < maxPresigns) continue;
      throw error;
    }
    await pace?.('confirmUpload');
    const confirmed = await client.files.confirm({ ...declared, fileId, url, uploadUrl, etag });
    return { fileId, url: confirmed.url ?? url, uploaded: true };
  }
}

async function send(
  client: Client,
  file: UploadableFile,
  { uploadUrl }: FileUpload,
): Promise<{ readonly etag: string | undefined }> {
  if (uploadUrl === undefined) {
    const operation = 'createFileUpload';
    throw new MalformedAnswerError(`${operation}: the file is new, and the answer has no data.uploadUrl.`, {
      operation,
    });
  }
  const body = 'bytes' in file ? file.bytes : file.open();
  return client.files.put({ uploadUrl, contentType: file.contentType, size: file.size, body });
}

/** Spares the PUT to an expired URL. Not for the last one: with a wrong clock here, every URL looks expired. */
function checkExpiry({ expiresAt }: FileUpload, now: number): void {
  if (expiresAt === undefined || (instantOf(expiresAt) ?? Infinity) > now) return;
  const message = 'The presigned URL had expired before it was used.';
  throw new UploadUrlExpiredError(message, { operation: 'putFile' });
}

/** Fails before the bytes are sent: without the confirmation they would be useless. */
function requireConfirmation({ configured }: Client): void {
  if (configured.confirmUpload) return;
  const operation = 'confirmUpload';
  const message = 'The upload cannot be confirmed: confirmUpload is not set up.';
  throw new NotConfiguredError(message, { operation, setting: `api.${operation}` });
}
