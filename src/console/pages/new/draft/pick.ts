/** Lists to pick from: creators, products of a showcase, music, AI models. The picked entry fills cells of a row or a band. */
import { Readable } from 'node:stream';
import { imageModels, videoModels } from '../../../../api/contract/generation.ts';
import { searchMusic } from '../../../../campaigns/look-up.ts';
import { textIn } from '../../../../drafts/check/shown.ts';
import {
  type PickedCreator,
  pickCreators,
  pickProducts,
  pictureOfProduct,
} from '../../../../drafts/pickers/lists.ts';
import { choicesOf } from '../../../../manifest/cells/choices.ts';
import type { ColumnName } from '../../../../manifest/columns.ts';
import { UseCaseError } from '../../../../runtime/use-case-error.ts';
import { capitalized, sentence } from '../../../../runtime/wording.ts';
import { cureOnDraft } from '../../../hints.ts';
import { type Html, html, words } from '../../../html.ts';
import { table } from '../../../parts/blocks.ts';
import { hidden, wayBack } from '../../../parts/form.ts';
import { count, number } from '../../../parts/numbers.ts';
import { icon } from '../../../parts/state.ts';
import type { PageRequest, Question, ShownFile } from '../../../request.ts';
import { choiceField, columnOf } from './choices.ts';
import { readRow, type ShownRow } from './row.ts';
import { draftForm, draftPath, rowsMark } from './shown.ts';

const mostMusic = 30;
const mostOfSheet = 30;

interface Picker {
  readonly title: string;
  /** Label of the search field; undefined for a short list. */
  readonly search: string | undefined;
  /** The columns that may be written by hand instead; empty if the list has all that is allowed. */
  readonly written: readonly ColumnName[];
  readonly list: (asked: ShownRow, text: string) => Promise<Html>;
}

const pickers: Readonly<Record<string, Picker | undefined>> = {
  creator: { title: 'Find a creator', search: 'Name, id or tag', written: ['creator'], list: creators },
  product: {
    title: 'Find a product',
    search: 'Title or id',
    written: ['product_id', 'product_title'],
    list: products,
  },
  music: { title: 'Find music', search: 'Title or author', written: ['music_id'], list: music },
  model: { title: 'Choose a model', search: undefined, written: [], list: models },
};

export async function askPick(request: PageRequest): Promise<Question> {
  const { params, query } = request;
  const picker = Object.hasOwn(pickers, params.what ?? '') ? pickers[params.what ?? ''] : undefined;
  if (picker === undefined) throw new UseCaseError('draft_refused', 'there is no such list');
  const asked = await readRow(request);
  const text = (query.get('q') ?? '').slice(0, 100);
  const found = await picker.list(asked, text).catch(unlisted);
  const to = draftPath(params.draft ?? '');
  return {
    kind: 'question',
    title: picker.title,
    section: '/campaigns',
    body: html`${picker.search === undefined ? '' : searchForm(request, picker.search, text)}${found}${write(asked, picker.written)}
      <p class="actions">${wayBack(request, to, 'Back')}</p>`,
  };
}

/** In place of a list that the service did not give. */
function unlisted(error: unknown): Html {
  if (!(error instanceof UseCaseError)) throw error;
  return html`<p>${icon('warning')} ${words(capitalized(sentence(error.message)))} ${words(cureOnDraft(error.cure))}</p>`;
}

function searchForm(request: PageRequest, label: string, text: string): Html {
  const { params, query, link } = request;
  const path = link(draftPath(params.draft ?? '', `/pick/${params.what}`));
  const kept = ['row', 'group', 'band', 'rows', 'page'].map((name) => hidden(name, query.get(name)));
  return html`<form method="get" action="${path}" hx-get="${path}" hx-target="#question" hx-swap="innerHTML" class="actions">${kept}<label>${label} <input type="search" name="q" value="${text}" dir="auto"></label> <button>${icon('search')}Search</button></form>`;
}

/** Fields to write what the list does not have. */
function write(asked: ShownRow, names: readonly ColumnName[]): Html | string {
  if (names.length === 0) return '';
  const { shown, row } = asked;
  const fields = names.map(
    (name) =>
      html`<label>${name} ${choiceField(choicesOf(name), { name: `p.${name}`, value: textIn(shown.checked, row, name), size: 20, isRequired: true })}</label> `,
  );
  return html`<h3>Or write it</h3>${take(asked, {}, html`Use what I wrote`, { fields: html`${fields}`, names })}`;
}

/** Texts for cells, by column: the sheet may lack some of them. */
type Picked = Readonly<Partial<Record<ColumnName, string>>>;

