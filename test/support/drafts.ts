/** Files of a draft, sent without a console. */
import { Readable } from 'node:stream';
import { Upload } from '@tus/server';
import { checkSettings } from '../../config/load.ts';
import { createDraft } from '../../src/app/drafts/drafts.ts';
import { admitFile } from '../../src/app/drafts/files/admit.ts';
import { type GivenFile, openIncoming, type SentFile } from '../../src/app/drafts/files/incoming.ts';
import { UploadStore } from '../../src/app/drafts/files/store.ts';
import type { DraftRuntime } from '../../src/app/drafts/folder.ts';
import { temporaryFolder } from './folder.ts';

/** A new draft of `anna`, in a data folder of its own, at the time 1. */
export async function newDraft(): Promise<{ readonly runtime: DraftRuntime; readonly draft: string }> {
  const runtime: DraftRuntime = {
    environment: { dataDir: temporaryFolder() } as DraftRuntime['environment'],
    settings: checkSettings({}),
    now: () => 1,
  };
  return { runtime, draft: (await createDraft(runtime, 'anna')).id };
}

/** @param end sends the bytes up to this one only. @returns how many of the file have come. */
export async function sendFile(
  runtime: DraftRuntime,
  draft: string,
  given: Omit<GivenFile, 'bytes'>,
  bytes: Buffer,
  end = bytes.length,
): Promise<number> {
  const file = await admitFile(runtime, draft, { ...given, bytes: bytes.length }, 'anna');
  return sendAdmitted(runtime, draft, file, [bytes.subarray(0, end)]);
}

/** @returns how many bytes of the file have come. */
export async function sendAdmitted(
  runtime: DraftRuntime,
  draft: string,
  { id, bytes: size, path, modifiedAt }: SentFile,
  bytes: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<number> {
  await using folder = await openIncoming(runtime, draft, id);
  const store = new UploadStore(runtime, { draft, folder, by: 'anna', audit: async () => undefined });
  const metadata = { path, modified: String(modifiedAt) };
  await store.create(new Upload({ id, size, offset: 0, metadata }));
  return await store.write(Readable.from(bytes), id, 0);
}
