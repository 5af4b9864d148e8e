/** Lists to pick from: creators, products of a showcase, music, AI models. They fill cells of a draft, or the form of a row. */

import type { Right } from '../../app/access/roles.ts';
import {
  type PickedCreator,
  pickCreators,
  pickProducts,
  pictureOfProduct,
} from '../../app/drafts/pickers.ts';
import type { SheetProduct } from '../../app/drafts/suggestions/evidence.ts';
import { findMusic } from '../../app/drafts/suggestions/music.ts';
import { choicesOf, sizeOfRatio } from '../../manifest/cells/choices.ts';
import { creatorIn } from '../../manifest/cells/id.ts';
import { readDuration } from '../../manifest/cells/scalars.ts';
import type { ColumnName } from '../../manifest/columns.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { asSentence, plural, thousands } from '../../manifest/wording.ts';
import { aspectRatioPattern, imageModels, videoModels } from '../../service/contract/generation.ts';
import { fixOnDraft } from '../hints.ts';
import { type Html, html, words } from '../html.ts';
import type { PageRequest, Question, Route, ShownFile } from '../request.ts';
import { table } from './blocks.ts';
import { hidden, wayBack } from './form.ts';
import { choiceField } from './row-form.ts';
import { icon } from './state.ts';

const mostOfSheet = 30;

export interface Picking {
  readonly request: PageRequest;
  /** Name of the list; from the address. */
  readonly what: string;
  /** Products that other rows of the sheet have; undefined without a draft. */
  readonly sheetProducts?: ((text: string) => Promise<readonly SheetProduct[]>) | undefined;
  /** The row's text in a column. */
  readonly text: (column: ColumnName) => string;
  /** Name of the field of a column in the form that takes the entry. */
  readonly field: (column: ColumnName) => string;
  /** A form that takes the picked entry. */
  readonly take: (picked: Picked, label: Html, more?: More) => Html;
  /** Path of the list, and the fields of its address that a search keeps. */
  readonly path: string;
  readonly kept: readonly string[];
  readonly pictures: string;
  /** Path of the page that asked. */
  readonly back: string;
}

/** Texts for cells, by column: the sheet may lack some of them. */
export type Picked = Readonly<Partial<Record<ColumnName, string>>>;

export interface More {
  readonly fields: Html;
  /** All columns that the fields write. */
  readonly names: readonly ColumnName[];
}

interface List {
  readonly title: string;
  /** Label of the search field; undefined for a short list. */
  readonly search: string | undefined;
  /** The columns that may be written by hand instead; empty if the list has all that is allowed. */
  readonly written: readonly ColumnName[];
  readonly list: (of: Picking, text: string) => Promise<Html>;
}

const required = html` required`;

const lists: Readonly<Record<string, List | undefined>> = {
  creator: { title: 'Find a creator', search: 'Name, ID or tag', written: ['creator'], list: creators },
  product: {
    title: 'Find a product',
    search: 'Title or ID',
    written: ['product_id', 'product_title'],
    list: products,
  },
  music: { title: 'Find music', search: 'Title or author', written: ['music_id'], list: music },
  model: { title: 'Choose a model', search: undefined, written: [], list: models },
};

/**
 * The routes of the lists, and of the pictures in them.
 * @param page path of the page with the form. @param row part of the path of a picture that names the row, if the page does not.
 */
export function pickerRoutes(
  page: string,
  row: string,
  right: Right,
  read: (request: PageRequest) => Promise<Picking>,
): readonly Route[] {
  const handle = async (request: PageRequest) => askPicker(await read(request));
  const picture = async (request: PageRequest) => showPicture(await read(request));
  return [
    { method: 'get', path: `${page}/pick/:what`, right, handle },
    { method: 'get', path: `${page}/pictures${row}/:product`, right, handle: picture },
  ];
}

async function askPicker(of: Picking): Promise<Question> {
  const { request, what, back } = of;
  const picker = Object.hasOwn(lists, what) ? lists[what] : undefined;
  if (picker === undefined) throw new UseCaseError('draft_refused', 'there is no such list');
  const own = {
    creator: () => creatorIn(of.text('creator').trim()),
    music: () => of.text('music_title').trim() || of.text('music_id').trim(),
  };
  const asked = request.query.get('q') ?? (what === 'creator' || what === 'music' ? own[what]() : '');
  const text = asked.slice(0, 100);
  const found = await picker.list(of, text).catch(unlisted);
  return {
    kind: 'question',
    title: picker.title,
    body: html`${picker.search === undefined ? '' : searchForm(of, picker.search, text)}${found}${write(of, picker.written)}
      <p class="actions">${wayBack(request, back, 'Back')}</p>`,
  };
}

/** In place of a list that the service did not give. */
function unlisted(error: unknown): Html {
  if (!(error instanceof UseCaseError)) throw error;
  return html`<p>${icon('warning')} ${words(asSentence(error.message))} ${words(fixOnDraft(error.fix))}</p>`;
}

