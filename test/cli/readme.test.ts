/** The README shows what the program prints. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openScene } from '../support/processes/scene.ts';
import { projectRoot } from '../support/sheets/manifests.ts';
import { writeMedia } from '../support/sheets/media.ts';

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');

it('the check in the README is what check prints', async (test) => {
  const scene = await openScene(test);
  const sheet = [
    'key,creator,media,caption,product_id,product_title,scheduled_at,scheduled_tz',
    'spring-1,demo_anna,candle.mp4,It fills the room,1.72943E+18,Fig candle,2031-03-30 02:30,Europe/Berlin',
    'spring-2,demo_ana,lamp.mp4,Light for long evenings,1729560102,Desk lamp,,',
  ];
  writeFileSync(join(scene.folder, 'posts.csv'), sheet.join('\n'));
  writeMedia(scene.folder, ['candle.mp4', 'lamp.mp4']);
  const { code, stdout } = await scene.run(['check', 'posts.csv'], { COLUMNS: '80' });
  expect(code).toBe(1);
  const shown = `    $ campaigns check posts.csv\n${stdout.replaceAll(/^(?=.)/gm, '    ')}`;
  expect(readme).toContain(shown.trimEnd());
});
