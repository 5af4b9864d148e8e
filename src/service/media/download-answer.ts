/** What the answer to a download means: a file, a redirect, or why there is no file. */
import type { Dispatcher } from 'undici';
import { ProxyError } from '../../platform/net/proxy.ts';
import { parseMediaUrl } from './addresses.ts';
import { looksLikePage, typeOfBytes } from './content-type.ts';
import { MediaError } from './errors.ts';

/** What storages answer to a URL that is too old, without its signature, or of a file that was removed. */
const expired: ReadonlySet<number> = new Set([401, 403, 404, 410]);

export function checkStatus({ statusCode: status }: Dispatcher.ResponseData, source: string): void {
  if (status === 200) return;
  if (status >= 300 && status < 400) {
    const problem = `The URL redirects (HTTP ${status}) without naming another address.`;
    throw new MediaError('media_download_refused', problem, source);
  }
  if (expired.has(status)) {
    const problem = `The URL answered with HTTP ${status}. It may have expired, or is not public.`;
    throw new MediaError('media_url_expired', problem, source);
  }
  const mayPass = status >= 500 || status === 408 || status === 425 || status === 429;
  const code = mayPass ? 'media_download_failed' : 'media_download_refused';
  throw new MediaError(code, `The URL answered with HTTP ${status}.`, source);
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  const { location } = headers;
  return redirects.has(statusCode) && typeof location === 'string' ? location : undefined;
}

/** @throws {MediaError} if a redirect leads where no URL of a sheet may lead, or gives up the encryption. */
export function nextUrl(from: URL, location: string, source: string): URL {
  const next = URL.parse(location, from.href);
  try {
    if (next === null) throw new MediaError('media_url_invalid', 'This is not an http or https URL.', source);
    const url = parseMediaUrl(next.href);
    if (from.protocol === 'https:' && url.protocol === 'http:') {
      throw new MediaError('media_download_refused', 'It leads from https to http.', source);
    }
    return url;
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    throw new MediaError('media_download_refused', `The redirect is refused. ${error.message}`, source);
  }
}

export function isPage({ headers }: Dispatcher.ResponseData): boolean {
  const type = headers['content-type'];
  return typeof type === 'string' && /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type);
}

/** @param isCalledPage some servers call every file a web page, so the first bytes decide. */
export function checkIsFile(start: Buffer, isCalledPage: boolean, source: string): void {
  if (looksLikePage(start) || (isCalledPage && typeOfBytes(start) === undefined)) {
    throw new MediaError('media_web_page', 'The URL leads to a web page, not to a file.', source);
  }
}

export function lengthOf({ headers }: Dispatcher.ResponseData): number | undefined {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : undefined;
}

export function describeFailure(error: unknown, source: string, reason: string | undefined): unknown {
  if (error instanceof MediaError) {
    // The connector knows only the host; people look for the URL that they wrote.
    return error.subject === source ? error : new MediaError(error.code, error.message, source, error.cause);
  }
  if (reason !== undefined)
    return new MediaError('media_download_failed', `The download was stopped: ${reason}.`, source);
  if (error instanceof ProxyError) {
    const problem = `The download failed: ${error.message}.`;
    return new MediaError('media_download_failed', problem, source, error);
  }
  const code = String((error as NodeJS.ErrnoException).code ?? 'no answer');
  if (/CERT|LEAF_SIGNATURE/.test(code)) {
    const problem = "The server's certificate is not trusted.";
    return new MediaError('media_download_refused', problem, source, error);
  }
  const problem = broken.get(code) ?? `The download failed (${code}).`;
  return new MediaError('media_download_failed', problem, source, error);
}

const closed = 'The server closed the connection before the file was complete.';
const silent = 'The server cannot be reached.';
/** What people read for the codes that Node and undici give. */
const broken: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'No server has the name in this address.'],
  ['ECONNREFUSED', silent],
  ['EHOSTUNREACH', silent],
  ['UND_ERR_CONNECT_TIMEOUT', silent],
  ['ECONNRESET', closed],
  ['UND_ERR_SOCKET', closed],
]);
