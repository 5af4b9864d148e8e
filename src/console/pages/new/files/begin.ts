/** `/campaigns/new`: takes the sheet and the media, and offers the template; and the forms about the files of a draft. */
import { mayDo } from '../../../../app/access/roles.ts';
import { findCampaign } from '../../../../app/campaigns/find.ts';
import { longestAddress } from '../../../../app/campaigns/import/sheet-address.ts';
import { templateDownload, templateFormats } from '../../../../app/campaigns/import/template.ts';
import { type Draft, refuseStarted } from '../../../../app/drafts/draft.ts';
import { createDraft, findDraft, listDrafts, rememberedOptions } from '../../../../app/drafts/drafts.ts';
import { readFilesProgress } from '../../../../app/drafts/files/progress.ts';
import { draftAddress, draftInto, handOverSheet } from '../../../../app/drafts/files/sheet-home.ts';
import { draftOperations } from '../../../../app/operations/drafts.ts';
import type { Campaign } from '../../../../ledger/campaigns/campaign.ts';
import { extensions } from '../../../../manifest/cells/media-source.ts';
import { UseCaseError } from '../../../../manifest/problems/use-case-error.ts';
import { asSentence, plural } from '../../../../manifest/wording.ts';
import { fixOnPage } from '../../../hints.ts';
import { type Html, html, words } from '../../../html.ts';
import { statusOfError } from '../../../http/problem.ts';
import { crumbs, empty, notice, section } from '../../../parts/blocks.ts';
import { asksFirst, csrfField, done, form, hidden } from '../../../parts/form.ts';
import { size } from '../../../parts/numbers.ts';
import { smallestSheet } from '../../../parts/sheets.ts';
import { icon } from '../../../parts/state.ts';
import type { Answer, Download, Notice, Page, PageRequest, Redirect } from '../../../request.ts';
import { draftEntry } from '../../campaigns/entry.ts';

/** Most drafts named here; the list of campaigns has all. */
const mostShown = 5;

/** @param fault why a sheet at an address was not read. */
export async function showBegin(request: PageRequest, fault?: Notice): Promise<Page> {
  const { runtime } = request;
  const drafts = (await listDrafts(runtime)).drafts.filter(({ campaign }) => campaign === undefined);
  return {
    kind: 'page',
    title: 'New campaign',
    // `uploads.js` puts the page of the draft in the place of this one.
    scripts: ['live.js', 'uploads.js'],
    main: html`
      ${crumbs(request, [['/campaigns', 'Campaigns']], 'New')}
      <div class="head"><h1>New campaign</h1></div>
      ${fault && notice(fault)}
      ${mayDo(request, 'edit') ? html`<div class="two">${dropHere(request)}<section class="card" aria-label="A link, or a template">${addressForm(request)}${templates(request)}</section></div>` : html`${empty(html`An editor can begin a campaign here.`)}${templates(request)}`}
      ${await underWay(request, drafts)}
      ${smallestSheet(html`Five columns are enough. Names that people fixed before are <a href="${request.link('/campaigns/aliases')}">remembered</a>.`)}`,
  };
}

/** For the next version of a campaign's sheet with its new media. @param about what becomes of the rows. */
export function showBeginInto(request: PageRequest, { id, name }: Campaign, about: string): Page {
  const area: DropWords = {
    text: 'Excel, CSV or JSON. Add the new videos and pictures it names, now or later.',
    note: 'A new version of a file needs a new name, such as clip-v2.mp4.',
    into: id,
  };
  return {
    kind: 'page',
    title: `Update of ${name}`,
    scripts: ['live.js', 'uploads.js'],
    main: html`
      ${crumbs(
        request,
        [
          ['/campaigns', 'Campaigns'],
          [`/campaigns/${id}`, id],
        ],
        'sheet',
      )}
      <div class="head"><div><h1>Update of ${words(name)}</h1><p class="about">${about}</p></div></div>
      ${dropForm(request, area)}`,
  };
}

/** A public sheet is fetched by this machine. */
function addressForm(request: PageRequest): Html {
  const body = html`<label for="address">Or paste a link to your sheet</label>
    <div class="typed"><input id="address" name="address" type="url" value="${request.form.get('address') ?? ''}" maxlength="${longestAddress}" placeholder="https://" required dir="ltr" aria-describedby="address-help"><button>Read it</button></div>
    <p class="note" id="address-help">Such as the share link of a public Google Sheet.</p>`;
  return form(request, { path: '/campaigns/new/from-address', body });
}

