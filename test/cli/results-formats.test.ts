import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { writeSheet } from '../../src/sheets/write/sheet-file.ts';
import { readXlsx } from '../../src/sheets/xlsx/read-xlsx.ts';
import { expectAgreement } from '../support/agreement.ts';
import { collect } from '../support/collect.ts';
import { openScene, playOnce, type Scene, terminal } from '../support/processes/scene.ts';
import { writeMedia } from '../support/sheets/media.ts';
import { localFiles, videoRow } from '../support/sheets/rows.ts';
import type { Cells } from '../support/sheets/sheet.ts';
import { filteredWorkbook } from '../support/sheets/workbook.ts';

const rows = [
  videoRow('good', { caption: '=SUM(A1)' }),
  videoRow('refused', { product_id: 'unavailable-1' }),
  videoRow('expired', { creator: 'demo_ines' }),
];

async function rowsOfWorkbook(path: string): Promise<Cells[]> {
  const [header, ...lines] = (await collect(readXlsx(path))).flat();
  return lines.map(({ cells }) =>
    Object.fromEntries(cells.map((cell, index) => [header?.cells[index] ?? '', cell])),
  );
}

describe('the results of a campaign', () => {
  const scene = playOnce(async (owner) => {
    const opened = await openScene(owner);
    expect((await opened.run(['run', opened.manifest(rows)])).code).toBe(3);
    return opened;
  });

  const report = (...args: readonly string[]) => scene().run(['report', 'c1', ...args]);
  const read = (name: string) => readFileSync(join(scene().folder, name), 'utf8');
  const expected = () =>
    scene()
      .results()
      .rows.map(({ key, status }) => ({ key, status }));

  it('as a workbook, by the ending of the file', async () => {
    expect((await report('--out', 'r.xlsx')).code).toBe(0);
    const written = await rowsOfWorkbook(join(scene().folder, 'r.xlsx'));
    expect(written).toMatchObject(expected());
    expect(written[0]?.caption).toBe('=SUM(A1)');
  });

  it('as JSON', async () => {
    await report('--out', 'r.json');
    const written = JSON.parse(read('r.json')) as Cells[];
    expect(written).toMatchObject(expected());
    expect(written[0]).toMatchObject({ caption: '=SUM(A1)', post_id: expect.any(String) });
    expect(written[0]).not.toHaveProperty('error');
  });

  it('as JSON Lines', async () => {
    await report('--out', 'r.ndjson');
    const lines = read('r.ndjson').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as Cells)).toMatchObject(expected());
  });

  it('as CSV by --format, whatever the file name, with formulas guarded', async () => {
    await report('--out', 'r.json2.xlsx', '--format', 'csv', '--only', 'posted');
    const written = parse(read('r.json2.xlsx'), { bom: true, columns: true }) as Cells[];
    expect(written[0]?.caption).toBe("'=SUM(A1)");
  });

  it('alone on standard output', async () => {
    const { stdout, stderr } = await report('--out', '-', '--format', 'jsonl');
    expect(stdout.split('\n').map((line) => JSON.parse(line) as Cells)).toMatchObject(expected());
    expect(stderr).toContain('3 rows of c1 written to standard output');
    const csv = await report('--out', '-');
    expect(csv.stdout).toMatch(/^key,/);
  });

  it('to a reader that leaves at once, without an error', async () => {
    const reporting = scene().start(['report', 'c1', '--out', '-']);
    reporting.child.stdout?.destroy();
    expect(await reporting.end()).toEqual({ code: 0, signal: null });
    expect(reporting.output.stderr.join()).not.toMatch(/defect|could not/);
  });

  it('only with rows of some states', async () => {
    const { stdout } = await report('--out', 'mend.csv', '--only', 'failed,Review', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ id: 'c1', rows: 2 });
    expect(
      scene()
        .results('mend.csv')
        .rows.map(({ key }) => key),
    ).toEqual(['refused', 'expired']);
  });

  it.for([
    [['--only', 'failed,lost'], 'waiting, running, ready, posted, failed, review, cancelled'],
    [['--format', 'ods'], 'csv, json, jsonl, xlsx'],
    [['--out', '-', '--json'], 'standard output'],
    [['--out', 'r.parquet'], 'Use .csv, .json, .jsonl or .xlsx, or give --format.'],
  ] as const)('reports wrong usage: %s', async ([args, message]) => {
    const ended = await report('--out', 'x.csv', ...args);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(message);
  });
});

/** Writes rows as a workbook, and their media. */
async function workbook(scene: Scene, all: readonly Cells[]): Promise<string> {
  writeMedia(scene.folder, localFiles(all));
  const names = [...new Set(all.flatMap((row) => Object.keys(row)))];
  async function* lines() {
    yield names;
    for (const row of all) yield names.map((name) => row[name] ?? '');
  }
  await writeSheet(join(scene.folder, 'plan.xlsx'), lines(), { format: 'xlsx' });
  return 'plan.xlsx';
}

