/** A service that names a file of this machine as a generated asset: no such file may be read, let alone posted. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assetUrl } from '../../src/processors/steps/assets.ts';
import { listSocialShowcaseProductsResponse } from '../../src/service/contract/creators.ts';
import { listAiTasksByScheduleIdResponse } from '../../src/service/contract/generation.ts';
import { rejection } from '../support/client.ts';
import { openRunner } from '../support/in-process.ts';
import { png } from '../support/sheets/media.ts';
import { aiPhotoRow } from '../support/sheets/rows.ts';

function readTask(result: object) {
  const list = [{ taskId: 't', status: 'COMPLETED', ...result }];
  return listAiTasksByScheduleIdResponse.parse({ list }).list[0];
}

test('an asset that is a path of the media root is not read: the row goes to review', async () => {
  const runner = await openRunner({
    settings: { generation: { poll: { first: '20ms', max: '50ms', deadline: '400ms' } } },
    relay: {
      answered: (text, { target }) =>
        target.startsWith('/v1/ai/task/')
          ? text.replaceAll(/"(url|resultUrl)":"[^"]*"/g, '"$1":"secret.png"')
          : text,
    },
  });
  writeFileSync(join(runner.folder, 'secret.png'), png('secret'));
  const id = await runner.importOrUpdate([aiPhotoRow('a', 1, { product_source: 'SHOP' })]);
  await runner.start();
  await runner.ended(id);
  const [row] = await runner.rows(id);

  expect(row).toMatchObject({ state: 'review', error: { code: 'poll_deadline' } });
  expect(row?.error?.message).toContain('COMPLETED without a URL');
  expect(runner.sandbox.calls('createFileUpload')).toEqual([]);
});

test('an asset that is stored as a path is not read', async () => {
  const { context, folder } = await openRunner();
  writeFileSync(join(folder, 'secret.png'), png('secret'));
  const request = {
    service: context.service,
    source: 'secret.png',
    isAsset: true,
    mediaRoot: folder,
    needsUrl: false,
  } as const;
  const upload = context.uploads.upload({ ...request, kind: 'PHOTO' }, async () => ({ kind: 'withdrawn' }));

  expect(await rejection(upload)).toMatchObject({ code: 'media_url_invalid' });
});

test.each([
  ['a name', 'secret.png'],
  ['a path', '/etc/passwd'],
  ['a file URL', 'file:///etc/passwd'],
  ['a data URL', 'data:image/png;base64,iVBORw0KGgo='],
  ['a URL without a scheme', '//host/share.png'],
  ['a URL without a host', 'https://'],
  ['a URL with a control character', 'https://x/a\u0000b.png'],
  ['a URL of 9,000 characters', `https://x/${'a'.repeat(9000)}`],
])('%s is no URL of an asset: another one serves', (_, url) => {
  const task = readTask({ result: { url, resultUrl: 'https://x/other.png' } });

  expect(task && assetUrl(task, 'IMAGE_GENERATION')).toBe('https://x/other.png');
});

test('a URL that is not needed and is none reads as missing, and drops no entry', () => {
  const task = readTask({ result: { url: 'https://x/1', thumbnailUrl: 'thumb.png' }, resultUrl: 'a.png' });
  const products = [{ id: '1', images: [{ url: '../a.png', width: 3 }] }];
  const list = listSocialShowcaseProductsResponse.parse({ products });

  expect(task?.result).toEqual({ url: 'https://x/1' });
  expect(task?.resultUrl).toBeUndefined();
  expect(list.products).toEqual([{ id: '1', images: [{ width: 3 }] }]);
});
