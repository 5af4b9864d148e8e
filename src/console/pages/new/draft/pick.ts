/** Lists to pick from: creators, products of a showcase, music, AI models. The picked entry fills cells of a row or a band. */
import { Readable } from 'node:stream';
import { imageModels, videoModels, videoSeconds } from '../../../../api/contract/generation.ts';
import { searchMusic } from '../../../../campaigns/look-up.ts';
import { textIn } from '../../../../drafts/check/shown.ts';
import {
  type PickedCreator,
  pickCreators,
  pickProducts,
  pictureOfProduct,
} from '../../../../drafts/pickers/lists.ts';
import type { ColumnName } from '../../../../manifest/columns.ts';
import { UseCaseError } from '../../../../runtime/use-case-error.ts';
import { capitalized, sentence } from '../../../../runtime/wording.ts';
import { cureOnDraft } from '../../../hints.ts';
import { type Html, html, words } from '../../../html.ts';
import { table } from '../../../parts/blocks.ts';
import { hidden, options, wayBack } from '../../../parts/form.ts';
import { count, number } from '../../../parts/numbers.ts';
import { icon } from '../../../parts/state.ts';
import type { PageRequest, Question, ShownFile } from '../../../request.ts';
import { readRow, type ShownRow } from './row.ts';
import { draftForm, draftPath } from './shown.ts';

const mostMusic = 30;

interface Picker {
  readonly title: string;
  /** Label of the search field; undefined for a short list. */
  readonly search: string | undefined;
  readonly list: (asked: ShownRow, text: string) => Promise<Html>;
}

const pickers: Readonly<Record<string, Picker | undefined>> = {
  creator: { title: 'Find a creator', search: 'Name, id or tag', list: creators },
  product: { title: 'Find a product', search: 'Title or id', list: products },
  music: { title: 'Find music', search: 'Title or author', list: music },
  model: { title: 'Choose a model', search: undefined, list: models },
};

export async function askPick(request: PageRequest): Promise<Question> {
  const { params, query } = request;
  const picker = Object.hasOwn(pickers, params.what ?? '') ? pickers[params.what ?? ''] : undefined;
  if (picker === undefined) throw new UseCaseError('draft_refused', 'there is no such list');
  const asked = await readRow(request);
  const text = (query.get('q') ?? '').slice(0, 100);
  const found = await picker.list(asked, text).catch((error: unknown) => {
    if (!(error instanceof UseCaseError)) throw error;
    return html`<p>${icon('warning')} ${words(capitalized(sentence(error.message)))} ${words(cureOnDraft(error.cure))}</p>`;
  });
  const to = draftPath(params.draft ?? '');
  return {
    kind: 'question',
    title: picker.title,
    section: '/campaigns',
    body: html`${picker.search === undefined ? '' : searchForm(request, picker.search, text)}${found}
      <p class="actions">${wayBack(request, to, 'Back')}</p>`,
  };
}

function searchForm(request: PageRequest, label: string, text: string): Html {
  const { params, query, link } = request;
  const path = link(draftPath(params.draft ?? '', `/pick/${params.what}`));
  const kept = ['row', 'group', 'band', 'rows', 'page'].map((name) => hidden(name, query.get(name)));
  return html`<form method="get" action="${path}" hx-get="${path}" hx-target="#question" hx-swap="innerHTML" class="actions">${kept}<label>${label} <input type="search" name="q" value="${text}" dir="auto"></label> <button>${icon('search')}Search</button></form>`;
}

/** Texts for the cells of the columns that the sheet has. */
type Picked = Readonly<Partial<Record<ColumnName, string>>>;

/** A form that writes the picked entry into the cells. @param more further fields. */
function take({ shown, row }: ShownRow, picked: Picked, label: Html, more: Html | string = ''): Html {
  const { checked, request } = shown;
  const group = request.query.get('group') ?? '';
  const band = request.query.get('band') ?? '';
  const fields = Object.entries(picked).flatMap(([name, text]) => {
    const column = checked.columns.find((each) => each.column === name);
    return column === undefined ? [] : [hidden(`p.${column.position}`, text)];
  });
  if (fields.length === 0) return html``;
  return draftForm(shown, {
    path: '/picked',
    className: more === '' ? '' : 'actions',
    body: html`${hidden('row', row.number)}${hidden('group', group)}${hidden('band', band)}${fields}${more}<button>${label}</button>`,
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
      html`<tr><th scope="row">${words(each.name)}</th><td>${each.region ?? ''}</td><td>${standing(each)}</td><td>${each.state === 'valid' ? take(asked, { creator: each.name }, html`Use<span class="hidden"> ${each.name}</span>`) : ''}</td></tr>`,
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
  const { shown, row } = asked;
  const { request, checked, view } = shown;
  const creator = textIn(checked, row, 'creator');
  if (creator === '') return html`<p>The row has no creator yet, so there is no showcase to search.</p>`;
  const picked = await pickProducts(request.runtime, account(asked), creator, text);
  const { shown: fitting, found, searched } = picked;
  const lines = fitting.map(({ id, title, price, hasPicture }) => {
    const path = request.link(draftPath(view.draft.id, `/pictures/${row.number}/${encodeURIComponent(id)}`));
    return html`<tr><td>${hasPicture ? html`<img src="${path}" alt="" width="48" height="48" loading="lazy">` : ''}</td><th scope="row">${words(title)}<br><small>${words(id)}</small></th><td class="n">${words(price)}</td><td>${take(asked, { product_id: id, ...(title === '' ? {} : { product_title: title }) }, html`Use<span class="hidden"> ${title}</span>`)}</td></tr>`;
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

const sizes = ['720x1280', '1280x720', '1080x1920', '1920x1080', '1024x1024'];
const ratios = ['9:16', '16:9', '1:1', '3:4', '4:3'];

async function models(asked: ShownRow): Promise<Html> {
  const lines = [...videoModels, ...imageModels].map((model) => line(asked, model));
  return html`<p class="note">Videos have a size, pictures a ratio of width to height.</p>${list(['Model', 'Makes'], lines)}`;
}

function line(asked: ShownRow, model: string): Html {
  const video = videoModels.find((name) => name === model);
  const of = (name: ColumnName) =>
    asked.shown.checked.columns.find(({ column }) => column === name)?.position;
  const field = (name: ColumnName, label: string, choices: readonly (string | number)[]) => {
    const position = of(name);
    return position === undefined
      ? ''
      : html`<label>${label} <select name="p.${position}">${options(choices.map(String), undefined)}</select></label> `;
  };
  const empty = (name: ColumnName) => {
    const position = of(name);
    return position === undefined ? '' : hidden(`p.${position}`, '');
  };
  const fields =
    video === undefined
      ? html`${field('ai_aspect_ratio', 'Ratio', ratios)}${empty('ai_seconds')}${empty('ai_size')}`
      : html`${field('ai_seconds', 'Seconds', videoSeconds[video])}${field('ai_size', 'Size', sizes)}${empty('ai_aspect_ratio')}`;
  const form = take(asked, { ai_model: model }, html`Use<span class="hidden"> ${model}</span>`, fields);
  return html`<tr><th scope="row"><code>${model}</code></th><td>${video === undefined ? 'pictures' : 'a video'}</td><td>${form}</td></tr>`;
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
