/** The object storage behind the presigned URLs (contract, section 4.6). Checks signature, expiry, type, size and hash. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Clock } from './clocks/clock.ts';
import { type Answer, Refusal } from './http/answer.ts';
import type { Content, Files, StoredFile } from './store/files.ts';

/** Files up to this size go into the database, larger ones to disk. */
const inlineBytes = 256 * 1024;

/** The hash of a file: of the hexadecimal text of its bytes, not of the bytes themselves. */
export function contractHash(bytes: Uint8Array): string {
  return createHash('sha256').update(Buffer.from(bytes).toString('hex')).digest('hex');
}

/** Called with the bytes received so far; an error that it throws ends the upload. */
export type OnBytes = (received: number) => void;

export class Storage implements AsyncDisposable {
  readonly #files: Files;
  readonly #clock: Clock;
  readonly #secret: string;
  readonly #keptFolder: string | undefined;
  #folder: Promise<string> | undefined;

  /** @param folder for large files; without one, a temporary folder that is removed with the sandbox. */
  constructor(files: Files, clock: Clock, secret: string, folder: string | undefined) {
    this.#files = files;
    this.#clock = clock;
    this.#secret = secret;
    this.#keptFolder = folder;
  }

  /** Path and query of the presigned URL of a file, valid until `expiresAt` (milliseconds). */
  presign(fileId: number, expiresAt: number): string {
    return `/storage/${fileId}?expires=${expiresAt}&signature=${this.#sign(fileId, expiresAt)}`;
  }

  /**
   * Receives the bytes of a PUT.
   * @throws {Refusal} 400, 403, 404 or 411; before any byte is read if the headers show it.
   */
  async receive(request: IncomingMessage, path: string, search: string, onBytes: OnBytes): Promise<Answer> {
    const file = this.#admit(request, path, new URLSearchParams(search));
    const hash = createHash('sha256');
    let received = 0;
    async function* metered() {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        received += chunk.length;
        onBytes(received);
        if (received > file.size) throw new Refusal(400, `the file was declared with ${file.size} bytes`);
        // The contract hashes the hexadecimal text of the bytes, not the bytes themselves.
        hash.update(chunk.toString('hex'), 'utf8');
        yield chunk;
      }
    }
    const content = await this.#collect(metered(), file);
    const problem = this.#compare(file, received, hash.digest('hex'));
    if (problem) {
      if ('path' in content) await rm(content.path, { force: true });
      throw problem;
    }
    this.#files.store(file.fileId, content);
    return { status: 200, headers: { etag: `"${file.hash.slice(0, 32)}"` }, body: '' };
  }

  /** Stores bytes that came without a presigned URL. */
  keep(file: StoredFile, bytes: Uint8Array): void {
    this.#files.store(file.fileId, { bytes });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#folder || this.#keptFolder) return;
    const folder = await this.#folder;
    for (const name of await readdir(folder)) await rm(join(folder, name));
    await rmdir(folder);
  }

  #admit(request: IncomingMessage, path: string, query: URLSearchParams): StoredFile {
    if (request.headers['x-api-key'] !== undefined) {
      throw new Refusal(400, 'an API key must not be sent to the storage', 'x-api-key');
    }
    const fileId = Number(path.slice('/storage/'.length));
    const expires = Number(query.get('expires'));
    if (!this.#isSigned(fileId, expires, query.get('signature') ?? '')) {
      throw new Refusal(403, 'the signature does not match');
    }
    if (expires <= this.#clock.now()) throw new Refusal(403, 'the upload URL has expired');
    const file = this.#files.find(fileId);
    if (!file) throw new Refusal(404, 'there is no such file');
    const length = request.headers['content-length'];
    if (length === undefined)
      throw new Refusal(411, 'is required: chunked bodies are not accepted', 'Content-Length');
    if (request.headers['content-type'] !== file.contentType) {
      throw new Refusal(403, `must be ${file.contentType}, as declared`, 'Content-Type');
    }
    if (Number(length) !== file.size)
      throw new Refusal(400, `must be ${file.size}, as declared`, 'Content-Length');
    return file;
  }

  #compare(file: StoredFile, received: number, hash: string): Refusal | undefined {
    if (received !== file.size) return new Refusal(400, `only ${received} of ${file.size} bytes came`);
    return hash === file.hash ? undefined : new Refusal(400, 'the bytes do not match the hash', 'hash');
  }

  async #collect(chunks: AsyncIterable<Buffer>, { fileId, size }: StoredFile): Promise<Content> {
    if (size <= inlineBytes) return { bytes: Buffer.concat(await Array.fromAsync(chunks)) };
    const path = join(await this.#openFolder(), `${fileId}`);
    try {
      await rm(path, { force: true });
      await pipeline(chunks, createWriteStream(path, { flags: 'wx' }));
      return { path };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  #openFolder(): Promise<string> {
    this.#folder ??= this.#keptFolder
      ? mkdir(this.#keptFolder, { recursive: true }).then(() => this.#keptFolder ?? '')
      : mkdtemp(join(tmpdir(), 'campaigns-sandbox-'));
    return this.#folder;
  }

  #sign(fileId: number, expiresAt: number): string {
    return createHmac('sha256', this.#secret).update(`${fileId}\n${expiresAt}`).digest('hex');
  }

  #isSigned(fileId: number, expiresAt: number, signature: string): boolean {
    const expected = Buffer.from(this.#sign(fileId, expiresAt));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}
