/** Step `upload`: uploads one file of a row: a medium, a generated asset, a reference or a cover. */

import { packAssets } from '../../ledger/rows/results.ts';
import {
  type CoverRecord,
  hasLastingReference,
  progressField,
  type RowProgress,
} from '../../ledger/rows/row-progress.ts';
import type { FileRecord } from '../../ledger/service/files.ts';
import { isUrl } from '../../manifest/cells/media-source.ts';
import type { Row } from '../../manifest/row.ts';
import { type UploadPayload, uploadPayload } from '../../queues/row-jobs.ts';
import type { CoverRequest } from '../../service/files.ts';
import { done, type Outcome, type StepFailure } from '../runner/outcome.ts';
import { idempotent, outcomeOf } from '../runner/retry-policy.ts';
import { takePermit } from '../runner/service.ts';
import { type RowInput, rowStep, type StartedStep, startStep } from '../runner/step.ts';
import { findAssetAgain, isExpired, outcomeOfAsset } from './assets.ts';
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
  const started = await startStep(input);
  if (!started.ok) return started.outcome;
  if (isDone(payload, started.progress)) return done;
  const source = sourceOf(payload, row, started.progress);
  if (source === undefined) return missingSource(payload);
  return payload.of === 'asset' ? uploadAsset(input, source, started) : uploadFrom(input, source, started);
}

type Started = Extract<StartedStep, { readonly ok: true }>;

/** Uploads a generated asset: from its known URL, or if that has expired, from the one that the service names now. */
async function uploadAsset(
  input: RowInput<UploadPayload>,
  source: string,
  started: Started,
): Promise<Outcome> {
  return uploadSource(input, source, started)
    .catch(async (error: unknown) => {
      if (!isExpired(error)) throw error;
      const again = await findAssetAgain(input, started.progress, error);
      return 'outcome' in again ? again.outcome : uploadSource(input, again.url, started, again.assets);
    })
    .catch((error: unknown) => outcomeOfAsset(error, outcomeOrThrow(error, source)));
}

/** @param started undefined to start the step together with its claim. */
async function uploadFrom(
  input: RowInput<UploadPayload>,
  source: string,
  started: Started | undefined,
): Promise<Outcome> {
  return uploadSource(input, source, started).catch((error: unknown) => outcomeOrThrow(error, source));
}

/** @throws the error itself for an outage of Redis. */
function outcomeOrThrow(error: unknown, source: string): Outcome {
  const outcome = outcomeOf(error, idempotent, source);
  if (outcome === undefined) throw error;
  return outcome;
}

/** @param fresh URLs of all assets of the row, if the known ones are too old. @throws errors of media and of the service. */
async function uploadSource(
  input: RowInput<UploadPayload>,
  source: string,
  startedBefore: Started | undefined,
  fresh?: readonly string[],
): Promise<Outcome> {
  const { context, payload, target: row, view } = input;
  let started: StartedStep | undefined = startedBefore;
  const ask: AskToUpload = async (content, token) => {
    const { files } = context.ledger;
    if (started) return files.claim(content, token);
    started = await startStep(input, { claim: files.claimOf(content, token) });
    return (started.ok && started.claim) || { kind: 'withdrawn' };
  };

  context.failpoint('during-upload');
  const { mediaRoot } = view.campaign;
  const needsUrl = payload.of === 'ref' || (payload.of === 'cover' && context.service.client.covers.needsUrl);
  const kind = payload.of === 'media' || payload.of === 'asset' ? row.mediaType : 'PHOTO';
  const isAsset = payload.of === 'asset';
  const request = { service: context.service, source, isAsset, mediaRoot, kind, needsUrl } as const;
  const result = await context.uploads.upload(request, ask);
  // Another row's job uploaded the file, so this step has not been started yet.
  started ??= await startStep(input);
  if (!started.ok) return started.outcome;
  if (result.kind === 'taken') return { kind: 'again', at: context.now() + takenMs };
  if (result.kind === 'withdrawn') return { kind: 'again', at: context.now() };
  return await record(input, result.file, source, fresh);
}

function isDone({ of, i }: UploadPayload, progress: RowProgress): boolean {
  if (of === 'ref') return hasLastingReference(progress, i);
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

async function record(
  input: RowInput<UploadPayload>,
  file: FileRecord,
  source: string,
  fresh: readonly string[] | undefined,
): Promise<Outcome> {
  const { payload, run } = input;
  if (payload.of === 'cover') return recordCover(input, file, source);
  if (payload.of === 'ref' && file.url === undefined) {
    const failure: StepFailure = {
      code: 'reference_without_url',
      message: 'The service returned no public URL for the uploaded reference.',
      subject: source,
      fix: 'Give a public URL of the file in ai_references.',
    };
    return { kind: 'refused', failure };
  }
  const field =
    payload.of === 'ref'
      ? ([progressField.reference(payload.i), file.url ?? ''] as const)
      : ([progressField.file(payload.i), file.fileId] as const);
  const fields = fresh
    ? [field, [progressField.assets, packAssets({ assets: fresh, thumbnails: [] })] as const]
    : [field];
  const detail = `${payload.of} is file ${file.fileId}${fresh ? ', from a fresh URL' : ''}`;
  await run.finish({ verdict: 'ok', fields, detail });
  return done;
}

/** A cover needs one more call, which turns the file into a cover URI (contract, sections 4.1 and 4.9). */
async function recordCover(
  { context, creator, run, view }: RowInput<UploadPayload>,
  { fileId, url }: FileRecord,
  source: string,
): Promise<Outcome> {
  await takePermit(context.service, 'uploadCover');
  const { covers } = context.service.client;
  const { id: accountId, creatorId } = creator;
  const send = (file?: CoverRequest['file']) => covers.upload({ fileId, accountId, creatorId, url, file });
  const { coverUri } = covers.needsFile
    ? await context.uploads.withCover(source, view.campaign.mediaRoot, send)
    : await send();
  const cover: CoverRecord = { fileId, uri: coverUri };
  const fields = [[progressField.cover, JSON.stringify(cover)] as const];
  await run.finish({ verdict: 'ok', fields, detail: `cover is file ${fileId}` });
  return done;
}

/** Upload jobs were removed by hand: nothing is sent incomplete. @param what without a full stop. */
export function notUploaded(what: string): Outcome {
  const failure: StepFailure = {
    code: 'media_not_uploaded',
    message: `${what}, because jobs of this row were removed.`,
    fix: 'Retry the row: missing files are uploaded again.',
  };
  return { kind: 'refused', failure };
}

function missingSource({ of, i }: UploadPayload): Outcome {
  const failure: StepFailure = {
    code: 'media_not_known',
    message: `The row has no ${of} number ${i + 1} to upload.`,
    fix: 'Retry the row: its jobs are created again.',
  };
  return { kind: 'refused', failure };
}