/** Further fields of a form, and their columns. */
interface More {
  readonly fields: Html;
  readonly names: readonly ColumnName[];
}

/** A form that writes the picked entry into the cells: of the band that the list was opened for, or of the row, or of all rows with its problem. */
function take(asked: ShownRow, picked: Picked, label: Html, more?: More): Html {
  const { shown, row } = asked;
  const { query } = shown.request;
  const fields = Object.entries(picked).map(([name, text]) => hidden(`p.${name}`, text));
  const ofBand = query.get('group') ?? '';
  const same =
    ofBand === ''
      ? sameProblem(asked, [...(Object.keys(picked) as ColumnName[]), ...(more?.names ?? [])])
      : undefined;
  const [group, band] = same === undefined ? [ofBand, query.get('band') ?? ''] : [same.id, rowsMark(same)];
  const buttons =
    same === undefined
      ? html`<button>${label}</button>`
      : html`<button name="for" value="row">${label}</button> <button name="for" value="band">In all ${count(same.count, 'row')} like this</button>`;
  return draftForm(shown, {
    path: '/picked',
    className: 'actions',
    body: html`${hidden('row', row.number)}${hidden('group', group)}${hidden('band', band)}${fields}${more?.fields ?? ''}${buttons}`,
  });
}

/** The largest band of rows with a problem of the row in one of the columns, if there are others. */
function sameProblem({ shown, row }: ShownRow, names: readonly ColumnName[]) {
  const own = new Set((row.problems ?? []).map(({ group }) => group));
  return shown.checked.groups.find((group) => {
    const column = columnOf(shown, group);
    return own.has(group.id) && group.count > 1 && column !== undefined && names.includes(column);
  });
}

function list(heads: readonly string[], lines: readonly Html[]): Html {
  if (lines.length === 0) return html`<p>Nothing fits.</p>`;
  const last = html`<th scope="col"><span class="hidden">Choose</span></th>`;
  return table({ of: 'question-title', heads: [...heads, last], lines });
}

function more(found: number, shown: number, searched: number | undefined): Html {
  const rest =
    found > shown ? `${number(found - shown)} more fit: search for a longer part of the name. ` : '';
  const first = searched === undefined ? '' : `Only the first ${number(searched)} were searched.`;
  return html`${rest === '' && first === '' ? '' : html`<p class="note">${rest}${first}</p>`}`;
}

function account({ shown }: ShownRow): string | undefined {
  return shown.view.draft.options.account;
}

async function creators(asked: ShownRow, text: string): Promise<Html> {
  const { runtime } = asked.shown.request;
  const { shown: fitting, found, searched } = await pickCreators(runtime, account(asked), text);
  const lines = fitting.map(
    (each) =>
      html`<tr><th scope="row">${words(each.name)}${each.foundBy === undefined ? '' : html`<br><small>found by ${words(each.foundBy)}</small>`}</th><td>${each.region ?? ''}</td><td>${standing(each)}</td><td>${each.state === 'valid' ? take(asked, { creator: each.name }, html`Use<span class="hidden"> ${each.name}</span>`) : ''}</td></tr>`,
  );
  return html`${list(['Creator', 'Region', 'May post'], lines)}${more(found, fitting.length, searched)}`;
}

function standing({ state, mayPostVideos, mayPostPhotos }: PickedCreator): Html | string {
  if (state === 'expired') {
    return html`<span class="state" data-state="failed">${icon('failed')} expired</span> Ask the creator to authorize again.`;
  }
  if (state === 'other_source') return 'nothing: this kind of authorization cannot publish';
  const kinds = [...(mayPostVideos ? ['videos'] : []), ...(mayPostPhotos ? ['photos'] : [])];
  return kinds.length === 0 ? 'nothing' : kinds.join(' and ');
}

async function products(asked: ShownRow, text: string): Promise<Html> {
  return html`${await sheetProducts(asked, text)}${await showcase(asked, text).catch(unlisted)}`;
}

/** Products of other rows, which need no showcase. */
async function sheetProducts(asked: ShownRow, text: string): Promise<Html | string> {
  const { request, view } = asked.shown;
  const all = await request.drafts.products(view.draft.id, text);
  if (all.length === 0) return '';
  const shown = all.slice(0, mostOfSheet);
  const lines = shown.map(
    ({ id, title, rows }) =>
      html`<tr><th scope="row">${words(title)}<br><small>${words(id)}</small></th><td class="n">${count(rows, 'row')}</td><td>${useProduct(asked, id, title)}</td></tr>`,
  );
  return html`<p>In this sheet, ${count(all.length, 'product')}.</p>${list(['Product', 'In'], lines)}${more(all.length, shown.length, undefined)}`;
}

