/** What the demo prints around the run: addresses, the comparison with the sandbox, and what to try next. */
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { campaignDocument } from '../../app/campaigns/find.ts';
import { commandLine, quote } from '../../app/runtime/command-line.ts';
import { packagePath } from '../../app/runtime/package.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import { importVideos } from '../../app/videos/import/import.ts';
import { describeReport, reportVideos, type VideoReport } from '../../app/videos/report.ts';
import { scrapeVideos } from '../../app/videos/scrape.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { printReport } from '../commands/videos/report.ts';
import type { FinishedCampaign } from '../finish.ts';
import type { Output } from '../print/output.ts';
import { type DemoFiles, exampleFolder } from './folder.ts';
import { type Finding, isAsMeant, type SheetRow } from './observer.ts';

/** Simulated nights on which the published posts are looked up. */
const nights = 8;

export interface Demo {
  readonly runtime: Runtime;
  readonly output: Output;
  readonly sandbox: Sandbox;
  readonly files: DemoFiles;
}

export function introduce({ runtime: { redis }, output, sandbox }: Demo): void {
  output.print(output.paint('bold', 'The campaign of examples/, with a sandbox on this machine'));
  output.print(`  sandbox   ${sandbox.url}\n  Redis     ${redis.description}`);
  output.print('On purpose, five rows are not posted: see how the runner handles them.\n');
}

export function reportDemo(
  { output, sandbox, files }: Demo,
  { campaign, causes, results }: FinishedCampaign,
  { findings, videos }: { readonly findings: readonly Finding[]; readonly videos: VideoReport },
): void {
  const asMeant = isAsMeant(findings);
  output.document('demo', {
    asMeant,
    findings,
    campaign: campaignDocument(campaign),
    causes,
    results,
    sandbox: { url: sandbox.url, adminUrl: sandbox.adminUrl },
    environment: files.shell,
    videos: describeReport(videos),
  });
  output.print(`\n${output.paint('bold', "Compared with the sandbox's own record")}`);
  for (const { claim, differences } of findings) {
    const mark = differences.length === 0 ? output.paint('green', '✓') : output.paint('red', '✗');
    output.print(`  ${mark} ${claim}`);
    for (const difference of differences) output.print(`      ${difference}`);
  }
  output.print(`\n${output.paint('bold', `How the published posts did over ${nights} simulated nights`)}`);
  printReport(output, videos);
  output.print();
  output.print(
    asMeant
      ? output.paint('green', 'Everything went as expected.')
      : output.paint('red', 'Not everything went as expected: see above.'),
  );
}

/**
 * Prints commands that work as they stand, in the folder that the demo was started in.
 * @param page address of the campaign in the console; undefined if the demo ends.
 */
export function printHints(demo: Demo, { id }: Campaign, page?: string): void {
  const { output } = demo;
  const isKept = page !== undefined;
  const title = output.paint('bold', 'What to try next');
  output.print(`\n${title}${isKept ? ', in another terminal and in this folder' : ''}`);
  const again = `${quote(nearPath(packagePath('bin', 'campaigns')))} demo --keep`;
  const retry = commandLine('retry', { options: { row: 'generation' }, own: [id] });
  const commands = [
    ...(isKept ? [] : [[again, 'run again and keep it up, to retry rows'] as const]),
    [`. ${quote(nearPath(demo.files.shell))}`, 'point this shell at the demo'],
    [commandLine('show', { own: [id] }), 'show counts and causes again'],
    ['campaigns videos report --by product', 'show how the videos performed'],
    isKept
      ? [retry, 'retry the generation; it succeeds this time']
      : ['campaigns serve --no-work', `see it in a browser: http://127.0.0.1:3000/campaigns/${id}`],
  ] as const;
  const width = Math.max(...commands.map(([command]) => command.length));
  for (const [command, purpose] of commands)
    output.print(`  ${output.paint('cyan', command.padEnd(width))}  ${output.paint('dim', purpose)}`);
  output.print(
    isKept
      ? `\nThe demo keeps running and processes what you retry. Ctrl-C ends it.\n${output.paint('bold', 'The console')}, in a browser: ${page}`
      : `  What each row shows: ${nearPath(join(exampleFolder, 'README.md'))}`,
  );
}

/** Relative form of a path under the current folder or its parent. */
function nearPath(path: string): string {
  const near = relative('', path);
  return near.startsWith('../..') ? path : near;
}

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
    `\n${added} of ${posts.length} posts are published by now (${files.results} with video_url filled in). Updating their figures for ${nights} simulated nights, as if they had been posted ${nights} days ago ...`,
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
    type Post = { readonly postId: string; readonly publicUrl: string | null };
    const answer: { data: { totalPages: number; list: readonly Post[] } } = JSON.parse(await response.text());
    pages = answer.data.totalPages;
    for (const { postId, publicUrl } of answer.data.list) if (publicUrl !== null) urls.set(postId, publicUrl);
  }
  return urls;
}
