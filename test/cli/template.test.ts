import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { loadSettings } from '../../config/load.ts';
import { checkManifest } from '../../src/importers/check.ts';
import { fileSource } from '../../src/importers/source.ts';
import { columns } from '../../src/manifest/columns.ts';
import { spawnNode } from '../support/child.ts';
import { temporaryFolder } from '../support/folder.ts';
import { finished } from '../support/scene.ts';

const program = new URL('../../src/cli/main.ts', import.meta.url);

function campaigns(folder: string, ...args: readonly string[]) {
  return finished(spawnNode(program, args, {}, { cwd: folder }));
}

describe('template', { timeout: 30_000 }, () => {
  it('is a manifest without problems, but for media and creators of its own', async () => {
    const folder = temporaryFolder();
    expect((await campaigns(folder, 'template', '--out', 'posts.csv')).code).toBe(0);
    const settings = { ...loadSettings(undefined) };
    const result = await checkManifest(
      fileSource(join(folder, 'posts.csv')),
      {
        settings: {
          ...settings,
          api: {
            ...settings.api,
            confirmUpload: { method: 'POST', path: '/', encoding: 'json', result: {} },
          },
        },
        now: Date.now(),
        creators: null,
        media: null,
        posts: null,
      },
      () => undefined,
    );
    expect(result.problems.kept).toEqual([]);
    expect(result).toMatchObject({
      rows: 6,
      accepted: 6,
      plan: { videos: 4, photos: 2, aiOutputs: { total: 3 } },
    });
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
    expect(stderr).toMatch(/^COLUMN {2,}NEEDED {2,}EXPLANATION/m);
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

  it('never takes the place of a file', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'posts.csv'), 'mine');
    const { code, stderr } = await campaigns(folder, 'template', '--out', 'posts.csv');
    expect(code).toBe(2);
    expect(stderr).toContain('posts.csv is there already');
    expect(readFileSync(join(folder, 'posts.csv'), 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'posts.columns.csv'))).toBe(false);
  });
});