/** Makes a draft of a sheet at an address. What cannot be read is said on the page. */
export async function beginFrom(request: PageRequest): Promise<Answer> {
  const { runtime, drafts, person, record } = request;
  const given = (request.form.get('address') ?? '').slice(0, longestAddress + 1);
  try {
    const id = await draftAddress(runtime, drafts, { campaign: undefined, by: person.name }, given);
    await record(draftOperations.createDraft, {}, { id });
    return { kind: 'redirect', to: `/campaigns/new/${id}` };
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    const text = asSentence(error.message);
    const page = await showBegin(request, { state: 'failed', text, more: fixOnPage(error.fix) });
    return { ...page, status: statusOfError(error.code) };
  }
}

function dropHere(request: PageRequest): Html {
  return dropForm(request, {
    text: dropIt,
    note: 'A results sheet updates its campaign. Nothing is sent before you press Start.',
  });
}

/** Text of the area for a first sheet. */
export const dropIt = 'Excel, CSV or JSON. Add the videos and pictures it names, now or later.';

async function underWay(request: PageRequest, drafts: readonly Draft[]): Promise<Html | string> {
  if (drafts.length === 0) return '';
  const lines = await Promise.all(drafts.slice(0, mostShown).map((draft) => draftEntry(request, draft)));
  return section({ id: 'drafts', title: 'Drafts' }, html`<ul class="card flat">${lines}</ul>`);
}

function templates(request: PageRequest): Html {
  const formats = [
    ['xlsx', 'Excel'],
    ['csv', 'CSV'],
    ['json', 'JSON'],
  ];
  const links = formats.map(
    ([format, name]) =>
      html`<a class="button" href="${request.link(`/template.${format}`)}">${icon('down')}${name}</a>`,
  );
  return section(
    { id: 'begin', title: 'No sheet yet?' },
    html`<p>Its template shows each kind of post and explains every column. Headers can be in 13 languages.</p>
    <p class="actions after">${links}</p>`,
  );
}

/** Creates a draft without files; the script then sends them. */
export async function begin({ runtime, person, record, form }: PageRequest): Promise<Redirect> {
  const into = form.get('into') ?? '';
  const id =
    into === ''
      ? (await createDraft(runtime, person.name, await rememberedOptions(runtime))).id
      : await draftInto(runtime, await findCampaign(runtime, into), person.name);
  await record(draftOperations.createDraft, {}, { id });
  return { kind: 'redirect', to: `/campaigns/new/${id}/files` };
}

const sheetEndings = ['.xlsx', '.csv', '.tsv', '.txt', '.json', '.jsonl'];

export interface DropWords {
  readonly text: string;
  readonly note: string;
  /** Whether there is a sheet already, so that the check can go on when its media have come; undefined where nothing has begun. */
  readonly hasSheet?: boolean;
  /** Id of the campaign that it updates, where nothing has begun. */
  readonly into?: string;
}

/** One area for the sheet and the media, which `uploads.js` tells apart and sends at once. @param words texts, which differ for a new draft and one that has files. */
export function dropForm({ csrf }: PageRequest, { text, note, hasSheet, into }: DropWords): Html {
  const endings = [...extensions.values()].flat().map((ending) => `.${ending}`);
  return html`<div id="drop" data-sheets="${sheetEndings.join()}" data-media="${endings.join()}"${hasSheet ? html` data-has-sheet` : ''}${into !== undefined && html` data-into="${into}"`}>
    ${hidden(csrfField, csrf)}
    <div class="drop">${icon('file')}<label for="files">Drop your sheet and its media here, or choose them</label>
      <p id="files-help">${text}</p>
      <input id="files" type="file" multiple aria-describedby="files-help" accept="${sheetEndings.join()},video/*,image/*">
      <div class="actions after"><span class="button${hasSheet === undefined ? ' primary' : ''} scripted" aria-hidden="true">Choose files</span>
        <label class="button folder">Choose a whole folder… <input name="folder" type="file" multiple webkitdirectory></label></div>
      <p>${note}<noscript> Uploads need JavaScript.</noscript></p>
    </div>
    <div id="upload-notes" role="alert"></div>
  </div>`;
}

export function template({ runtime, params }: PageRequest): Download {
  const format = templateFormats.find((each) => each === params.format) ?? 'xlsx';
  return { kind: 'download', ...templateDownload(format, runtime.now()) };
}

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
  home: (request) => (request.query.get('from') === 'files' ? filesPath(request) : draftPath(request)),
  ask: async ({ runtime, params }) => {
    const id = params.draft ?? '';
    const draft = await findDraft(runtime, id);
    refuseStarted(draft);
    const { sheet } = draft;
    const { media } = await readFilesProgress(runtime, id);
    const of = sheet === undefined ? 'the draft' : html`the draft of ${words(sheet.name)}`;
    return {
      title: 'Discard the draft?',
      text: html`<p>This deletes ${of} with its edits${media.begunFiles > 0 && ` and ${plural(media.begunFiles, 'uploaded file')} (${size(media.bytes)})`}. Your own files stay as they are. Nothing has been sent.</p>`,
      sure: 'Yes, I no longer need it',
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