function useProduct(asked: ShownRow, id: string, title: string): Html {
  const picked = { product_id: id, ...(title === '' ? {} : { product_title: title }) };
  return take(asked, picked, html`Use<span class="hidden"> ${title}</span>`);
}

async function showcase(asked: ShownRow, text: string): Promise<Html> {
  const { shown, row } = asked;
  const { request, checked, view } = shown;
  const creator = textIn(checked, row, 'creator');
  if (creator === '') return html`<p>The row has no creator yet, so there is no showcase to search.</p>`;
  const picked = await pickProducts(request.runtime, account(asked), creator, text);
  const { shown: fitting, found, searched } = picked;
  const lines = fitting.map(({ id, title, price, hasPicture }) => {
    const path = request.link(draftPath(view.draft.id, `/pictures/${row.number}/${encodeURIComponent(id)}`));
    return html`<tr><td>${hasPicture ? html`<img src="${path}" alt="" width="48" height="48" loading="lazy">` : ''}</td><th scope="row">${words(title)}<br><small>${words(id)}</small></th><td class="n">${words(price)}</td><td>${useProduct(asked, id, title)}</td></tr>`;
  });
  if (found === 0 && text === '') {
    return html`<p>The showcase of ${words(creator)} is empty. Products of the sheet are added to it when the campaign runs.</p>`;
  }
  return html`<p>The showcase of ${words(creator)}, ${count(found, 'product')}.</p>${list(['Picture', 'Product', 'Price'], lines)}${more(found, fitting.length, searched)}`;
}

async function music(asked: ShownRow, text: string): Promise<Html> {
  if (text.trim() === '') return html`<p class="note">Search for a title or an author.</p>`;
  const tracks = await searchMusic(asked.shown.request.runtime, text, {
    account: account(asked),
    most: mostMusic,
  });
  const lines = tracks.map(({ id, title = '', author = '', duration = '' }) => {
    const picked = { music_id: id, music_title: title, music_author: author, music_duration: duration };
    return html`<tr><th scope="row">${words(title)}</th><td>${words(author)}</td><td class="n">${words(duration)}</td><td>${take(asked, picked, html`Use<span class="hidden"> ${title}</span>`)}</td></tr>`;
  });
  return list(['Title', 'Author', 'Duration'], lines);
}

async function models(asked: ShownRow): Promise<Html> {
  const lines = [...videoModels, ...imageModels].map((model) => line(asked, model));
  return html`<p class="note">Videos have a duration and a size, pictures a ratio of width to height.</p>${list(['Model', 'Makes'], lines)}`;
}

function line(asked: ShownRow, model: string): Html {
  const { shown, row } = asked;
  const isVideo = videoModels.some((name) => name === model);
  const text = (name: ColumnName) => textIn(shown.checked, row, name);
  const field = (name: ColumnName, label: string) => {
    const choices = choicesOf(name, [model]);
    const [first = ''] = choices?.texts ?? [];
    const own = text(name);
    const value = own !== '' && (choices?.isOpen || choices?.texts.includes(own)) ? own : first;
    return html`<label>${label} ${choiceField(choices, { name: `p.${name}`, value, id: `${name}-${model}`, size: 9, isRequired: true })}</label> `;
  };
  const fields = isVideo
    ? html`${field('ai_seconds', 'Seconds')}${field('ai_size', 'Size')}${hidden('p.ai_aspect_ratio', '')}`
    : html`${field('ai_aspect_ratio', 'Ratio')}${hidden('p.ai_seconds', '')}${hidden('p.ai_size', '')}`;
  const form = take(asked, { ai_model: model }, html`Use<span class="hidden"> ${model}</span>`, {
    fields,
    // Other rows may have models of their own.
    names: [],
  });
  const own = text('ai_model') === model ? html` <b>its model</b>` : '';
  return html`<tr><th scope="row"><code>${model}</code>${own}</th><td>${isVideo ? 'a video' : 'pictures'}</td><td>${form}</td></tr>`;
}

/** The picture of a product in the showcase of the row's creator. */
export async function showPicture(request: PageRequest): Promise<ShownFile> {
  const asked = await readRow(request);
  const creator = textIn(asked.shown.checked, asked.row, 'creator');
  const product = request.params.product ?? '';
  const { contentType, bytes } = await pictureOfProduct(request.runtime, account(asked), creator, product);
  return {
    kind: 'file',
    contentType,
    bytes: bytes.length,
    read: (start, end) => Readable.from([bytes.subarray(start, end + 1)]),
    close: async () => undefined,
  };
}
