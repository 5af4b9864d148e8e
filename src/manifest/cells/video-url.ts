/** The public URL of a published video, in the one form that identifies it on the watch list. */
import { createHash } from 'node:crypto';
import { hasControlCharacters, uriOf } from '../../api/contract/uri.ts';

/** Longer URLs are refused. UTF-16 units. */
export const maxVideoUrlLength = 2000;

/** Why a text is not the URL of a video. */
export type VideoUrlFault = 'invalid_url' | 'url_credentials' | 'too_long' | 'invisible_characters';

/** Parameters that only tell where a link was shared. Nothing here may identify a video on any platform. */
const trackers: ReadonlySet<string> = new Set(
  (
    'fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid twclid ttclid li_fat_id mc_cid mc_eid igshid igsh ' +
    '_ga _gl vero_id is_from_webapp is_copy_url sender_device sender_web_id'
  ).split(' '),
);

/**
 * Normalizes a URL: lowercase host, no default port, no fragment, no tracking parameters. All else stays as it is, because it may
 * identify the video.
 */
export function readVideoUrl(text: string): { readonly url: string } | { readonly fault: VideoUrlFault } {
  const trimmed = text.trim();
  if (trimmed.length > maxVideoUrlLength) return { fault: 'too_long' };
  if (hasControlCharacters(trimmed)) return { fault: 'invisible_characters' };
  const uri = uriOf(trimmed);
  if (!/^https?:\/\/[^/?#]/i.test(uri) || !URL.canParse(uri)) return { fault: 'invalid_url' };
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

/** Id of a video: 96 bits of the SHA-256 of its normalized URL, 16 characters that fit into a URL. */
export function videoIdOf(url: string): string {
  return createHash('sha256').update(url).digest().subarray(0, 12).toString('base64url');
}