function searchForm({ request, path, kept }: Picking, label: string, text: string): Html {
  const { query, link } = request;
  const to = link(path);
  const fields = kept.map((name) => hidden(name, query.get(name)));
  return html`<form method="get" action="${to}" hx-get="${to}" hx-target="#question" hx-swap="innerHTML" class="actions">${fields}<label>${label} <input type="search" name="q" value="${text}" dir="auto"></label> <button>${icon('search')}Search</button></form>`;
}

/** Fields to write what the list does not have. */
function write(of: Picking, names: readonly ColumnName[]): Html | string {
  if (names.length === 0) return '';
  const fields = names.map(
    (name) =>
      html`<label>${name} ${choiceField(choicesOf(name), { name: of.field(name), value: of.text(name), size: 20, marks: required })}</label> `,
  );
  return html`<h3>Or write it</h3>${of.take({}, html`Use what I wrote`, { fields: html`${fields}`, names })}`;
}

function list(heads: readonly string[], lines: readonly Html[]): Html {
  if (lines.length === 0) return html`<p>Nothing fits.</p>`;
  const last = html`<th scope="col"><span class="hidden">Choose</span></th>`;
  return table({ of: 'question-title', className: 'stacked', heads: [...heads, last], lines });
}

function more(found: number, shown: number, searched: number | undefined): Html {
  const rest = found > shown ? `${thousands(found - shown)} more match: type more of the name. ` : '';
  const first = searched === undefined ? '' : `Only the first ${thousands(searched)} were searched.`;
  return html`${rest === '' && first === '' ? '' : html`<p class="note">${rest}${first}</p>`}`;
}

async function creators(of: Picking, text: string): Promise<Html> {
  const { runtime, query } = of.request;
  const own = await pickCreators(runtime, text);
  // Nobody has asked for the text of the cell.
  const isOpen = own.found > 0 || query.has('q');
  const { shown: fitting, found, searched } = isOpen ? own : await pickCreators(runtime, '');
  const lines = fitting.map(
    (each) =>
      html`<tr><th scope="row">${words(each.name)}${each.foundBy === undefined ? '' : html`<br><small>found by ${words(each.foundBy)}</small>`}</th><td>${each.region ?? ''}</td><td>${standing(each)}</td><td>${each.state === 'valid' ? of.take({ creator: each.name }, html`Use<span class="hidden"> ${each.name}</span>`) : ''}</td></tr>`,
  );
  return html`${!isOpen && html`<p>No creator matches “${words(text)}”. Here are all creators.</p>`}${list(['Creator', 'Region', 'May post'], lines)}${more(found, fitting.length, searched)}`;
}

function standing({ state, mayPostVideos, mayPostPhotos }: PickedCreator): Html | string {
  if (state === 'expired') {
    return html`<span class="state" data-state="failed">${icon('failed')} expired</span> Ask the creator to authorize again.`;
  }
  if (state === 'other_source') return 'nothing: this kind of authorization cannot publish';
  const kinds = [...(mayPostVideos ? ['videos'] : []), ...(mayPostPhotos ? ['photos'] : [])];
  return kinds.length === 0 ? 'nothing' : kinds.join(' and ');
}

async function products(of: Picking, text: string): Promise<Html> {
  return html`${await sheetProducts(of, text)}${await showcase(of, text).catch(unlisted)}`;
}

/** Products of other rows, which need no showcase. */
async function sheetProducts(of: Picking, text: string): Promise<Html | string> {
  const all = (await of.sheetProducts?.(text)) ?? [];
  if (all.length === 0) return '';
  const shown = all.slice(0, mostOfSheet);
  const lines = shown.map(
    ({ id, title, rows }) =>
      html`<tr><th scope="row">${words(title)}<br><small>${words(id)}</small></th><td class="n">${plural(rows, 'row')}</td><td>${useProduct(of, id, title)}</td></tr>`,
  );
  return html`<p>In this sheet, ${plural(all.length, 'product')}.</p>${list(['Product', 'In'], lines)}${more(all.length, shown.length, undefined)}`;
}

function useProduct(of: Picking, id: string, title: string): Html {
  const picked = { product_id: id, ...(title === '' ? {} : { product_title: title }) };
  return of.take(picked, html`Use<span class="hidden"> ${title}</span>`);
}

