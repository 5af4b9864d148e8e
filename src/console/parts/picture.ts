/** Pictures of posts: small ones in lists, and the post as the app would show it. Without a picture, its box says why. */
import { type PictureKind, picturesOf, type RowPicture } from '../../campaigns/rows/pictures.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { type Html, html, words } from '../html.ts';
import type { PageRequest } from '../request.ts';
import { rowPath } from './address.ts';
import { type IconName, icon } from './state.ts';

/** A picture, and where the console has it. */
export interface ShownPicture extends RowPicture {
  /** Path within the console; undefined without a file. */
  readonly path?: string | undefined;
}

/** The pictures of rows of a campaign, by position; for `thumbnail` and `preview`. */
export async function rowPictures(
  { runtime }: Pick<PageRequest, 'runtime'>,
  campaign: Campaign,
  rows: readonly { readonly position: number; readonly key: string }[],
): Promise<ReadonlyMap<number, ShownPicture>> {
  const keys = new Map(rows.map(({ position, key }) => [position, key]));
  const found = await picturesOf(runtime, campaign, [...keys.keys()]);
  const shown = [...found].map(([position, picture]): [number, ShownPicture] => [
    position,
    { ...picture, path: rowPath(campaign.id, keys.get(position) ?? '', '/media/media/0') },
  ]);
  return new Map(shown);
}

/** Width and height in CSS pixels: in lists, on cards of a week, in days of a month, and of a row beside its records. On phones, the stylesheet enlarges the cards. */
const sizes = { list: [28, 38], week: [40, 71], month: [20, 36], frame: [117, 208] } as const;

type PictureSize = keyof typeof sizes;

const none: ShownPicture = { kind: 'none', isVideo: false, source: '' };

/** The small picture of a post. The text beside it says what the post is, so the picture itself is silent. */
export function thumbnail(
  { link }: Pick<PageRequest, 'link'>,
  picture: ShownPicture = none,
  size: PictureSize = 'list',
): Html {
  const { kind, path } = picture;
  const className = size === 'list' ? 'pic' : `pic ${size}`;
  const [width, height] = sizes[size];
  if (kind === 'ready' && path !== undefined) {
    return html`<img class="${className}" src="${link(path)}" alt="" width="${width}" height="${height}" loading="lazy" decoding="async">`;
  }
  const { name, said } = placeholderOf(picture);
  return html`<span class="${className} no"><svg class="icon" width="16" height="16" role="img" aria-label="${said}"><use href="#i-${name}"/></svg></span>`;
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
  { link }: Pick<PageRequest, 'link'>,
  { picture = none, creator, caption, product, when }: PreviewedPost,
  facts: Html | string = '',
): Html {
  return html`<aside class="preview" aria-label="The post">
    <div class="screen">
      ${screen(picture, link)}
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

function screen(picture: ShownPicture, link: PageRequest['link']): Html {
  const { kind, isVideo, path } = picture;
  const address = path === undefined ? '' : link(path);
  if (address === '' || (kind !== 'ready' && kind !== 'undrawn')) {
    const { name, sentence } = placeholderOf(picture);
    return html`<p class="lack">${icon(name)}<span>${sentence}</span></p>`;
  }
  if (!isVideo) return html`<img src="${address}" alt="Picture of the post" width="248" height="441">`;
  return html`<video src="${address}" preload="none" width="248" height="441" aria-label="Video of the post"></video>
    <a class="play" href="${address}" aria-label="Play the video"><span>${icon('play')}</span></a>`;
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
      sentence: 'Remote file: fetched at the step Upload',
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
    none: { name: 'file', said: 'No file', sentence: 'This row names no file' },
  };
  return placeholders[kind];
}
