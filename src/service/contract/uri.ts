/** URIs as requests carry them (RFC 3986). People write spaces and letters of their own script, which a URI holds percent-encoded. */
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { httpUrl } from './envelope.ts';
import { longestUrl, wholeText } from './texts.ts';

const withScheme = /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i;
/** What no URI may hold as it is. A percent sign begins an escape, or is one itself. */
const outside = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]|%(?![0-9a-f]{2})/giu;
const outsidePath = /[[\]]/g;
const parts = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([^#]*)(#?)(.*)$/is;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

const isUri = (text: string) => withScheme.test(text) && encodedParts(text) === text;

export const uri = z.string().refine(isUri, 'must be a URI').meta({ format: 'uri' });

/** An http or https URI. Data URLs, file paths and other schemes are refused. */
export const httpUri = httpUrl.refine(isUri, 'must be a URI');

/** An http or https URL in an answer. Nothing else may be fetched or sent to: a path would be a file of this machine. */
export const answeredUrl = wholeText(longestUrl)
  .refine((text) => !hasControlCharacters(text), 'it has control characters')
  .pipe(httpUrl);

/** Whether a text has a control character: percent-encoding would only hide it. */
export function hasControlCharacters(text: string): boolean {
  return controls.test(text) || !text.isWellFormed();
}

/** Percent-encoded where needed, a host of another script in ASCII. Text with control characters or without a scheme stays. */
export function uriOf(text: string): string {
  return hasControlCharacters(text) ? text : encodedParts(text);
}

function encodedParts(text: string): string {
  const [, scheme, authority = '', path = '', mark = '', fragment = ''] = parts.exec(text) ?? [];
  if (scheme === undefined) return encoded(text);
  const rest = encoded(path).replaceAll(outsidePath, encodeURIComponent);
  const end = encoded(fragment).replaceAll(/[[\]#]/g, encodeURIComponent);
  return `${scheme}${hostIn(authority)}${rest}${mark}${end}`;
}

function encoded(text: string): string {
  return text.replaceAll(outside, encodeURIComponent);
}

/** Host names are not percent-encoded. */
function hostIn(authority: string): string {
  if (/^[\x21-\x7e]*$/.test(authority)) return encoded(authority);
  const [, user = '', host = '', port = ''] = /^(.*@)?(.*?)(:\d*)?$/s.exec(authority) ?? [];
  return encoded(user) + (domainToASCII(host) || encoded(host)) + port;
}

export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
