/** Step `upload`: uploads one file of a row: a medium, a generated asset, a reference or a cover. */
import type { CoverRequest } from '../../api/files.ts';
import { type CoverRecord, progressField, type RowProgress } from '../../ledger/rows/row-progress.ts';
import type { FileRecord } from '../../ledger/service/files.ts';
import { isUrl } from '../../manifest/cells/media-source.ts';
import type { Row } from '../../manifest/row.ts';
import { type UploadPayload, uploadPayload } from '../../queues/row-jobs.ts';
import { takePermit } from '../runner/accounts.ts';
import { done, type Outcome } from '../runner/outcome.ts';
import { idempotent, outcomeOf } from '../runner/retry-policy.ts';
import { type Opened, openStep, type RowInput, rowStep } from '../runner/step.ts';
import type { AskToUpload } from './uploads.ts';

/** Milliseconds until the next try while another process uploads the same content. */
export const takenMs = 500;

export const uploadStep = rowStep<UploadPayload>({
  step: 'upload',
  parse: (data) => uploadPayload.parse(data),
  act: upload,
});

async function upload(input: RowInput<UploadPayload>): Promise<Outcome> {
  const { payload, run, target: row } = input;
  // Run again by a person, it tries the upload.
  if (payload.refused && run.job.attemptsStarted <= 1) return { kind: 'refused', failure: payload.refused };
  const path = payload.of === 'media' ? row.media[payload.i] : undefined;
  // A local file can be hashed without the ledger, so one script starts the step and claims the upload.
  if (path !== undefined && !isUrl(path)) return uploadFrom(input, path, undefined);
  const opened = await openStep(input);
  if (!opened.ok) return opened.outcome;
  if (isDone(payload, opened.progress)) return done;
  const source = sourceOf(payload, row, opened.progress);
  return source === undefined ? missingSource(payload) : uploadFrom(input, source, opened);
}

/** @param opened the started step; undefined to start it together with its claim. */
async function uploadFrom(
  input: RowInput<UploadPayload>,
  source: string,
  opened: Opened | undefined,
): Promise<Outcome> {
  const { context, payload, target: row, view, account } = input;
  let started = opened;
  const ask: AskToUpload = async (content, token) => {
    const { files } = context.ledger;
    if (started) return files.claim(account.name, content, token);
    started = await openStep(input, { claim: files.claimOf(account.name, content, token) });
    return (started.ok && started.claim) || { kind: 'withdrawn' };
  };

  context.failpoint('during-upload');
  try {
    const { mediaRoot } = view.campaign;
    const needsUrl = payload.of === 'ref' || (payload.of === 'cover' && account.client.covers.needsUrl);
    const kind = payload.of === 'media' || payload.of === 'asset' ? row.mediaType : 'PHOTO';
    const isAsset = payload.of === 'asset';
    const request = { account, source, isAsset, mediaRoot, kind, needsUrl } as const;
    const result = await context.uploads.upload(request, ask);
    // Another row's job uploaded the file, so this step has not been started yet.
    started ??= await openStep(input);
    if (!started.ok) return started.outcome;
    if (result.kind === 'taken') return { kind: 'again', at: context.now() + takenMs };
    if (result.kind === 'withdrawn') return { kind: 'again', at: context.now() };
    return await record(input, result.file, source);
  } catch (error) {
    const outcome = outcomeOf(error, idempotent, source);
    if (outcome === undefined) throw error;
    return outcome;
  }
}

function isDone({ of, i }: UploadPayload, progress: RowProgress): boolean {
  if (of === 'ref') return progress.references.has(i);
  if (of === 'cover') return progress.cover !== undefined;
  return progress.files.has(i);
}

function sourceOf({ of, i }: UploadPayload, row: Row, progress: RowProgress): string | undefined {
  switch (of) {
    case 'media':
      return row.media[i];
    case 'asset':
      return progress.assets[i];
    case 'ref':
      return row.generation?.references[i];
    case 'cover':
      return row.cover?.kind === 'file' ? row.cover.source : undefined;
  }
}

async function record(input: RowInput<UploadPayload>, file: FileRecord, source: string): Promise<Outcome> {
  const { payload, run } = input;
  if (payload.of === 'cover') return recordCover(input, file, source);
  if (payload.of === 'ref' && file.url === undefined) {
    const failure = {
      code: 'reference_without_url',
      message: 'The service returned no public URL for the uploaded reference.',
      subject: source,
      cure: 'Give a public URL of the file in ai_references.',
    };
    return { kind: 'refused', failure };
  }
  const field =
    payload.of === 'ref'
      ? ([progressField.reference(payload.i), file.url ?? ''] as const)
      : ([progressField.file(payload.i), file.fileId] as const);
  await run.finish({ verdict: 'ok', fields: [field], said: `${payload.of} is file ${file.fileId}` });
  return done;
}

/** A cover needs one more call, which turns the file into a cover URI (contract, sections 4.1 and 4.9). */
async function recordCover(
  { context, creator, run, view, account }: RowInput<UploadPayload>,
  { fileId, url }: FileRecord,
  source: string,
): Promise<Outcome> {
  await takePermit(account, 'uploadCover');
  const { covers } = account.client;
  const { id: accountId, creatorId } = creator;
  const send = (file?: CoverRequest['file']) => covers.upload({ fileId, accountId, creatorId, url, file });
  const { coverUri } = covers.needsFile
    ? await context.uploads.withCover(source, view.campaign.mediaRoot, send)
    : await send();
  const cover: CoverRecord = { fileId, uri: coverUri };
  const fields = [[progressField.cover, JSON.stringify(cover)] as const];
  await run.finish({ verdict: 'ok', fields, said: `cover is file ${fileId}` });
  return done;
}

function missingSource({ of, i }: UploadPayload): Outcome {
  const failure = {
    code: 'media_not_known',
    message: `The row has no ${of} number ${i + 1} to upload.`,
    cure: 'Retry the row: its jobs are created again.',
  };
  return { kind: 'refused', failure };
}
