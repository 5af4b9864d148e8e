import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, type TestContext, test, vi } from 'vitest';
import { demoFolder, withDemoFolder } from '../../src/cli/demo/folder.ts';
import { waitUntil } from '../support/events.ts';
import { temporaryFolder } from '../support/folder.ts';
import { spawnNode, spawnProgram } from '../support/processes/child.ts';
import { isAlive } from '../support/processes/processes.ts';

const program = new URL('../../src/cli/main.ts', import.meta.url);
const examples = new URL('../../examples/campaign.csv', import.meta.url);
const bin = `"${process.execPath}" --disable-warning=ExperimentalWarning "${program.pathname}"`;

/** Settings of a user that the demo must ignore. */
const foreign = {
  CREATOR_API_URL: 'http://127.0.0.1:9',
  CREATOR_API_KEY: 'canary-key-77',
  CREATOR_API_KEY_FILE: '/nowhere',
  REDIS_URL: 'redis://127.0.0.1:9',
  CAMPAIGNS_CONFIG: '/nowhere.json',
};

/** Starts one in `folder`; it ends with the test. */
function demo(
  test: TestContext,
  folder: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  return spawnNode(program, ['demo', ...args], { ...env, DATA_DIR: folder }, { cwd: folder, test });
}

test.concurrent('whatever settings the user has, it says what came of every kind of row; a retry is processed, and Ctrl-C ends it with 0', async (context) => {
  const folder = temporaryFolder(context);
  const run = demo(context, folder, ['--keep', '--json'], foreign);
  await run.line(/^}/);
  const result = JSON.parse(run.output.stdout.join('\n'));
  expect(result.asMeant).toBe(true);
  expect(result.campaign.counts).toMatchObject({ posted: 55, failed: 4, review: 1 });
  const codes = result.causes.map(({ code }: { code: string }) => code);
  expect(codes.toSorted()).toEqual(['16001001', '40101', 'generation_failed', 'outcome_unknown']);
  // It ends with the figures of the published posts over some simulated nights.
  expect(result.videos.total.videos).toBeGreaterThan(20);
  expect(result.videos.total.play_count_7d).toBeGreaterThan(0);
  expect(result.videos.groups).toHaveLength(5);
  const sheet = readFileSync(result.results, 'utf8');
  expect(parse(sheet, { columns: true, bom: true })).toHaveLength(60);

  const command = `. "$0/demo/env" && ${bin} retry c1 --row generation && ${bin} show c1`;
  const retry = spawnProgram('/bin/sh', ['-c', command, folder], {}, { cwd: folder, test: context });
  expect(await retry.end(), retry.output.stderr.join('\n')).toMatchObject({ code: 0 });
  const posts = async () => {
    const answer = await fetch(`${result.sandbox.adminUrl}/stats`);
    return ((await answer.json()) as { readonly posts: number }).posts;
  };
  await waitUntil(async () => (await posts()) === 57, 'the post of the row that was retried');
  run.kill('SIGINT');
  expect(await run.end()).toMatchObject({ code: 0 });
  // Everything lies in the demo's own folder, and another one takes the folder again.
  expect(readdirSync(folder)).toEqual(['demo']);
  expect(await withDemoFolder(join(folder, 'demo'), async () => readdirSync(join(folder, 'demo')))).toEqual([
    'start.lock',
  ]);
});

test.concurrent('a second demo in the same folder is refused; Ctrl-C ends the first with 130, its Redis too', async (context) => {
  const folder = temporaryFolder(context);
  const first = demo(context, folder);
  await first.errorLine(/running/);
  const redis = Number(readlinkSync(join(folder, 'demo', 'redis', 'server.pid')));
  expect(isAlive(redis)).toBe(true);
  const second = demo(context, folder);
  expect(await second.end()).toMatchObject({ code: 2 });
  expect(second.output.stderr.join('\n')).toContain('a demo is already running');
  first.kill('SIGINT');
  expect(await first.end()).toMatchObject({ code: 130 });
  expect(isAlive(redis)).toBe(false);
});

test.concurrent('a folder that is not of a demo is not emptied', async (context) => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'demo'));
  writeFileSync(join(folder, 'demo', 'precious.txt'), 'mine');
  const run = demo(context, folder);
  expect(await run.end()).toMatchObject({ code: 2 });
  expect(readFileSync(join(folder, 'demo', 'precious.txt'), 'utf8')).toBe('mine');
});

test('what people made in the console of a demo stays: the next one takes another folder', (context) => {
  const data = temporaryFolder(context);
  vi.stubEnv('DATA_DIR', data);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(demoFolder()).toEqual({ folder: join(data, 'demo'), kept: undefined });
  mkdirSync(join(data, 'demo', 'drafts'), { recursive: true });
  mkdirSync(join(data, 'demo-2'));
  writeFileSync(join(data, 'demo-2', 'aliases.json'), '[]');
  expect(demoFolder()).toEqual({ folder: join(data, 'demo-3'), kept: join(data, 'demo') });
});

test('pictures that the console of a demo has kept are removed with it', async (context) => {
  const folder = join(temporaryFolder(context), 'demo');
  const pictures = join(folder, 'pictures', 'root-1');
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(pictures, 'a.tiny'), 'a');
  await withDemoFolder(folder, async () => expect(readdirSync(folder)).toEqual(['start.lock']));
});

test('keys, captions and prompts of the examples are unique: the demo finds its rows by them', () => {
  const rows: Record<string, string>[] = parse(readFileSync(examples), { columns: true });
  for (const column of ['key', 'caption', 'ai_prompt']) {
    const values = rows.map((row) => row[column]).filter((value) => value !== '');
    expect(new Set(values).size, column).toBe(values.length);
  }
});

test('times in the examples are far in the future', () => {
  const rows: Record<string, string>[] = parse(readFileSync(examples), { columns: true });
  const years = rows.flatMap(({ scheduled_at: at }) => (at ? [Number(at.slice(0, 4))] : []));
  expect(years.length).toBeGreaterThan(5);
  expect(Math.min(...years)).toBeGreaterThanOrEqual(2030);
});
