/** Resumable uploads by the protocol tus 1.0: a store that hands the bytes to the use cases of a draft. */
import { finished, PassThrough, type Readable } from 'node:stream';
import { DataStore, ERRORS, MemoryLocker, Server, Upload } from '@tus/server';
import type { Response as Answer, Request as Asked } from 'express';
import { offerFiles, startDigest } from '../../drafts/files/offer.ts';
import { findUpload, receivePart, stopUpload } from '../../drafts/files/upload.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { mostDropped } from '../http/body.ts';
import { refusedBy } from './refused.ts';

/** One request at a time writes to an upload. A new one takes over from a lost connection. */
const locker = new MemoryLocker();

export interface TusRequest {
  readonly draft: string;
  /** Id of the upload; undefined for a new one. */
  readonly upload: string | undefined;
  /** Name of the person. */
  readonly by: string;
  /** Path of uploads of this draft, as browsers see it. */
  readonly path: string;
}

/**
 * Answers one request. The library's server reads only the head. The bytes go straight from the connection to the disk: through the
 * library's five streams they would take longer than everything else.
 */
export async function answerTus(
  runtime: Runtime,
  upload: TusRequest,
  request: Asked,
  response: Answer,
): Promise<void> {
  const stop = new AbortController();
  const server = createTus(runtime, upload, { request, stop });
  const head = new Request(new URL(request.originalUrl, 'http://console'), {
    method: request.method,
    headers: request.headers as Record<string, string>,
  });
  // The library stops waiting when the connection is lost.
  const answer = await server.handleWeb(Object.assign(head, { runtime: { node: { req: request } } }));
  // The rest of the body is not read.
  if (stop.signal.aborted) answer.headers.set('connection', 'close');
  await addDigest(runtime, upload, request, answer);
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
}

const wantsDigest = 'upload-want-digest';

/** Answers a HEAD with the digest of what has arrived (`startDigest`), so that a client can see whether it has the same file. */
async function addDigest(
  runtime: Runtime,
  { draft, upload = '' }: TusRequest,
  request: Asked,
  { ok, headers }: globalThis.Response,
): Promise<void> {
  if (request.method !== 'HEAD' || !ok || request.get(wantsDigest) === undefined) return;
  const digest = await startDigest(runtime, draft, upload, Number(headers.get('upload-offset')));
  if (digest !== undefined) headers.set('upload-digest', digest);
}

interface Bytes {
  readonly request: Asked;
  /** Ends the reading of the bytes. */
  readonly stop: AbortController;
}

/** Creates a server for one request, because draft and person depend on it. */
function createTus(runtime: Runtime, request: TusRequest, bytes: Bytes): Server {
  const { draft, upload, by, path } = request;
  return new Server({
    path,
    datastore: new DraftStore(runtime, request, bytes),
    locker: {
      newLock: (id) => {
        // The id of an upload comes from its file, so two drafts may have the same id.
        const lock = locker.newLock(`${draft}/${id}`);
        const lockUntilWanted: typeof lock.lock = (signal, release) =>
          lock.lock(signal, async () => {
            bytes.stop.abort();
            await release();
          });
        return { lock: lockUntilWanted, unlock: () => lock.unlock() };
      },
    },
    relativeLocation: true,
    // No CORS headers: other sites may not send files.
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
      if ('status_code' in error) return undefined;
      const { status, text } = refusedBy(runtime, error, bytes.request);
      return { status_code: status, body: text };
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
  readonly #bytes: Bytes;

  constructor(runtime: Runtime, request: TusRequest, bytes: Bytes) {
    super();
    this.#runtime = runtime;
    this.#request = request;
    this.#bytes = bytes;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { draft, by } = this.#request;
    const { file, arrived } = await findUpload(this.#runtime, draft, id, by);
    return new Upload({ id, size: file.bytes, offset: arrived });
  }

  override async write(_none: Readable, id: string, offset: number): Promise<number> {
    const { draft, by } = this.#request;
    const { request, stop } = this.#bytes;
    const body = readUntil(request, stop.signal);
    const bytes = { [Symbol.asyncIterator]: () => body.iterator({ destroyOnReturn: false }) };
    try {
      const arrived = await receivePart(this.#runtime, { draft, id, offset, by }, bytes);
      if (stop.signal.aborted) throw ERRORS.ABORTED;
      return arrived;
    } catch (error) {
      // A browser that leaves meanwhile does not wait for the answer.
      if (error instanceof UseCaseError) await drop(bytes).catch(() => undefined);
      else if (body.errored) throw ERRORS.ABORTED;
      throw error;
    }
  }

  override async remove(id: string): Promise<void> {
    const { draft, by } = this.#request;
    await stopUpload(this.#runtime, draft, id, by);
  }
}

/** The bytes of a request until the signal aborts. Fails if the connection is lost. Leaves the connection open for the answer. */
function readUntil(request: Readable, signal: AbortSignal): Readable {
  const body = new PassThrough();
  // The connection may be lost while nobody reads: before the first read, or after a refusal. A reader still gets the error.
  body.on('error', () => {});
  finished(request, { writable: false }, (error) => {
    if (error) body.destroy(error);
  });
  signal.addEventListener('abort', () => {
    request.unpipe(body);
    if (!body.writableEnded) body.end();
  });
  return request.pipe(body);
}

async function drop(bytes: AsyncIterable<Buffer>): Promise<void> {
  let dropped = 0;
  for await (const chunk of bytes) {
    dropped += chunk.length;
    if (dropped > mostDropped) return;
  }
}
