/** Pictures of posts: small ones in lists, and the post as the app would show it. Without a picture, its box says why. */
import {
  noPicture,
  type PictureColumn,
  type PictureKind,
  picturesOf,
  type RowPicture,
} from '../../app/campaigns/rows/pictures.ts';
import { draftPicturesOf, plannedPicturesOf } from '../../app/drafts/pictures.ts';
import type { CheckedDraft, DraftRow, DraftView } from '../../app/drafts/view.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { capitalized } from '../../manifest/wording.ts';
import { type Html, html, words } from '../html.ts';
import type { PageRequest } from '../request.ts';
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

/** The pictures of rows of several campaigns, by place. @param items rows of these campaigns. @param placeOf names one. */
export async function picturesOfAll<
  Item extends { readonly campaign: string; readonly position: number; readonly key: string },
>(
  request: Pick<PageRequest, 'runtime' | 'pictures'>,
  campaigns: readonly Campaign[],
  items: readonly Item[],
  placeOf: (item: Pick<Item, 'campaign' | 'position'>) => string,
): Promise<ReadonlyMap<string, ShownPicture>> {
  const found = campaigns.map(async (campaign) => {
    const rows = items.filter((item) => item.campaign === campaign.id);
    const pictures = rows.length === 0 ? [] : await rowPictures(request, campaign, rows);
    return [...pictures].map(
      ([position, picture]) => [placeOf({ campaign: campaign.id, position }), picture] as const,
    );
  });
  return new Map((await Promise.all(found)).flat());
}

export type DraftPictures = ReadonlyMap<number, ShownPicture>;

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
    const path = picture.kind === 'ready' ? `/media/drafts/${draft}/${number}/${index}` : undefined;
    return [number, { ...picture, path, video: picture.plays && path }];
  });
  return new Map(shown);
}

/** Path of a medium of a row within the console. @param column also `ai_references`. */
export function mediumPath(campaign: string, key: string, column: string, index: number): string {
  return `/media/campaigns/${encodeURIComponent(campaign)}/${encodeURIComponent(key)}/${column}/${index}`;
}

/** Width and height in CSS pixels: in lists, on cards of a week, in days of a month, and of a row beside its records. On phones, the stylesheet enlarges the cards. */
const sizes = {
  list: [28, 38],
  week: [52, 92],
  month: [20, 36],
  frame: [117, 208],
  cover: [132, 206],
} as const;

type PictureSize = keyof typeof sizes;

type At = Pick<PageRequest, 'link'>;

/** An address changes with the file, so that browsers keep what they got. */
function address({ link }: At, path: string, { version }: ShownPicture): string {
  return link(version === '' ? path : `${path}?v=${version}`);
}

/** The address of a small version: rows of one file share it. That of a file which is not here yet is the row's. */
function smallAddress(
  { link }: At,
  { small, path, isVideo }: ShownPicture,
  width: number,
): string | undefined {
  const from = small === undefined ? (isVideo ? undefined : path) : `/media/small/${small}`;
  return from && link(`${from}?w=${width <= 48 ? 96 : 240}`);
}

/**
 * Attributes of a video that shows its cover, else one frame: the script loads it where it is in sight, and plays it while the pointer
 * rests on it.
 */
function frame(at: At, path: string, picture: ShownPicture): Html {
  // A time to go to would replace the poster.
  const time = picture.column === 'cover' ? '' : `#t=${(picture.frameMs ?? usualFrameMs) / 1000}`;
  return html`data-src="${address(at, path, picture)}${time}" preload="metadata" muted playsinline`;
}

/** The first frame of many videos is black. */
const usualFrameMs = 100;

const unseen: ReadonlySet<PictureKind> = new Set(['missing', 'prompt', 'unshown', 'none']);

/** What can be shown of a picture: the file is here, or the console fetches it from the other server. */
function shownPath({ kind, path }: ShownPicture): string | undefined {
  return unseen.has(kind) ? undefined : path;
}

/**
 * The small picture of a post, above a sign of what it is. The text beside it says what the post is, so the picture itself is silent.
 * What is on another server is fetched only if it comes in sight.
 */