it('the results of an update have the name of the new version of the sheet', async (test) => {
  const scene = await openScene(test);
  await scene.run(['run', scene.manifest([videoRow('1')], 'plan.csv')]);
  const next = scene.manifest([videoRow('1'), videoRow('2')], 'plan-2.csv');
  const { stdout, code } = await scene.run(['run', next, '--into', 'c1']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Results: .*plan-2\.results\.csv$/m);
});

describe("a sheet with the planner's own columns of states", () => {
  const plan = [
    videoRow('1', { status: 'ready', 'Post ID': 'draft-7' }),
    videoRow('2', { status: 'cancelled', 'Post ID': '' }),
  ];

  it('is asked about, keeps them in its results, and is read back', async (test) => {
    const scene = await openScene(test);
    const file = scene.manifest(plan, 'plan.csv');
    const refused = await scene.run(['run', file]);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('--own-status skip');
    const asked = scene.start(['run', file], terminal, 'pipe');
    asked.child.stdin?.end('skip\n');
    expect(await asked.end()).toMatchObject({ code: 0 });
    expect(scene.sandbox.effects().posts).toHaveLength(1);
    const text = readFileSync(join(scene.folder, 'plan.results.csv'), 'utf8');
    expect(text.split(/\r?\n/)[0]).toMatch(/,status,Post ID,posted_with,ledger,campaign,status,post_id,/);
    const back = await scene.run(['run', 'plan.results.csv', '--into', 'c1', '--dry-run', '--json']);
    expect(JSON.parse(back.stdout)).toMatchObject({ matches: { posted: 1 }, problems: [] });
    await scene.run(['report', 'c1', '--out', 'r.json']);
    const [row] = JSON.parse(readFileSync(join(scene.folder, 'r.json'), 'utf8'));
    expect(row).toMatchObject({ _status: 'ready', 'Post ID': 'draft-7', status: 'posted' });
  });

  it('is posted whole if the command says so', async (test) => {
    const scene = await openScene(test);
    const file = scene.manifest(plan, 'plan.csv');
    expect((await scene.run(['run', file, '--own-status', 'post'])).code).toBe(0);
    expect(scene.sandbox.effects().posts).toHaveLength(2);
  });
});

describe('a workbook with hidden rows', () => {
  const [shown, hidden] = [videoRow('1'), videoRow('2')];

  it('is asked about, and refused where nobody can answer', async (test) => {
    const scene = await openScene(test);
    writeMedia(scene.folder, localFiles([shown, hidden]));
    const media = ['--media-root', scene.folder];
    const file = await filteredWorkbook([shown], [hidden]);
    const refused = await scene.run(['run', file, ...media]);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('add --hidden skip; to post them, --hidden post.');
    const asked = scene.start(['run', file, ...media], terminal, 'pipe');
    asked.child.stdin?.end('skip\n');
    expect(await asked.end()).toMatchObject({ code: 0 });
    const question = '1 row is hidden or struck through in the workbook. Skip or post?';
    expect(asked.output.stderr.join('\n')).toContain(question);
    expect(scene.sandbox.effects().posts).toHaveLength(1);
  });

  it('is posted whole if the answer is so', async (test) => {
    const scene = await openScene(test);
    writeMedia(scene.folder, localFiles([shown, hidden]));
    const file = await filteredWorkbook([shown], [hidden]);
    const asked = scene.start(['run', file, '--media-root', scene.folder], terminal, 'pipe');
    asked.child.stdin?.end('post\n');
    expect(await asked.end()).toMatchObject({ code: 0 });
    expect(scene.sandbox.effects().posts).toHaveLength(2);
  });
});

describe('campaigns run of a workbook', () => {
  it('posts its rows, and writes the results in the given format', async (test) => {
    const scene = await openScene(test);
    const file = await workbook(scene, [videoRow('1'), videoRow('2')]);
    const ended = await scene.run(['run', file, '--sheet', 'Results', '--out', '-', '--format', 'json']);
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject([
      { key: '1', status: 'posted' },
      { key: '2', status: 'posted' },
    ]);
    expect((await scene.run(['report', 'c1', '--out', 'r.csv'])).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results('r.csv'));
    const again = await scene.run(['run', file]);
    expect(again.stderr).toContain('imported before, as campaign c1');
    // No row has failed.
    expect(again.stderr).not.toContain('campaigns retry');
  });

  it('lists the existing sheets', async (test) => {
    const scene = await openScene(test);
    const ended = await scene.run([
      'check',
      await workbook(scene, [videoRow('1')]),
      '--sheet',
      'May',
      '--json',
    ]);
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      problems: [{ code: 'unknown_sheet', fix: 'It has "Results". Name one of them with --sheet.' }],
    });
  });
});
