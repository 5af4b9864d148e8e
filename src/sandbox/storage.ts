/** The object storage behind the presigned URLs (contract, section 4.6). Checks signature, expiry, type, size and hash. */
import { createHash, createHmac } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Fault, faultOf } from './faults/schema.ts';
import { type Answer, Refusal } from './http.ts';
import type { Store, StoredFile } from './store.ts';

/** Files up to this size stay in memory, if they need not outlive the sandbox. */
const inlineBytes = 256 * 1024;

/** The hash of a file: of the hexadecimal text of its bytes, not of the bytes themselves. */
export function contractHash(bytes: Uint8Array): string {
  return createHash('sha256').update(Buffer.from(bytes).toString('hex')).digest('hex');
}

/** A fault has cut an upload in the middle. */
export class UploadCut extends Error {
  readonly by: 'reset' | 'fin';

  constructor(by: 'reset' | 'fin') {
    super('cut on demand');
    this.by = by;
  }
}

export class Storage implements AsyncDisposable {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #keptFolder: string | undefined;
  readonly #small = new Map<number, Buffer>();
  #folder: Promise<string> | undefined;

  /** @param folder for all files; without one, large files go to a temporary folder that is removed with the sandbox. */
  constructor(store: Store, now: () => number, folder: string | undefined) {
    this.#store = store;
    this.#now = now;
    this.#keptFolder = folder;
  }

  /** Path and query of the presigned URL of a file, valid until `expiresAt` (milliseconds). */
  presign(fileId: number, expiresAt: number): string {
    return `/storage/${fileId}?expires=${expiresAt}&signature=${this.#sign(fileId, expiresAt)}`;
  }

  /** Of a PUT. @throws {Refusal} 400, 403, 404 or 411; before any byte is read if the headers show it. @throws {UploadCut} */
  async receive(request: IncomingMessage, faults: readonly Fault[]): Promise<Answer> {
    const file = this.#admit(request);
    const cut = faultOf({ faults }, 'cut-upload');
    const hash = createHash('sha256');
    let received = 0;
    async function* metered() {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        received += chunk.length;
        if (cut && received > cut.afterBytes) throw new UploadCut(cut.by);
        if (received > file.size) throw new Refusal(400, `the file was declared with ${file.size} bytes`);
        // The contract hashes the hexadecimal text of the bytes, not the bytes themselves.
        hash.update(chunk.toString('hex'), 'utf8');
        yield chunk;
      }
    }
    await this.keep(file, metered(), () => {
      if (received !== file.size) throw new Refusal(400, `only ${received} of ${file.size} bytes came`);
      if (hash.digest('hex') !== file.hash) throw new Refusal(400, 'the bytes do not match the hash', 'hash');
    });
    return { status: 200, headers: { etag: `"${file.hash.slice(0, 32)}"` }, body: '' };
  }

  /** Stores the bytes of a file, unless `check`, which is called once all have come, throws. */
  async keep(file: StoredFile, chunks: AsyncIterable<Buffer>, check = () => {}): Promise<void> {
    if (file.size <= inlineBytes && this.#keptFolder === undefined) {
      const bytes = Buffer.concat(await Array.fromAsync(chunks));
      check();
      this.#small.set(file.fileId, bytes);
    } else {
      const path = await this.#pathOf(file.fileId);
      try {
        await rm(path, { force: true });
        await pipeline(chunks, createWriteStream(path, { flags: 'wx' }));
        check();
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    }
    if (this.#store.files.get(file.fileId)?.state === 'registered') {
      this.#store.files.put({ ...file, state: 'stored' });
    }
  }

  async read(fileId: number): Promise<Buffer> {
    return this.#small.get(fileId) ?? readFile(await this.#pathOf(fileId));
  }

  /** Forgets small files. Large ones stay until the end. */
  reset(): void {
    this.#small.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#folder || this.#keptFolder) return;
    const folder = await this.#folder;
    for (const name of await readdir(folder)) await rm(join(folder, name));
    await rmdir(folder);
  }

  #admit({ headers, url = '' }: IncomingMessage): StoredFile {
    if (headers['x-api-key'] !== undefined) {
      throw new Refusal(400, 'an API key must not be sent to the storage', 'x-api-key');
    }
    const [path = '', search] = url.split('?', 2);
    const query = new URLSearchParams(search);
    const fileId = Number(path.slice('/storage/'.length));
    const expires = Number(query.get('expires'));
    if (query.get('signature') !== this.#sign(fileId, expires)) {
      throw new Refusal(403, 'the signature does not match');
    }
    if (expires <= this.#now()) throw new Refusal(403, 'the upload URL has expired');
    const file = this.#store.files.get(fileId);
    if (!file) throw new Refusal(404, 'there is no such file');
    const length = headers['content-length'];
    if (length === undefined)
      throw new Refusal(411, 'is required: chunked bodies are not accepted', 'Content-Length');
    if (headers['content-type'] !== file.contentType) {
      throw new Refusal(403, `must be ${file.contentType}, as declared`, 'Content-Type');
    }
    if (Number(length) !== file.size)
      throw new Refusal(400, `must be ${file.size}, as declared`, 'Content-Length');
    return file;
  }

  async #pathOf(fileId: number): Promise<string> {
    const kept = this.#keptFolder;
    this.#folder ??= kept
      ? mkdir(kept, { recursive: true }).then(() => kept)
      : mkdtemp(join(tmpdir(), 'campaigns-sandbox-'));
    return join(await this.#folder, `${fileId}`);
  }

  #sign(fileId: number, expiresAt: number): string {
    return createHmac('sha256', this.#store.secret).update(`${fileId}\n${expiresAt}`).digest('hex');
  }
}
