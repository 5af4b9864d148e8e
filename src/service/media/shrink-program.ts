/** Makes small versions of images: takes the bytes of one in each message, and answers with a JPEG, or with why there is none. */
import sharp from 'sharp';

/** As posts are shown, 9:16; as large as the preview of a post needs it. Pixels. */
const [width, height] = [240, 427];
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
    const small = await sharp(image, { limitInputPixels: mostPixels, sequentialRead: true, autoOrient: true })
      .resize(width, height, { fit: 'cover' })
      // What is transparent would be black.
      .flatten({ background: '#fff' })
      .jpeg({ quality })
      .toBuffer();
    process.send?.(small);
  } catch (error) {
    process.send?.(String(error));
  }
});
process.on('disconnect', () => process.exit(0));
