/** JPEG files by their frame header: enough for what reads no pixels. */

/** @param padding bytes of a comment. */
export function jpegOf(width: number, height: number, padding = 0): Buffer {
  const comment = Buffer.alloc(padding + 4);
  comment.writeUInt16BE(0xfffe, 0);
  comment.writeUInt16BE(padding + 2, 2);
  const frame = Buffer.from('ffc0000b0800000000011100', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from('ffd8', 'hex'), comment, frame, Buffer.from('ffd9', 'hex')]);
}
