/**
 * Files of a draft, sent as the script of the page sends them, but without a browser.
 *
 *     const drop = await openDrop(pages);                       a new draft
 *     await drop.send('posts.csv', bytes);                      begins and sends a whole file; the answer of its last request
 *     const id = await drop.begin('a.mp4', bytes.length);
 *     await drop.patch(id, 0, bytes.subarray(0, 100));
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { videoRow } from '../sheets/rows.ts';
import { writeSheet } from '../sheets/sheet.ts';
import type { Pages } from './console-pages.ts';

export interface TusAnswer {
  readonly status: number;
  readonly text: string;
  readonly offset: number;
  /** Id of a new upload; empty unless it was made. */
  readonly id: string;
}

export interface Drop {
  readonly draft: string;
  readonly proof: string;
  /** @param bytes of the whole file. */
  post(path: string, bytes: number, modifiedAt?: number): Promise<TusAnswer>;
  /** As `post`. @returns the id of the upload. */
  begin(path: string, bytes: number, modifiedAt?: number): Promise<string>;
  /** @param upload its id; empty for a new one. */
  request(
    method: string,
    upload: string,
    headers?: Readonly<Record<string, string>>,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<TusAnswer>;
  patch(upload: string, offset: number, bytes: Uint8Array): Promise<TusAnswer>;
  /** Begins to send bytes, and then holds the connection open. */
  patchOpen(
    upload: string,
    bytes: Uint8Array,
  ): { readonly answer: Promise<Response | undefined>; readonly lose: () => void };
  send(path: string, bytes: Uint8Array, modifiedAt?: number): Promise<TusAnswer>;
}

export async function openDrop({ url, get }: Pick<Pages, 'url' | 'get'>): Promise<Drop> {
  const [, proof = ''] = /name="_csrf" value="([^"]*)"/.exec((await get('/campaigns/new')).html) ?? [];
  const made = await fetch(`${url}/campaigns/new`, {
    method: 'POST',
    body: new URLSearchParams({ _csrf: proof }),
    redirect: 'manual',
    headers: { origin: url },
  });
  const [, draft = ''] = /new\/([0-9a-f]{16})\/files$/.exec(made.headers.get('location') ?? '') ?? [];
  const base = `${url}/campaigns/new/${draft}/uploads`;

  const post: Drop['post'] = (path, bytes, modifiedAt = 1) =>
    request('POST', '', {
      'upload-length': String(bytes),
      'upload-metadata': `path ${Buffer.from(path).toString('base64')},modified ${btoa(String(modifiedAt))}`,
    });
  const begin: Drop['begin'] = async (...file) => {
    const { status, text, id } = await post(...file);
    if (status !== 201) throw new Error(`${status} ${text}`);
    return id;
  };
  const request: Drop['request'] = async (method, upload, headers = {}, body) => {
    const answer = await fetch(upload === '' ? base : `${base}/${upload}`, {
      method,
      headers: { 'tus-resumable': '1.0.0', 'x-csrf-token': proof, origin: url, ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    const { status, headers: told } = answer;
    const offset = Number(told.get('upload-offset') ?? Number.NaN);
    return { status, text, offset, id: told.get('location')?.split('/').at(-1) ?? '' };
  };
  const patch: Drop['patch'] = (upload, offset, bytes) =>
    request(
      'PATCH',
      upload,
      { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
      new Uint8Array(bytes),
    );
  const patchOpen: Drop['patchOpen'] = (upload, bytes) => {
    const lost = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(bytes)),
    });
    const answer = fetch(`${base}/${upload}`, {
      method: 'PATCH',
      headers: {
        'tus-resumable': '1.0.0',
        'x-csrf-token': proof,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body,
      duplex: 'half',
      signal: lost.signal,
    } as RequestInit).catch(() => undefined);
    return { answer, lose: () => lost.abort() };
  };
  return {
    draft,
    proof,
    post,
    begin,
    request,
    patch,
    patchOpen,
    async send(path, bytes, modifiedAt) {
      return patch(await begin(path, bytes.length, modifiedAt), 0, bytes);
    },
  };
}

/** The bytes of a sheet with a row for each key. @param folder it is written there first. */
export function sheetOf(folder: string, ...keys: readonly string[]): Buffer {
  const path = join(folder, 'sheet.csv');
  writeSheet(
    path,
    keys.map((key) => videoRow(key)),
  );
  return readFileSync(path);
}
