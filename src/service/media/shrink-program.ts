/** Makes small versions of images: takes the bytes of one in each message, and answers with two JPEGs, or with why there are none. */
import sharp from 'sharp';

/** As posts are shown, 9:16: for the preview of a post, and for lists. Pixels. */
const sizes = [
  [240, 427],
  [96, 171],
] as const;
const quality = 75;
/** Larger images would take too much memory. Pixels. */
const mostPixels = 100e6;

// Only what phones, cameras and design programs make: the other decoders are rarely attacked, and rarely patched.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
});
sharp.cache(false);
sharp.concurrency(1);

process.on('message', async (image: Uint8Array) => {
  try {
    let from = sharp(image, { limitInputPixels: mostPixels, sequentialRead: true, autoOrient: true });
    const made: Buffer[] = [];
    for (const [width, height] of sizes) {
      // What is transparent would be black.
      const resized = from.resize(width, height, { fit: 'cover' }).flatten({ background: '#fff' });
      const { data, info } = await resized.raw().toBuffer({ resolveWithObject: true });
      from = sharp(data, { raw: info });
      made.push(await from.clone().jpeg({ quality }).toBuffer());
    }
    process.send?.(made);
  } catch (error) {
    process.send?.(String(error));
  }
});
process.on('disconnect', () => process.exit(0));
