/** Detects the type of a file by its first bytes. */

/** Number of first bytes that `typeOfBytes` needs. */
export const signatureLength = 512;

/** MIME types by the first brand of an ISO base media file. Other brands count as MP4. */
const brands: ReadonlyMap<string, string> = new Map([
  ['qt  ', 'video/quicktime'],
  ['M4V ', 'video/x-m4v'],
  ['M4VH', 'video/x-m4v'],
  ['M4VP', 'video/x-m4v'],
  ['3gp4', 'video/3gpp'],
  ['3gp5', 'video/3gpp'],
  ['3gp6', 'video/3gpp'],
  ['3gp7', 'video/3gpp'],
  ['heic', 'image/heic'],
  ['heix', 'image/heic'],
  ['hevc', 'image/heic'],
  ['hevx', 'image/heic'],
  ['mif1', 'image/heif'],
  ['msf1', 'image/heif'],
  ['avif', 'image/avif'],
  ['avis', 'image/avif'],
]);

/** Audio and other content in the same container: neither video nor image. */
const otherBrands: ReadonlySet<string> = new Set(['M4A ', 'M4B ', 'M4P ', 'F4A ', 'F4B ', 'jp2 ', 'crx ']);

/** Old QuickTime files begin with one of these atoms instead of `ftyp`. */
const quickTimeAtoms: ReadonlySet<string> = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);

/**
 * Recognizes videos and images by their first bytes.
 * @param start the first `signatureLength` bytes, or the whole of a shorter file.
 * @returns the MIME type; undefined for anything else.
 */
export function typeOfBytes(start: Buffer): string | undefined {
  return imageOf(start) ?? isoMediaOf(start) ?? riffOf(start) ?? matroskaOf(start) ?? mpegOf(start);
}

function imageOf(start: Buffer): string | undefined {
  if (begins(start, 'ffd8ff')) return 'image/jpeg';
  if (begins(start, '89504e470d0a1a0a')) return 'image/png';
  if (/^GIF8[79]a/.test(text(start, 0, 6))) return 'image/gif';
  // Two letters are not enough, so the header size is checked too: it has few possible values.
  if (
    text(start, 0, 2) === 'BM' &&
    start.length >= 18 &&
    [12, 40, 52, 56, 64, 108, 124].includes(start.readUInt32LE(14))
  ) {
    return 'image/bmp';
  }
  return undefined;
}

function isoMediaOf(start: Buffer): string | undefined {
  const atom = text(start, 4, 8);
  if (quickTimeAtoms.has(atom)) return 'video/quicktime';
  if (atom !== 'ftyp') return undefined;
  const brand = text(start, 8, 12);
  if (otherBrands.has(brand)) return undefined;
  const type = brands.get(brand);
  if (type !== 'image/heif') return type ?? 'video/mp4';
  // This brand is general. The compatible brands are more specific.
  const end = Math.min(start.readUInt32BE(0), start.length);
  for (let at = 16; at + 4 <= end; at += 4) {
    const compatible = brands.get(text(start, at, at + 4));
    if (compatible === 'image/avif' || compatible === 'image/heic') return compatible;
  }
  return type;
}

function riffOf(start: Buffer): string | undefined {
  if (text(start, 0, 4) !== 'RIFF') return undefined;
  const form = text(start, 8, 12);
  if (form === 'WEBP') return 'image/webp';
  return form === 'AVI ' ? 'video/x-msvideo' : undefined;
}

function matroskaOf(start: Buffer): string | undefined {
  if (!begins(start, '1a45dfa3')) return undefined;
  // The document type (element 4282) is in the header, which fits into `signatureLength`.
  const at = start.indexOf('4282', 0, 'hex');
  return at >= 0 && text(start, at + 3, at + 7) === 'webm' ? 'video/webm' : 'video/x-matroska';
}

function mpegOf(start: Buffer): string | undefined {
  return begins(start, '000001ba') || begins(start, '000001b3') ? 'video/mpeg' : undefined;
}

function begins(start: Buffer, hex: string): boolean {
  return start.toString('hex', 0, hex.length / 2) === hex;
}

function text(start: Buffer, from: number, to: number): string {
  return start.toString('latin1', from, to);
}
