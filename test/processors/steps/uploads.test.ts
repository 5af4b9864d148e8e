import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rejection } from '../../support/client.ts';
import { openRunner } from '../../support/in-process.ts';
import { bytesOf } from '../../support/sheets/media-bytes.ts';

it.for([
  [20_000_000, undefined],
  [20_000_001, 'media_cover_too_large'],
] as const)('a cover of %i bytes that goes into a form: %s', async ([size, code]) => {
  const { context, folder } = await openRunner();
  writeFileSync(join(folder, 'cover.png'), bytesOf('image/png', size));
  const reading = context.uploads.readCover('cover.png', folder);
  if (code === undefined) expect((await reading).bytes).toHaveLength(size);
  else expect(await rejection(reading)).toMatchObject({ code, subject: 'cover.png', transient: false });
});
