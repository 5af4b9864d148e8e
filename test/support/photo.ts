/** A JPEG of noise, which is as large as a photograph: a byte for two or three pixels. */
import sharp from 'sharp';

export function photo(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  return sharp({ create: { width, height, channels: 3, background: '#888', noise } })
    .jpeg()
    .toBuffer();
}
