/** Normalizes the public URL of a published video to the form that identifies it on the watch list. */
import { createHash } from 'node:crypto';
import { hasControlCharacters, uriOf } from '../../service/contract/uri.ts';
import { hasLaterLink } from './media-source.ts';

/** Longer URLs are refused. UTF-16 units. */
export const maxVideoUrlLength = 2000;

export type VideoUrlFault = 'invalid_url' | 'url_credentials' | 'too_long' | 'invisible_characters';

/** Parameters that only say where a link was shared. No parameter here may identify a video on any platform. */
const trackers: ReadonlySet<string> = new Set(
  (
    'fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid twclid ttclid li_fat_id mc_cid mc_eid igshid igsh ' +
    '_ga _gl vero_id is_from_webapp is_copy_url sender_device sender_web_id ' +
    // Of links that apps share.
    '_r _t _d share_app_id share_link_id share_item_id share_iid share_author_id social_share_type ' +
    'social_sharing sec_user_id tt_from u_code ug_btm ug_photo_idx preview_pb enter_from enter_method refer ' +
    'referer_url referer_video_id si mibextid rdid'
  ).split(' '),
);

/** Lowercase host, no default port, fragment or tracking parameters. All else may identify the video. */
export function readVideoUrl(text: string): { readonly url: string } | { readonly fault: VideoUrlFault } {
  const trimmed = text.trim();
  if (trimmed.length > maxVideoUrlLength) return { fault: 'too_long' };
  if (hasControlCharacters(trimmed)) return { fault: 'invisible_characters' };
  const uri = uriOf(trimmed);
  if (hasLaterLink(trimmed) || !/^https?:\/\/[^/?#]/i.test(uri) || !URL.canParse(uri))
    return { fault: 'invalid_url' };
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '') return { fault: 'url_credentials' };
  return { url: `${url.origin}${url.pathname}${withoutTrackers(url.search)}` };
}

/** Cuts whole parameters out of the text, so that the others keep their encoding and order. */
function withoutTrackers(search: string): string {
  if (search.length <= 1) return '';
  const kept = search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !isTracker(parameter));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

function isTracker(parameter: string): boolean {
  const [name = ''] = parameter.split('=', 1);
  const folded = name.toLowerCase();
  return folded.startsWith('utm_') || trackers.has(folded);
}

/** Id of a video: 96 bits of the SHA-256 of what its normalized URL has in all its forms, 16 characters that fit into a URL. */
export function videoIdOf(url: string): string {
  return createHash('sha256').update(commonForm(url)).digest().subarray(0, 12).toString('base64url');
}

/** Phones share `m.`, old links are `http`, some end with a slash. Such a form may lead nowhere: it is never sent. */
function commonForm(text: string): string {
  const url = new URL(text);
  const scheme = url.protocol === 'http:' && url.port === '' ? 'https:' : url.protocol;
  const labels = url.host.replace(/^m\.(?=[^.]+\.)/, 'www.');
  const host = /^[a-z0-9-]+\.[a-z]{2,}$/.test(labels) ? `www.${labels}` : labels;
  let end = url.pathname.length;
  while (end > 1 && url.pathname.charAt(end - 1) === '/') end -= 1;
  return `${scheme}//${host}${url.pathname.slice(0, end)}${url.search}`;
}

/** The long number in the path of a link, which platforms number their videos by; undefined if it has none. */
export function longNumberIn(url: string): string | undefined {
  return /\d{15,40}/.exec(new URL(url).pathname)?.[0];
}
