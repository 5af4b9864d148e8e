/** First bytes of real files, by type, as their formats define them. */
const ftyp = (brand: string, compatible = 'isom') =>
  Buffer.from(`\0\0\0\x14ftyp${brand}\0\0\0\0${compatible}`, 'latin1');

export const mp4 = ftyp('isom');
export const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
export const jpeg = Buffer.from('ffd8ffe000104a46494600010100', 'hex');

export const beginnings: Readonly<Record<string, Buffer>> = {
  'video/mp4': mp4,
  'video/quicktime': ftyp('qt  '),
  'video/x-m4v': ftyp('M4V '),
  'video/3gpp': ftyp('3gp5'),
  'video/webm': Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
  'video/x-matroska': Buffer.from('1a45dfa3a34286810142f7810142f2810442f381084282886d6174726f736b61', 'hex'),
  'video/x-msvideo': Buffer.from('RIFF\x10\0\0\0AVI LIST', 'latin1'),
  'video/mpeg': Buffer.from('000001ba44000400', 'hex'),
  'image/jpeg': jpeg,
  'image/png': png,
  'image/webp': Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'),
  'image/gif': Buffer.from('GIF89a\x01\0\x01\0', 'latin1'),
  'image/bmp': Buffer.from('424d3600000000000000360000002800000001000000', 'hex'),
  'image/heic': ftyp('heic'),
  'image/heif': ftyp('mif1', 'mif1'),
  'image/avif': ftyp('avif'),
};

/** A general image brand; its compatible brands tell the content. */
export const generalBrand = (compatible: string) => ftyp('mif1', compatible);

/** A file of the type, of `size` bytes. */
export function bytesOf(contentType: string, size: number): Buffer {
  const bytes = Buffer.alloc(size, 'x');
  beginnings[contentType]?.copy(bytes);
  return bytes;
}
