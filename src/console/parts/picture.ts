/** Pictures of posts: small ones in lists, and the post as the app would show it. Without a picture, its box says why. */
import {
  noPicture,
  type PictureColumn,
  type PictureKind,
  picturesOf,
  type RowPicture,
} from '../../campaigns/rows/pictures.ts';
import { draftPicturesOf, plannedPicturesOf } from '../../drafts/pictures.ts';
import type { CheckedDraft, DraftRow, DraftView } from '../../drafts/view.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { type Html, html, words } from '../html.ts';
import type { PageRequest } from '../request.ts';
import { mayChange } from './form.ts';
import { type IconName, icon } from './state.ts';

/** A picture, and where the console has it. */
export interface ShownPicture extends RowPicture {
  /** Path of the picture within the console; undefined without a file. */
  readonly path?: string | undefined;
  /** Path of the video to play. */
  readonly video?: string | undefined;
}

/** The pictures of rows of a campaign, by position; for `thumbnail` and `preview`. */
export async function rowPictures(
  { runtime, pictures }: Pick<PageRequest, 'runtime' | 'pictures'>,
  campaign: Campaign,
  rows: readonly { readonly position: number; readonly key: string }[],
): Promise<ReadonlyMap<number, ShownPicture>> {
  const keys = new Map(rows.map(({ position, key }) => [position, key]));
  const found = await picturesOf(runtime, pictures, campaign, [...keys.keys()]);
  const shown = [...found].map(([position, picture]): [number, ShownPicture] => {
    const at = (column: PictureColumn) => mediumPath(campaign.id, keys.get(position) ?? '', column, 0);
    const { source, column, plays } = picture;
    return [
      position,
      { ...picture, path: source === '' ? undefined : at(column), video: plays && at(plays) },
    ];
  });
  return new Map(shown);
}

export type DraftPictures = ReadonlyMap<number, ShownPicture>;

/** The pictures of rows of a draft, by number. */
export async function draftPictures(
  { pictures }: Pick<PageRequest, 'pictures'>,
  view: DraftView,
  checked: CheckedDraft,
  rows: readonly DraftRow[],
): Promise<DraftPictures> {
  return shownOfDraft(view.draft.id, '0', await draftPicturesOf(pictures, view, checked, rows));
}

/** The pictures of rows of a draft as its last check found them, by number. */
export async function plannedPictures(
  { pictures, drafts }: Pick<PageRequest, 'pictures' | 'drafts'>,
  draft: string,
  numbers: ReadonlySet<number>,
): Promise<ReadonlyMap<number, ShownPicture>> {
  const plan = await drafts.plans.find(draft);
  const found = plan === undefined ? new Map() : await plannedPicturesOf(pictures, plan, numbers);
  return shownOfDraft(draft, 'planned', found);
}

function shownOfDraft(
  draft: string,
  index: '0' | 'planned',
  found: ReadonlyMap<number, RowPicture>,
): ReadonlyMap<number, ShownPicture> {
  const shown = [...found].map(([number, picture]): [number, ShownPicture] => {
    const isHere = picture.kind === 'ready' || picture.kind === 'undrawn';
    const path = isHere ? `/media/drafts/${draft}/${number}/${index}` : undefined;
    return [number, { ...picture, path, video: picture.plays && path }];
  });
  return new Map(shown);
}

/** Path of a medium of a row within the console. @param column also `ai_references`. */
export function mediumPath(campaign: string, key: string, column: string, index: number): string {
  return `/media/campaigns/${encodeURIComponent(campaign)}/${encodeURIComponent(key)}/${column}/${index}`;
}

/** Width and height in CSS pixels: in lists, on cards of a week, in days of a month, and of a row beside its records. On phones, the stylesheet enlarges the cards. */
const sizes = { list: [28, 38], week: [40, 71], month: [20, 36], frame: [117, 208] } as const;

type PictureSize = keyof typeof sizes;

type At = Pick<PageRequest, 'link' | 'person'>;

/** The address of a small version. It changes with the picture, so that browsers keep it. */
function smallAddress({ link }: At, { path = '', version }: ShownPicture): string {
  return link(`${path}?w=96&v=${version}`);
}

/**
 * Attributes of a picture that has no small version: the script draws one where the picture is in sight, and offers it to the server if
 * the person is an operator.
 */