async function showcase(of: Picking, text: string): Promise<Html> {
  const { request } = of;
  const creator = of.text('creator');
  if (creator === '') return html`<p>The row has no creator yet, so there is no showcase to search.</p>`;
  const picked = await pickProducts(request.runtime, creator, text);
  const { shown: fitting, found, searched } = picked;
  const lines = fitting.map(({ id, title, price, hasPicture }) => {
    const path = request.link(`${of.pictures}/${encodeURIComponent(id)}`);
    return html`<tr><td>${hasPicture ? html`<img src="${path}" alt="" width="48" height="48" loading="lazy">` : ''}</td><th scope="row">${words(title)}<br><small>${words(id)}</small></th><td class="n">${words(price)}</td><td>${useProduct(of, id, title)}</td></tr>`;
  });
  if (found === 0 && text === '') {
    return html`<p>The showcase of ${words(creator)} is empty. Products of the sheet are added to it when the campaign runs.</p>`;
  }
  return html`<p>The showcase of ${words(creator)}, ${plural(found, 'product')}.</p>${list(['Picture', 'Product', 'Price'], lines)}${more(found, fitting.length, searched)}`;
}

async function music(of: Picking, text: string): Promise<Html> {
  if (text.trim() === '') return html`<p class="note">Search for a title or an author.</p>`;
  const tracks = await findMusic(of.request.runtime, text);
  const lines = tracks.map(({ id, title = '', author = '', duration = '' }) => {
    const picked = { music_id: id, music_title: title, music_author: author, music_duration: duration };
    return html`<tr><th scope="row">${words(title)}</th><td>${words(author)}</td><td class="n">${words(duration)}</td><td>${of.take(picked, html`Use<span class="hidden"> ${title}</span>`)}</td></tr>`;
  });
  return list(['Title', 'Author', 'Duration'], lines);
}

async function models(of: Picking): Promise<Html> {
  const lines = [...videoModels, ...imageModels].map((model) => line(of, model));
  return html`<p class="note">Videos have a duration and a size, pictures a ratio of width to height.</p>${list(['Model', 'Makes'], lines)}`;
}

function line(of: Picking, model: string): Html {
  const isVideo = videoModels.some((name) => name === model);
  const { text } = of;
  const size = text('ai_size').replace(/\s+/g, '');
  const sizeAsRatio = aspectRatioPattern.test(size) ? size : '';
  const owns = {
    ai_seconds: String(readDuration(text('ai_seconds'), 1000) ?? text('ai_seconds')),
    ai_size: sizeOfRatio(sizeAsRatio) ?? text('ai_size'),
    ai_aspect_ratio: text('ai_aspect_ratio') || sizeAsRatio,
  };
  const written = (['ai_seconds', 'ai_size', 'ai_aspect_ratio'] as const)
    .filter((name) => (name === 'ai_aspect_ratio') !== isVideo)
    .map((name) => {
      const choices = choicesOf(name, [model]);
      const [first = ''] = choices?.texts ?? [];
      const own = owns[name];
      return {
        name,
        choices,
        own,
        value: own !== '' && (choices?.isOpen || choices?.texts.includes(own)) ? own : first,
      };
    });
  const fields = written.map(
    ({ name, choices, value }) =>
      html`<label>${modelFields[name]} ${choiceField(choices, { name: of.field(name), value, id: `${name}-${model}`, size: 9, marks: required })}</label> `,
  );
  const cleared = isVideo
    ? (['ai_aspect_ratio', ...(Number(text('ai_count')) > 1 ? (['ai_count'] as const) : [])] as const)
    : ([
        'ai_seconds',
        'ai_size',
        ...(/^[yt1]/i.test(text('ai_watermark')) ? (['ai_watermark'] as const) : []),
      ] as const);
  const isLost = (name: ColumnName) =>
    text(name) !== '' && !(name === 'ai_size' && owns.ai_aspect_ratio === sizeAsRatio);
  const lost = cleared.filter(isLost).map((name) => `${name} (${text(name)})`);
  const changed = written
    .filter(({ own, value }) => own !== '' && own !== value)
    .map(({ name, own, value }) => `${name} becomes ${value}: this model has no ${own}.`);
  const told = [...(lost.length > 0 ? [`Clears ${lost.join(', ')}.`] : []), ...changed].join(' ');
  const form = of.take({ ai_model: model }, html`Use<span class="hidden"> ${model}</span>`, {
    fields: html`${fields}${cleared.map((name) => hidden(of.field(name), ''))}`,
    names: [...written.map(({ name }) => name), ...cleared],
  });
  const own = text('ai_model') === model ? html` <b>its model</b>` : '';
  return html`<tr><th scope="row"><code>${model}</code>${own}</th><td>${isVideo ? 'a video' : 'pictures'}</td><td>${form}${told !== '' && html`<small>${words(told)}</small>`}</td></tr>`;
}

const modelFields = { ai_seconds: 'Seconds', ai_size: 'Size', ai_aspect_ratio: 'Ratio' } as const;

/** The picture of a product in the showcase of the row's creator. */
async function showPicture({ request, text }: Picking): Promise<ShownFile> {
  const { product = '' } = request.params;
  return { kind: 'file', ...(await pictureOfProduct(request, text('creator'), product)) };
}
