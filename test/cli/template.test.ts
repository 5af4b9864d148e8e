import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import { describe, expect, it, onTestFinished } from 'vitest';
import { columns } from '../../src/manifest/columns.ts';
import { fileSource } from '../../src/sheets/sheet.ts';
import { check } from '../importers/manifest-source.ts';
import { readRows } from '../sheets/xlsx/workbook-rows.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runHosted } from '../support/processes/command-host.ts';

const program = new URL('../../src/cli/main.ts', import.meta.url);

function campaigns(folder: string, ...args: readonly string[]) {
  return runHosted({ onTestFinished }, { args, cwd: folder, env: {} });
}

describe('template', () => {
  it.each(['posts.csv', 'posts.json', 'posts.xlsx'])(
    'has no problems but its own media and creators: %s',
    async (name) => {
      const folder = temporaryFolder();
      expect((await campaigns(folder, 'template', '--out', name)).code).toBe(0);
      const result = await check(fileSource(join(folder, name)), { now: Date.now() });
      expect(result.problems.kept).toEqual([]);
      expect(result).toMatchObject({
        rows: 6,
        accepted: 6,
        plan: { videos: 4, photos: 2, aiOutputs: { total: 3 } },
      });
    },
  );

  it('as a workbook explains every column in its second sheet, and every cell is text', async () => {
    const folder = temporaryFolder();
    const { stdout } = await campaigns(folder, 'template', '--out', 'posts.xlsx', '--json');
    expect(JSON.parse(stdout)).toEqual({ manifest: 'posts.xlsx', explanation: 'posts.xlsx' });
    expect(readdirSync(folder)).toEqual(['posts.xlsx']);
    const posts = await readRows(join(folder, 'posts.xlsx'), 'Posts');
    const explained = await readRows(join(folder, 'posts.xlsx'), 'Columns');
    const names = columns.map(({ name }) => name);
    expect(posts.rows[0]?.cells).toEqual(names);
    expect(posts.rows[1]?.cells[names.indexOf('product_id')]).toBe('1729432342342341001');
    expect(explained.rows.map(({ cells }) => cells[0])).toEqual(['column', ...names]);
    expect(explained.rows.every(({ cells }) => cells[2] !== '')).toBe(true);
  });

  it('as a workbook can go to standard output', async () => {
    const folder = temporaryFolder();
    const script = 'exec "$0" "$1" template --format xlsx > posts.xlsx';
    execFileSync('sh', ['-c', script, process.execPath, fileURLToPath(program)], { cwd: folder });
    expect((await readRows(join(folder, 'posts.xlsx'))).rows).toHaveLength(7);
  });

  it('refuses a format that it does not have', async () => {
    const { code, stderr } = await campaigns(temporaryFolder(), 'template', '--out', 'posts.ods');
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be written as .ods: posts.ods')]);
  });

  it('explains every column in a file beside it', async () => {
    const folder = temporaryFolder();
    await campaigns(folder, 'template', '--out', 'posts.csv');
    const explained = parse(readFileSync(join(folder, 'posts.columns.csv')), {
      bom: true,
      columns: true,
    }) as {
      column: string;
      explanation: string;
    }[];
    expect(explained.map(({ column }) => column)).toEqual(columns.map(({ name }) => name));
    expect(explained.every(({ explanation }) => explanation !== '')).toBe(true);
  });

  it('goes to standard output, and the explanations to standard error', async () => {
    const { stdout, stderr } = await campaigns(temporaryFolder(), 'template');
    expect(parse(stdout, { bom: true, columns: true })).toHaveLength(6);
    expect(stderr).toMatch(/^creator {2,}Needed: always\. Username, creatorId or account ID/m);
  });

  it('in JSON follows the schema that is written beside it', async () => {
    const folder = temporaryFolder();
    await campaigns(folder, 'template', '--format', 'json', '--out', 'posts.json');
    const manifest = JSON.parse(readFileSync(join(folder, 'posts.json'), 'utf8'));
    const schema = JSON.parse(readFileSync(join(folder, 'posts.schema.json'), 'utf8'));
    const follows = new Ajv2020({ allowUnionTypes: true, validateFormats: false }).compile(schema);
    expect(manifest.$schema).toBe('./posts.schema.json');
    expect(follows(manifest), JSON.stringify(follows.errors)).toBe(true);
    expect(follows(manifest.rows), JSON.stringify(follows.errors)).toBe(true);
    const [row] = manifest.rows;
    expect(follows({ ...manifest, rows: [{ ...row, media_type: 'AUDIO' }] })).toBe(false);
    expect(follows([{ ...row, creator: 7, cover: null }])).toBe(true);
    expect(follows([{ key: 'video', creator: 'anna' }])).toBe(false);
  });

  it('writes neither file if the second exists', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'posts.columns.csv'), 'mine');
    const { code, stderr } = await campaigns(folder, 'template', '--out', 'posts.csv');
    expect([code, stderr]).toEqual([2, expect.stringContaining('posts.columns.csv already exists')]);
    expect(readdirSync(folder)).toEqual(['posts.columns.csv']);
  });

  it('never overwrites a file', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'posts.csv'), 'mine');
    const { code, stderr } = await campaigns(folder, 'template', '--out', 'posts.csv');
    expect(code).toBe(2);
    expect(stderr).toContain('posts.csv already exists');
    expect(readFileSync(join(folder, 'posts.csv'), 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'posts.columns.csv'))).toBe(false);
  });
});
