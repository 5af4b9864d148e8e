/** A sheet from a form. It is in a file, because it may be large. */
import type { Request } from 'express';
import type { Runtime } from '../../app/runtime/runtime.ts';
import { dropKeptSheet, openKeptSheet, receiveSheet } from '../../importers/open/kept-sheet.ts';
import type { ManifestFile } from '../../importers/open/manifest-file.ts';

/** Its file is removed at the end of the request. */
export class SentSheet implements AsyncDisposable {
  /** File name from the browser. */
  readonly name: string;
  readonly #runtime: Runtime;
  readonly #token: string;

  private constructor(runtime: Runtime, name: string, token: string) {
    this.#runtime = runtime;
    this.name = name;
    this.#token = token;
  }

  /** @returns undefined if the sheet is empty. @throws {UseCaseError} like `receiveSheet`; and errors of the body. */
  static async receive(
    runtime: Runtime,
    name: string,
    body: AsyncIterable<Buffer>,
    request: Request,
    by: string,
  ): Promise<SentSheet | undefined> {
    const expected = Number(request.get('content-length') ?? 0);
    const { token, bytes } = await receiveSheet(runtime, body, { expected, by });
    const sheet = new SentSheet(runtime, name, token);
    if (bytes > 0) return sheet;
    await sheet[Symbol.asyncDispose]();
    return undefined;
  }

  open(): Promise<ManifestFile> {
    return openKeptSheet(this.#runtime, this.#token, this.name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await dropKeptSheet(this.#runtime, this.#token);
  }
}
