import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readVideo, videoUrl } from '../../../support/videos.ts';
import { open } from './video-pages.ts';

describe('/videos/import', () => {
  function sheet(text: string): FormData {
    const form = new FormData();
    form.set('sheet', new File([text], '../<b>.csv'));
    return form;
  }

  it('adds the videos of a sheet, and keeps no file', async () => {
    const { runner, pages } = await open();
    expect((await pages.get('/videos/import')).text).toContain('Links, one per line');
    const list = `video_url,creator\n${videoUrl('a')},anna\n${videoUrl('b')},ben\n`;
    expect((await pages.post('/videos/import', sheet(list))).text).toContain(
      '2 videos added, 0 already on the list.',
    );
    expect((await pages.post('/videos/import', sheet(list))).text).toContain(
      '0 videos added, 2 already on the list.',
    );
    expect((await readVideo(runner, videoUrl('b'))).facts.creator).toBe('ben');
    expect(await readdir(join(runner.folder, 'sheets'))).toEqual([]);
  });

  it('adds the pasted links that are right, with what they have in common, and keeps the others', async () => {
    const { runner, pages } = await open();
    const pasted = (links: string) => {
      const form = new FormData();
      form.set('links', links);
      form.set('creator', 'anna');
      form.set('campaign', 'Spring <b>');
      form.set('sheet', new File([], ''));
      return pages.post('/videos/import', form);
    };
    const many = Array.from({ length: 200 }, (_link, index) => videoUrl(`v${index}`));
    const wrong = await pasted([...many, '<soon>'].join('\r\n'));
    expect(wrong.status).toBe(422);
    expect(wrong.text).toMatch(
      /Pasted links 200 added, 0 already on the list, 1 link not added\. .* 201 video_url &lt;soon&gt;/,
    );
    expect(wrong.html).toContain('>&lt;soon&gt;</textarea>');
    expect(wrong.html).toContain('name="campaign" value="Spring &lt;b&gt;"');
    expect((await readVideo(runner, videoUrl('v7'))).facts).toMatchObject({
      creator: 'anna',
      campaign: 'Spring <b>',
    });
    expect((await pasted(many.join('\r\n'))).text).toContain('0 videos added, 200 already on the list.');
    expect((await pasted(' ')).text).toContain('Paste links, or choose a sheet.');
    expect(await runner.ledger.videos.list.size()).toBe(200);
  });

  it('shows all problems of a sheet, and adds nothing', async () => {
    const { runner, pages } = await open();
    const list = `video_url\n${videoUrl('a')}\nno address\njavascript:1\n`;
    const answer = await pages.post('/videos/import', sheet(list));
    expect(answer.status).toBe(422);
    expect(answer.html).toContain('&lt;b&gt;.csv</h1>');
    expect(answer.text).toMatch(/2 problems .* 3 video_url no address This is not an http or https URL/);
    expect(await runner.ledger.videos.list.size()).toBe(0);
  });
});
