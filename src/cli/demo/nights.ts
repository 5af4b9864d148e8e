/**
 * The last part of the demo: the published posts go onto the watch list, as a planner would put them there, and are looked up on a few
 * nights. The posts are made older, and sandbox and runner have their clocks set back, so that the last night is now: whoever looks
 * up the videos next goes on from there.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { importVideos } from '../../videos/import/import.ts';
import { reportVideos, type VideoReport } from '../../videos/report.ts';
import { scrapeVideos } from '../../videos/scrape.ts';
import type { SheetRow } from './observer.ts';
import { type Demo, nights } from './report.ts';

const nightMs = 24 * 3_600_000;
const pageSize = 50;

/** @param rows of the results sheet. @returns undefined if interrupted. */
export async function scrapeNights(
  demo: Demo,
  rows: readonly SheetRow[],
  signal: AbortSignal,
): Promise<VideoReport | undefined> {
  const { runtime, sandbox, output, files } = demo;
  const posts = rows.flatMap(({ post_id = '' }) => (post_id === '' ? [] : [post_id]));
  sandbox.backdate(posts, nights * nightMs);
  const file = join(runtime.environment.dataDir, 'videos.csv');
  await writeFile(file, await fillIn(rows, sandbox));
  const { added } = await importVideos(runtime, { file, path: file });
  output.say(
    `\n${added} posts are published (${files.results} with video_url filled in). ${nights} simulated nights, as if they had been posted ${nights} days ago ...`,
  );
  let ago = nights * nightMs;
  const then = Object.create(runtime, { now: { value: () => Date.now() - ago } }) as Runtime;
  sandbox.clock.advance(-ago);
  while (ago > 0) {
    ago -= nightMs;
    sandbox.clock.advance(nightMs);
    if (!(await scrapeVideos(then, { signal }))) return undefined;
  }
  return reportVideos(runtime, { by: 'creator', top: 5 });
}

/** The results sheet with the public URLs of published posts. */
async function fillIn(rows: readonly SheetRow[], sandbox: Sandbox): Promise<string> {
  const urls = await publicUrls(sandbox);
  const [first = {}] = rows;
  const filled = rows.map((row) => ({ ...row, video_url: urls.get(row.post_id ?? '') ?? '' }));
  return stringify(filled, { header: true, columns: Object.keys(first) });
}

/** Public URLs by post id, from the publishing records of the sandbox. */
async function publicUrls({ url, apiKey }: Sandbox): Promise<ReadonlyMap<string, string>> {
  const urls = new Map<string, string>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const path = `/v1/creator/post/pageList?pageSize=${pageSize}&pageNumber=${page}`;
    const response = await fetch(url + path, { headers: { 'x-api-key': apiKey } });
    const { data } = (await response.json()) as {
      readonly data: {
        readonly totalPages: number;
        readonly list: readonly { readonly postId: string; readonly publicUrl: string | null }[];
      };
    };
    pages = data.totalPages;
    for (const { postId, publicUrl } of data.list) if (publicUrl !== null) urls.set(postId, publicUrl);
  }
  return urls;
}
