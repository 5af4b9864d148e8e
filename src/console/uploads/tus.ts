/** Uploads that go on after a lost connection, by the protocol tus 1.0: a store that hands bytes to the use cases of a draft. */
import type { Readable } from 'node:stream';
import { DataStore, MemoryLocker, Server, Upload } from '@tus/server';
import { offerFiles } from '../../campaigns/drafts/files/offer.ts';
import { findUpload, receivePart, stopUpload } from '../../campaigns/drafts/files/upload.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { capitalized, sentence } from '../../runtime/wording.ts';
import { statusOfError } from '../error-status.ts';

/** One request at a time writes to an upload: a new one takes over from a connection that is gone. */
const locker = new MemoryLocker();
/** So many bytes after a refusal are read and dropped. A browser that still sends would not see the answer. */
const mostDropped = 32 * 1024 * 1024;

export interface TusRequest {
  readonly draft: string;
  /** Id of the upload; undefined for a new one. */
  readonly upload: string | undefined;
  /** Name of the person. */
  readonly by: string;
  /** Path of uploads of this draft, as browsers see it. */
  readonly path: string;
}

/** A server for one request: the request decides about draft and person. */
export function createTus(runtime: Runtime, request: TusRequest): Server {
  const { draft, upload, by, path } = request;
  return new Server({
    path,
    datastore: new DraftStore(runtime, request),
    // Two drafts may take the same file.
    locker: { newLock: (id) => locker.newLock(`${draft}/${id}`) },
    relativeLocation: true,
    // No other site may send files, so no header invites one.
    allowedOrigins: () => false,
    getFileIdFromRequest: () => upload,
    generateUrl: (_request, { id }) => `${path}/${id}`,
    namingFunction: async ({ headers }, metadata) => {
      const [answer] = await offerFiles(
        runtime,
        draft,
        [
          {
            path: metadata?.path ?? metadata?.filename ?? '',
            bytes: Number(headers.get('upload-length')),
            modifiedAt: wholeNumber(metadata?.modified),
          },
        ],
        by,
      );
      if (answer === undefined || answer.kind === 'refused') {
        throw new UseCaseError('upload_refused', answer?.why ?? 'the file has no name', {
          cure: answer?.cure,
        });
      }
      return answer.id;
    },
    onResponseError: (_request, error) => {
      if (error instanceof UseCaseError) {
        const body = [sentence(capitalized(error.message)), error.cure].filter(Boolean).join(' ');
        return { status_code: statusOfError(error.code), body };
      }
      if ('status_code' in error) return undefined;
      runtime.log.error({ error: error.message }, 'upload');
      return { status_code: 500, body: 'Something went wrong. See the log.' };
    },
  });
}

function wholeNumber(text: string | null | undefined): number {
  const value = Number(text ?? 0);
  return Number.isSafeInteger(value) ? value : 0;
}

class DraftStore extends DataStore {
  override extensions = ['creation', 'creation-with-upload', 'termination'];
  readonly #runtime: Runtime;
  readonly #request: TusRequest;

  constructor(runtime: Runtime, request: TusRequest) {
    super();
    this.#runtime = runtime;
    this.#request = request;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { draft, by } = this.#request;
    const { file, arrived } = await findUpload(this.#runtime, draft, id, by);
    return new Upload({ id, size: file.bytes, offset: arrived });
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const { draft, by } = this.#request;
    const bytes = { [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) };
    try {
      return await receivePart(this.#runtime, { draft, id, offset, by }, bytes);
    } catch (error) {
      if (error instanceof UseCaseError) await drop(bytes);
      throw error;
    }
  }

  override async remove(id: string): Promise<void> {
    const { draft, by } = this.#request;
    await stopUpload(this.#runtime, draft, id, by);
  }
}

async function drop(bytes: AsyncIterable<Buffer>): Promise<void> {
  let dropped = 0;
  for await (const chunk of bytes) {
    dropped += chunk.length;
    if (dropped > mostDropped) return;
  }
}
