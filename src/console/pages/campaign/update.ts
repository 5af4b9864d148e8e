/** Takes a corrected sheet for its campaign: the page of its draft shows the plan, and where problems are fixed. */

import { findCampaign } from '../../../app/campaigns/find.ts';
import { isSheetAddress } from '../../../app/campaigns/import/sheet-address.ts';
import { ownerOfMedia } from '../../../app/drafts/files/media.ts';
import { draftAddress, draftUpdate } from '../../../app/drafts/files/sheet-home.ts';
import { draftOperations } from '../../../app/operations/drafts.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { asSentence } from '../../../manifest/wording.ts';
import { fixOnPage } from '../../hints.ts';
import { html } from '../../html.ts';
import { ask, asksFirst, type Change, type QuestionText, sheetField } from '../../parts/form.ts';
import type { Page, PageRequest, Question, Route } from '../../request.ts';
import { showBeginInto } from '../new/files/begin.ts';
import { ofCampaign } from './actions.ts';

const upload: Change = {
  ...ofCampaign,
  right: 'edit',
  path: '/campaigns/:id/into',
  takesSheet: true,
  ask: askInto,
  carryOut: async (request) => {
    const { runtime, drafts, person, sheet } = request;
    const campaign = await findCampaign(runtime, request.params.id ?? '');
    if (sheet === undefined) return ask(request, upload);
    const of = { campaign, by: person.name };
    const id = await draftUpdate(runtime, drafts, of, { name: sheet.file, path: sheet.path });
    await request.record(draftOperations.createDraft, {}, { id });
    return { kind: 'redirect', to: `/campaigns/new/${id}` };
  },
};

const readAgain: Change = {
  ...ofCampaign,
  right: 'edit',
  path: '/campaigns/:id/read-again',
  ask: async ({ runtime, params }) => {
    const { name, source } = await findCampaign(runtime, params.id ?? '');
    if (!isSheetAddress(source))
      throw new UseCaseError(
        'manifest_unreadable',
        'this campaign’s sheet was uploaded as a file, so there is no address to read again',
        { fix: 'Choose “Update with corrected sheet…”, and upload the new file.' },
      );
    return {
      title: `Read the sheet of ${name} again`,
      text: html`<p>The sheet is fetched from <a href="${source}" target="_blank" rel="noopener noreferrer">its address</a>. ${matched}</p>`,
      button: 'See the plan',
    };
  },
  carryOut: async (request) => {
    const { runtime, drafts, person } = request;
    const campaign = await findCampaign(runtime, request.params.id ?? '');
    const of = { campaign, by: person.name };
    const found = await draftAddress(runtime, drafts, of, campaign.source).catch((error: unknown) => {
      if (!(error instanceof UseCaseError)) throw error;
      return error;
    });
    // Not a page of its own: the corrected sheet may be uploaded instead.
    if (typeof found !== 'string')
      return { state: 'failed', text: asSentence(found.message), more: fixOnPage(found.fix) };
    await request.record(draftOperations.createDraft, {}, { id: found });
    return { kind: 'redirect', to: `/campaigns/new/${found}` };
  },
};

/** A page, and no question, where new media may come with the sheet. */
async function showInto(request: PageRequest): Promise<Page | Question> {
  const campaign = await findCampaign(request.runtime, request.params.id ?? '');
  const takesMedia = (await ownerOfMedia(request.runtime, campaign)) !== undefined;
  return takesMedia ? showBeginInto(request, campaign, matched) : ask(request, upload);
}

export const intoRoutes: readonly Route[] = [
  { method: 'get', path: upload.path, right: 'edit', handle: showInto },
  ...asksFirst(upload).slice(1),
  ...asksFirst(readAgain),
];

const matched =
  'A corrected results sheet, or the next version of your own sheet. New rows are added, failed and changed rows are retried, posted rows stay unchanged. You see the plan before anything is sent, and can fix problems in the page.';

async function askInto({ runtime, params }: PageRequest): Promise<QuestionText> {
  const { name } = await findCampaign(runtime, params.id ?? '');
  return {
    title: `Update ${name} with a corrected sheet`,
    text: html`<p>${matched}</p>`,
    isUpload: true,
    fields: sheetField(),
    button: 'See the plan',
  };
}
