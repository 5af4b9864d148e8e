/** Texts about a video, shared by the list and the video's page. */
import { html } from 'hono/html';
import type { VideoState } from '../../../ledger/videos/video.ts';
import type { Html } from '../../html.ts';
import { type IconName, icon } from '../../parts/icons.ts';
import { words } from '../../parts/language.ts';
import type { PageRequest } from '../../request.ts';

interface Named {
  readonly caption: string | null;
  readonly label: string | null;
  readonly video_url: string;
}

const longestTitle = 80;

/** Title of a video: its label, else its caption, else its address. */
export function titleOf({ label, caption, video_url }: Named): string {
  const text = label ?? (caption?.trim().split(/[\r\n]/, 1)[0] || withoutScheme(video_url));
  return text.length > longestTitle ? `${text.slice(0, longestTitle).toWellFormed()}…` : text;
}

export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '');
}

export function videoLink({ link }: PageRequest, id: string, title: string): Html {
  return html`<a href="${link(`/videos/${id}`)}">${words(title)}</a>`;
}

/** Link to the row that a video belongs to. @param known campaigns of this ledger. */
export function rowLink(
  { link }: PageRequest,
  { campaign, key }: { readonly campaign: string | null; readonly key: string | null },
  known: ReadonlyMap<string, string>,
): Html | string {
  if (key === null) return '';
  if (campaign === null || !known.has(campaign)) return words(key);
  return html`<a href="${link(`/campaigns/${campaign}/rows/${encodeURIComponent(key)}`)}">${words(key)}</a>`;
}

const states: Readonly<
  Record<VideoState, { readonly tone: string; readonly icon: IconName; readonly word: string }>
> = {
  ok: { tone: 'done', icon: 'posted', word: 'read' },
  new: { tone: 'running', icon: 'running', word: 'new' },
  failing: { tone: 'warning', icon: 'warning', word: 'failing' },
  gone: { tone: 'failed', icon: 'gone', word: 'gone' },
};

export function wordOfState(state: VideoState): string {
  return states[state].word;
}

/** @param place `tag`: beside the title of a page. */
export function videoBadge(state: VideoState, place = ''): Html {
  const { tone, icon: name, word } = states[state];
  return html`<span class="state ${place}" data-state="${tone}">${icon(name)} ${word}</span>`;
}
