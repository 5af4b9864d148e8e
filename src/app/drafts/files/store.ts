/** The store of uploads behind tus: keeps the bytes that come, within the room of the disk, and puts a file in its place with the last of them. */
import { Readable } from 'node:stream';
import { FileStore } from '@tus/file-store';
import { ERRORS, Upload } from '@tus/server';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { DiskFullError, FreeDisk } from '../../../platform/files/disk.ts';
import { signatureLength } from '../../../service/media/content-type.ts';
import { draftNotStored, onDisk } from '../draft.ts';
import type { DraftRuntime } from '../folder.ts';
import { noteToCome } from './admit.ts';
import { givenBy, notTaken, type SentFile, sentFile } from './incoming.ts';
import { readFiles, recordRefusal } from './record.ts';
import { type Arriving, checkStart, placeUpload } from './upload.ts';

interface StoreOptions extends Pick<Arriving, 'draft' | 'folder' | 'by'> {
  /** Told of each change of the draft, in a sentence for the audit, whether or not its sender still waits for the answer. */
  readonly audit: (what: string) => Promise<void>;
}

/** In one open folder (`openIncoming`). Throws what the tus server answers with; {UseCaseError} `upload_refused`, `draft_*`. */
export class UploadStore extends FileStore {
  override extensions = ['creation', 'creation-with-upload', 'termination'];
  readonly #runtime: DraftRuntime;
  readonly #options: StoreOptions;

  constructor(runtime: DraftRuntime, options: StoreOptions) {
    super({ directory: options.folder.at('') });
    this.#runtime = runtime;
    this.#options = options;
  }

  override create(upload: Upload): Promise<Upload> {
    return onDisk(() => super.create(upload));
  }

  override async getUpload(id: string): Promise<Upload> {
    const upload = await super.getUpload(id).catch(async (error: unknown) => {
      const { stored } = await readFiles(this.#runtime, this.#options.draft);
      const done = [...stored.values()].find((file) => file.id === id);
      if (done === undefined) throw error;
      return new Upload({ id, size: done.bytes, offset: done.bytes });
    });
    // The process ended after the last byte, before the file was in its place.
    if (upload.storage !== undefined && upload.offset === upload.size)
      await this.#take(await this.#file(id), upload.offset, 0);
    return upload;
  }

  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const file = await this.#file(id);
    let failure: unknown;
    const room = new FreeDisk(this.#options.folder.path, this.#runtime.freeBytes);
    async function* withinRoom() {
      try {
        for await (const chunk of bytes) {
          await room.take(chunk.length);
          yield chunk;
        }
      } catch (error) {
        failure = error;
        throw error;
      }
    }
    const end = await super.write(Readable.from(withinRoom()), id, offset).catch(() => {
      if (failure === undefined) throw draftNotStored(new Error('the disk did not accept all of its bytes'));
      throw failure instanceof DiskFullError ? draftNotStored(failure) : failure;
    });
    await this.#take(file, end, offset);
    return end;
  }

  override async remove(id: string): Promise<void> {
    const { path } = await this.#file(id);
    await super.remove(id);
    noteToCome(this.#runtime, this.#options.draft, id, 0);
    await this.#options.audit(`Stopped the upload of ${path} to draft ${this.#options.draft}.`);
  }

  /** Looks at a file whose bytes up to `end` are here now, and those up to `before` were before. */
  async #take(file: SentFile, end: number, before: number): Promise<void> {
    const { draft, folder, by, audit } = this.#options;
    noteToCome(this.#runtime, draft, file.id, file.bytes - end);
    const arriving = { draft, file, folder, by };
    try {
      if (end < file.bytes) {
        if (before < signatureLength && end >= signatureLength) await checkStart(arriving);
        return;
      }
      const change = await placeUpload(this.#runtime, arriving);
      await this.configstore.delete(file.id);
      await audit(change);
    } catch (error) {
      if (!(error instanceof UseCaseError)) throw error;
      const isEnded =
        error.code === 'draft_not_stored' && (await this.configstore.get(file.id)) === undefined;
      if (isEnded) throw notTaken(file.path, 'it was sent again before it was saved', undefined);
      if (error.code !== 'upload_refused') throw error;
      noteToCome(this.#runtime, draft, file.id, 0);
      await super.remove(file.id);
      await recordRefusal(this.#runtime, draft, { path: file.path, by }, error);
      throw error;
    }
  }

  async #file(id: string): Promise<SentFile> {
    const upload = await this.configstore.get(id);
    if (upload === undefined) throw ERRORS.FILE_NOT_FOUND;
    return sentFile(givenBy(upload));
  }
}

// The folder is there. The library would make it while nobody waits, and end the process if that fails.
Object.assign(UploadStore.prototype, { checkOrCreateDirectory: () => undefined });