function toDraw(at: At, { kind, path, wantsSmall, isVideo, frameMs }: ShownPicture): Html | string {
  if (!wantsSmall || path === undefined) return '';
  const isKnown = kind === 'ready' || kind === 'undrawn';
  const frame = isVideo ? html` data-at="${(frameMs ?? 100) / 1000}"` : '';
  return html` data-draw="${at.link(path)}" data-type="${isKnown ? (isVideo ? 'video' : 'image') : ''}"${frame}${mayChange(at) && html` data-offer`}`;
}

/** The small picture of a post. The text beside it says what the post is, so the picture itself is silent. */
export function thumbnail(at: At, picture: ShownPicture = noPicture, size: PictureSize = 'list'): Html {
  const className = size === 'list' ? 'pic' : `pic ${size}`;
  const [width, height] = sizes[size];
  if (picture.kind === 'ready' && picture.path !== undefined) {
    return html`<img class="${className}" src="${smallAddress(at, picture)}" alt="" width="${width}" height="${height}" loading="lazy" decoding="async"${toDraw(at, picture)}>`;
  }
  const { name, said } = placeholderOf(picture);
  return html`<span class="${className} no"${toDraw(at, picture)}>${icon(name, said)}</span>`;
}

/** The heading of a column of pictures. */
export const pictureColumn = html`<th scope="col"><span class="hidden">Picture</span></th>`;

/** What a post shows, in the words of its row. */
export interface PreviewedPost {
  readonly picture: ShownPicture | undefined;
  readonly creator: string;
  readonly caption: string;
  readonly product: string;
  /** Its time, in words; empty if there is none. */
  readonly when: string;
}

/** The post as the app would show it, 248 pixels wide. @param facts stands below it, such as a `.facts` list. */
export function preview(
  at: At,
  { picture = noPicture, creator, caption, product, when }: PreviewedPost,
  facts: Html | string = '',
): Html {
  return html`<aside class="preview" aria-label="The post">
    <div class="screen">
      ${screen(at, picture)}
      <div class="over">
        ${product === '' ? '' : html`<span class="anchor">${icon('bag')}<span>${words(product)}</span></span>`}
        <b>${words(creator)}</b>
        ${caption === '' ? '' : html`<p>${words(caption)}</p>`}
        ${when === '' ? '' : html`<small>${when}</small>`}
      </div>
    </div>
    ${facts}
  </aside>`;
}

function screen(at: At, picture: ShownPicture): Html {
  const { kind, isVideo, path, video } = picture;
  if (video !== undefined) {
    const poster = kind === 'ready' ? html` poster="${smallAddress(at, picture)}"` : '';
    return html`<video src="${at.link(video)}" preload="none"${poster} playsinline width="248" height="441" aria-label="Video of the post"${toDraw(at, picture)}></video>
    <a class="play" href="${at.link(video)}" aria-label="Play the video"><span>${icon('play')}</span></a>`;
  }
  if (path !== undefined && !isVideo && (kind === 'ready' || kind === 'undrawn'))
    return html`<img src="${at.link(path)}" alt="Picture of the post" width="248" height="441">`;
  const { name, sentence } = placeholderOf(picture);
  return html`<p class="lack"${toDraw(at, picture)}>${icon(name)}<span>${sentence}</span></p>`;
}

interface Placeholder {
  readonly name: IconName;
  /** For screen readers, in lists. */
  readonly said: string;
  /** In the preview. */
  readonly sentence: Html | string;
}

function placeholderOf({ kind, isVideo, source }: ShownPicture): Placeholder {
  const what = isVideo ? 'video' : 'picture';
  const placeholders: Readonly<Record<PictureKind, Placeholder>> = {
    ready: { name: isVideo ? 'film' : 'file', said: `The ${what}`, sentence: `The ${what} is not shown` },
    undrawn: {
      name: isVideo ? 'film' : 'file',
      said: `${isVideo ? 'Video' : 'Large picture'}: no preview yet`,
      sentence: `No preview of the ${what} yet`,
    },
    remote: {
      name: 'link',
      said: 'Remote file: no picture yet',
      sentence: 'The file on the other server is not fetched yet',
    },
    generated: {
      name: 'ai',
      said: `AI ${what}: no picture yet`,
      sentence: `The AI ${what} is not fetched yet`,
    },
    prompt: {
      name: 'ai',
      said: 'Prompt: no result yet',
      sentence: `No ${what} yet: it is generated from the prompt`,
    },
    missing: { name: 'gone', said: 'File missing', sentence: html`${words(source)} is missing` },
    none: { name: 'file', said: 'No picture', sentence: 'There is no file to show' },
  };
  return placeholders[kind];
}
