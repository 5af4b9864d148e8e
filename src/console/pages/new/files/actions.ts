/** Handlers of the forms about a draft's files. */
import { findDraft } from '../../../../app/drafts/drafts.ts';
import { readFilesProgress } from '../../../../app/drafts/files/progress.ts';
import { handOverSheet } from '../../../../app/drafts/files/sheet-home.ts';
import { draftOperations } from '../../../../app/operations/drafts.ts';
import { plural } from '../../../../manifest/wording.ts';
import { html, words } from '../../../html.ts';
import { asksFirst, done } from '../../../parts/form.ts';
import { size } from '../../../parts/numbers.ts';
import type { PageRequest, Redirect } from '../../../request.ts';

export async function endUpload(request: PageRequest): Promise<Redirect> {
  const id = request.params.draft ?? '';
  const { sheet } = await findDraft(request.runtime, id);
  if (sheet !== undefined) return leadOn(request, id);
  return done(filesPath(request), 'The sheet has not been uploaded yet.', 'Drop it here.', 'warning');
}

export async function removeFile(request: PageRequest): Promise<Redirect> {
  const { params, form } = request;
  const path = form.get('path') ?? '';
  await request.carryOut(draftOperations.removeDraftFile, { id: params.draft ?? '', path });
  return done(filesPath(request), `${path} removed.`, 'Rows that name it have a problem now.');
}

function draftPath({ params }: PageRequest): string {
  return `/campaigns/new/${params.draft}`;
}

function filesPath(request: PageRequest): string {
  return `${draftPath(request)}/files`;
}

export const discardRoutes = asksFirst({
  right: 'edit',
  path: '/campaigns/new/:draft/discard',
  section: '/campaigns',
  home: (request) => (request.query.get('from') === 'files' ? filesPath(request) : draftPath(request)),
  ask: async ({ runtime, params }) => {
    const id = params.draft ?? '';
    const { sheet } = await findDraft(runtime, id);
    const { media } = await readFilesProgress(runtime, id);
    const name = sheet === undefined ? 'The draft' : words(sheet.name);
    return {
      title: 'Discard the draft?',
      text: html`<p>${name} is deleted, with its edits and ${media.ofFiles === 0 ? 'no media' : `${plural(media.ofFiles, 'uploaded file')} (${size(media.bytes)})`}. Your own files stay as they are. Nothing has been sent.</p>`,
      sure: 'Yes, I no longer need it',
      back: 'Back',
      button: 'Discard the draft',
      isDangerous: true,
    };
  },
  needsBox: true,
  carryOut: async ({ carryOut, params }) => {
    await carryOut(draftOperations.discardDraft, { id: params.draft ?? '' });
    return done('/campaigns', 'The draft is discarded.');
  },
});

/** Where to go after an upload: the check of the draft. A results sheet updates its campaign. */
async function leadOn({ runtime, person }: PageRequest, draft: string): Promise<Redirect> {
  await handOverSheet(runtime, draft, person.name);
  return { kind: 'redirect', to: `/campaigns/new/${encodeURIComponent(draft)}` };
}