export function thumbnail(at: At, picture: ShownPicture = noPicture, size: PictureSize = 'list'): Html {
  const path = shownPath(picture);
  const [width, height] = sizes[size];
  const { name, said } = placeholderOf(picture);
  const small = path && smallAddress(at, picture, width);
  const className = `pic${size === 'list' ? '' : ` ${size}`}${picture.kind === 'missing' ? ' gone' : ''}`;
  const lazy = picture.small === undefined ? html` loading="lazy"` : '';
  const shown = small
    ? html`<img src="${small}" alt="" width="${width}" height="${height}"${lazy} decoding="async">`
    : path && html`<video ${frame(at, path, picture)}></video>`;
  return html`<span class="${className}">${icon(name, said)}${shown ?? ''}</span>`;
}

export const pictureColumn = html`<th scope="col"><span class="hidden">Picture</span></th>`;

export interface PreviewedPost {
  readonly picture: ShownPicture | undefined;
  readonly creator: string;
  readonly caption: string;
  readonly product: string;
  /** Its time, in words; empty if there is none. */
  readonly when: string;
}

/** The post as the app would show it, 248 pixels wide. @param facts stands below it, such as a `.facts` list. */
export function preview(at: At, post: PreviewedPost, facts: Html | string | false = ''): Html {
  return html`<aside class="preview" aria-label="The post">${postScreen(at, post)}${facts}</aside>`;
}

/** The post alone, as one of several. */
export function postScreen(
  at: At,
  { picture = noPicture, creator, caption, product, when }: PreviewedPost,
): Html {
  return html`<div class="screen">
      ${screen(at, picture)}
      <div class="over">
        ${product === '' ? '' : html`<span class="anchor">${icon('bag')}<span>${words(product)}</span></span>`}
        <b>${words(creator)}</b>
        ${caption === '' ? '' : html`<p>${words(caption)}</p>`}
        ${when === '' ? '' : html`<small>${when}</small>`}
      </div>
    </div>`;
}

function screen(at: At, picture: ShownPicture): Html {
  const { kind, isVideo, video } = picture;
  const path = shownPath(picture);
  const { name, sentence } = placeholderOf(picture);
  const lack = kind === 'ready' ? '' : html`<p class="lack">${icon(name)}<span>${sentence}</span></p>`;
  if (video !== undefined) {
    const still = path && smallAddress(at, picture, 248);
    const poster = still ? html` poster="${still}"` : '';
    // Else the version is that of the cover.
    const own = isVideo ? picture : { ...picture, version: '' };
    return html`${lack}<video ${frame(at, video, own)}${poster} width="248" height="441" aria-label="Video of the post"></video>
    <a class="play" href="${at.link(video)}" aria-label="Play the video"><span>${icon('play')}</span></a>`;
  }
  const image =
    path !== undefined && !isVideo
      ? html`<img src="${address(at, path, picture)}" alt="Picture of the post" width="248" height="441">`
      : '';
  return html`${lack}${image}`;
}

interface Placeholder {
  readonly name: IconName;
  /** For screen readers, in lists; undefined where the text beside it says it. */
  readonly said: string | undefined;
  /** In the preview. */
  readonly sentence: Html | string;
}

function placeholderOf({ kind, isVideo, source, path }: ShownPicture): Placeholder {
  const what = isVideo ? 'video' : 'picture';
  const placeholders: Readonly<Record<PictureKind, Placeholder>> = {
    ready: { name: isVideo ? 'film' : 'file', said: undefined, sentence: `The ${what} is not shown` },
    remote: {
      name: 'link',
      said: path === undefined ? 'Remote file: no picture yet' : 'Remote file',
      sentence: `${capitalized(what)} not loaded yet`,
    },
    generated: { name: 'ai', said: `AI ${what}`, sentence: `AI ${what} not loaded yet` },
    prompt: {
      name: 'ai',
      said: 'Prompt: no result yet',
      sentence: `No ${what} yet: it is generated from the prompt`,
    },
    missing: { name: 'gone', said: 'File missing', sentence: html`${words(source)} is missing` },
    unshown: {
      name: 'file',
      said: 'Format not shown',
      sentence: html`${words(source)} has a format that browsers do not show`,
    },
    none: { name: 'file', said: 'No picture', sentence: 'There is no file to show' },
  };
  return placeholders[kind];
}
