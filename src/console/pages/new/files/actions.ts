/** Handlers of the forms about a draft's files. */
import { findDraft } from '../../../../drafts/drafts.ts';
import { removeMedium } from '../../../../drafts/files/media.ts';
import { readFilesProgress } from '../../../../drafts/files/progress.ts';
import { handOverSheet } from '../../../../drafts/files/sheet-home.ts';
import type { OpenDrafts } from '../../../../drafts/open-drafts.ts';
import { describeSize } from '../../../../manifest/presentable.ts';
import type { Runtime } from '../../../../runtime/runtime.ts';
import { html, words } from '../../../html.ts';
import { form, wayBack } from '../../../parts/form.ts';
import { count } from '../../../parts/numbers.ts';
import type { Notice, PageRequest, Question, Redirect } from '../../../request.ts';

export async function endUpload(request: PageRequest): Promise<Redirect> {
  const id = request.params.draft ?? '';
  const { sheet } = await findDraft(request.runtime, id);
  if (sheet !== undefined) return leadOn(request, id);
  const notice = {
    state: 'warning',
    text: 'The sheet has not been uploaded yet.',
    more: 'Drop it here.',
  } as const;
  return { kind: 'redirect', to: `/campaigns/new/${id}/files`, notice };
}

export async function removeFile({ runtime, params, form: fields, person }: PageRequest): Promise<Redirect> {
  const id = params.draft ?? '';
  const path = fields.get('path') ?? '';
  await removeMedium(runtime, id, path, person.name);
  const notice = {
    state: 'done',
    text: `${path} removed.`,
    more: 'Rows that name it have a problem now.',
  } as const;
  return { kind: 'redirect', to: `/campaigns/new/${id}/files`, notice };
}

export async function askDiscard(request: PageRequest): Promise<Question> {
  const id = request.params.draft ?? '';
  const { sheet } = await findDraft(request.runtime, id);
  const { media } = await readFilesProgress(request.runtime, id);
  const name = sheet === undefined ? 'The draft' : words(sheet.name);
  return {
    kind: 'question',
    title: 'Discard the draft?',
    section: '/campaigns',
    body: html`
      <p>${name} is deleted, with its edits and ${media.ofFiles === 0 ? 'no media' : `${count(media.ofFiles, 'uploaded file')} (${describeSize(media.bytes)})`}. Your own files stay as they are. Nothing has been sent.</p>
      ${form(request, {
        path: `/campaigns/new/${id}/discard`,
        body: html`<p><label><input type="checkbox" name="sure" value="yes" required> Yes, I no longer need it</label></p>
        <p class="actions">${wayBack(request, `/campaigns/new/${id}/files`, 'Keep it')} <button class="primary danger">Discard the draft</button></p>`,
      })}`,
  };
}

export async function discard(request: PageRequest): Promise<Redirect | Question> {
  const { drafts, params, form: fields } = request;
  const id = params.draft ?? '';
  if (fields.get('sure') !== 'yes') return askDiscard(request);
  await drafts.discard(id);
  return { kind: 'redirect', to: '/campaigns', notice: { state: 'done', text: 'The draft is discarded.' } };
}

/** Where to go after an upload: the check of the draft, or the campaign that the sheet belongs to. @param notice outcome of the upload. */
export async function leadOn(
  { runtime, drafts }: { readonly runtime: Runtime; readonly drafts: OpenDrafts },
  draft: string,
  notice?: Notice,
): Promise<Redirect> {
  const home = await handOverSheet(runtime, drafts, draft);
  if (home === undefined)
    return { kind: 'redirect', to: `/campaigns/new/${encodeURIComponent(draft)}`, notice };
  const { campaign, kind, token, file } = home;
  const query = new URLSearchParams({ name: file });
  const place = kind === 'results' ? 'into' : 'decisions';
  return { kind: 'redirect', to: `/campaigns/${campaign.id}/${place}/${token}?${query}` };
}
