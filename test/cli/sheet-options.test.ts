import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stopPrivateRedis } from '../../src/platform/redis/private/server.ts';
import { expectAgreement } from '../support/agreement.ts';
import { finished, openScene, type Scene } from '../support/processes/scene.ts';
import { writeMedia } from '../support/sheets/media.ts';
import { localFiles, videoRow } from '../support/sheets/rows.ts';
import { writeSheet } from '../support/sheets/sheet.ts';

const rows = [videoRow('1'), videoRow('2')];

/** The rows, with the headers of another program. */
function foreignSheet(scene: Scene, name: string): void {
  writeMedia(scene.folder, localFiles(rows));
  writeSheet(
    join(scene.folder, name),
    rows.map(({ key = '', creator = '', product_id = '', ...others }) => ({
      'No.': key,
      Who: creator,
      'SKU = id': product_id,
      ...others,
    })),
  );
}

const mapping = ['--map', 'No.=key', '--map', 'who=creator', '--map', 'SKU = id=product_id'];

describe('a mapping of headers', () => {
  it('is kept by the campaign, and the results sheet keeps the original headers', async (test) => {
    const scene = await openScene(test);
    foreignSheet(scene, 'posts.csv');
    expect((await scene.run(['check', 'posts.csv'])).code).toBe(1);
    const ended = await scene.run(['run', 'posts.csv', ...mapping, '--save-map', 'shop.json']);
    expect(ended.code).toBe(0);
    const { columns, rows: results } = scene.results();
    expect(columns.slice(0, 3)).toEqual(['No.', 'Who', 'SKU = id']);
    expect(columns).not.toContain('key');
    expect(results.map((row) => [row['No.'], row.status])).toEqual([
      ['1', 'posted'],
      ['2', 'posted'],
    ]);
    expect(JSON.parse(readFileSync(join(scene.folder, 'shop.json'), 'utf8'))).toEqual({
      'No.': 'key',
      who: 'creator',
      'SKU = id': 'product_id',
    });
    expect((await scene.run(['check', 'posts.csv', '--map', 'shop.json'])).code).toBe(0);
  });

  it('is remembered by the campaign when a sheet goes back into it', async (test) => {
    const scene = await openScene(test);
    foreignSheet(scene, 'posts.csv');
    const failing = readFileSync(join(scene.folder, 'posts.csv'), 'utf8').replace('p-2', 'unavailable-1');
    writeFileSync(join(scene.folder, 'posts.csv'), failing);
    expect((await scene.run(['run', 'posts.csv', ...mapping])).code).toBe(3);
    const edited = readFileSync(join(scene.folder, 'posts.results.csv'), 'utf8').replace(
      'unavailable-1',
      'p-2',
    );
    writeFileSync(join(scene.folder, 'edited.csv'), edited);
    const ended = await scene.run(['run', 'edited.csv', '--into', 'c1', '--json']);
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ matches: { changed: 1, posted: 1 } });
    // Of what is remembered a sheet may lack some, and its own names still count.
    const other = videoRow('3');
    const file = scene.manifest([other], 'other.jsonl.csv');
    writeFileSync(join(scene.folder, file), JSON.stringify(other));
    const grown = await scene.run(['run', file, '--into', 'c1', '--json']);
    expect(JSON.parse(grown.stdout)).toMatchObject({ matches: { new: 1 }, counts: { posted: 3 } });
  });

  it('ends with 2 if it is wrong, and nothing is imported', async (test) => {
    const scene = await openScene(test);
    foreignSheet(scene, 'posts.csv');
    writeFileSync(join(scene.folder, 'broken.json'), '{');
    writeFileSync(join(scene.folder, 'list.json'), '["key"]');
    for (const [args, says] of [
      [['--map', 'No.=kee'], /no column kee.*did you mean key/],
      [[...mapping, '--map', 'Whom=caption'], /no header Whom.*did you mean Who/],
      [['--map', 'Who'], /neither a pair nor a \.json file/],
      [['--map', 'missing.json'], /missing\.json: there is no such file\n.*--save-map/],
      [['--map', 'broken.json'], /broken\.json is not JSON: /],
      [['--map', 'list.json'], /not a mapping/],
      [['--save-map', 'x.json'], /nothing to save/],
      [['--delimiter', 'x'], /comma, semicolon, pipe or tab/],
      [['--encoding', 'latin0'], /one of utf-8/],
    ] as const) {
      const ended = await scene.run(['run', 'posts.csv', ...args]);
      expect([args, ended.code, ended.stderr]).toEqual([args, 2, expect.stringMatching(says)]);
      expect(ended.stderr).not.toContain('defect');
    }
    const list = await scene.run(['list', '--json']);
    expect(JSON.parse(list.stdout)).toMatchObject({ campaigns: [] });
  });
});

describe('the detected format', () => {
  it('is printed if unusual, and is always in the document', async (test) => {
    const scene = await openScene(test);
    const file = scene.manifest(rows);
    const plain = await scene.run(['check', file]);
    expect([plain.code, plain.stdout]).toEqual([0, expect.not.stringContaining('read as')]);
    const text = readFileSync(join(scene.folder, file), 'utf8').replaceAll(',', ';');
    writeFileSync(join(scene.folder, 'wide.csv'), Buffer.from(text, 'utf16le'));
    const wide = await scene.run(['check', 'wide.csv']);
    expect(wide.stdout).toContain('read as CSV in UTF-16 LE, separated by ;\n');
    const { format } = JSON.parse((await scene.run(['check', 'wide.csv', '--json'])).stdout);
    expect(format).toEqual({ kind: 'csv', encoding: 'utf-16le', delimiter: ';' });
    const told = await scene.run(['check', 'wide.csv', '--encoding', 'UTF-16LE', '--delimiter', 'semicolon']);
    expect(told.code).toBe(0);
  });
});

describe('a sheet that is read with semicolons', () => {
  const semicolons = (scene: Scene, file: string) => {
    const text = readFileSync(join(scene.folder, file), 'utf8').replaceAll(',', ';');
    writeFileSync(join(scene.folder, file), text);
    return file;
  };
  const headerOf = (scene: Scene, file: string) =>
    readFileSync(join(scene.folder, file), 'utf8').split('\n', 1)[0]?.replace('\ufeff', '');

  it('is written back with semicolons, its problems too', async (test) => {
    const scene = await openScene(test);
    const file = semicolons(scene, scene.manifest([videoRow('1'), videoRow('2', { creator: 'nobody' })]));
    expect((await scene.run(['run', file, '--skip-invalid'])).code).toBe(3);
    expect(headerOf(scene, 'posts.results.csv')).toMatch(/^key;creator;.*;updated_at\r?$/);
    expect(headerOf(scene, 'posts.problems.csv')).toMatch(/^key;creator;.*;fix\r?$/);
    await scene.run(['report', 'c1', '--out', 'other.csv']);
    expect(headerOf(scene, 'other.csv')).toBe(headerOf(scene, 'posts.results.csv'));
  });

  it('has its campaign write semicolons from then on', async (test) => {
    const scene = await openScene(test);
    await scene.run(['import', scene.manifest([videoRow('1')])]);
    const grown = semicolons(scene, scene.manifest([videoRow('1'), videoRow('2')], 'grown.csv'));
    expect((await scene.run(['import', grown, '--into', 'c1'])).code).toBe(0);
    await scene.run(['report', 'c1', '--out', 'c1.csv']);
    expect(headerOf(scene, 'c1.csv')).toMatch(/^key;creator;/);
  });

  it('is what the template is where the comma is in numbers', async (test) => {
    const scene = await openScene(test);
    await scene.run(['template', '--out', 'posts.csv'], { LC_ALL: 'de_DE.UTF-8' });
    expect(headerOf(scene, 'posts.csv')).toMatch(/^key;creator;/);
    expect(headerOf(scene, 'posts.columns.csv')).toMatch(/^column;needed;/);
  });
});

describe('a manifest from standard input', () => {
  /** The environment with a temporary folder of its own. */
  function temporary(scene: Scene) {
    const folder = join(scene.folder, 'tmp');
    mkdirSync(folder, { recursive: true });
    return { folder, env: { TMPDIR: folder } };
  }

  function pipe(scene: Scene, args: readonly string[], text: string) {
    const command = scene.start(args, temporary(scene).env, 'pipe');
    command.child.stdin?.end(text);
    return finished(command);
  }

  function manifestsIn(folder: string) {
    return readdirSync(folder).filter((name) => name.startsWith('campaigns-manifest-'));
  }

  it('is read like a file, under the name inside it', async (test) => {
    const scene = await openScene(test);
    writeMedia(scene.folder, localFiles(rows));
    const checked = await pipe(scene, ['check', '-', '--json'], JSON.stringify(rows));
    expect([checked.code, JSON.parse(checked.stdout)]).toMatchObject([0, { rows: 2 }]);
    const ended = await pipe(scene, ['run', '-', '--json'], JSON.stringify({ name: 'Spring', rows }));
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([0, { name: 'Spring', source: '-' }]);
    expectAgreement(scene.sandbox, scene.results('Spring.results.csv'));
    expect(manifestsIn(temporary(scene).folder)).toEqual([]);
  });

  it('without a name is called stdin', async (test) => {
    const scene = await openScene(test);
    writeMedia(scene.folder, localFiles(rows));
    const ended = await pipe(scene, ['run', '-'], rows.map((row) => JSON.stringify(row)).join('\n'));
    expect(ended.code).toBe(0);
    expect(existsSync(join(scene.folder, 'stdin.results.csv'))).toBe(true);
  });

  it('can also be a named pipe', async (test) => {
    const scene = await openScene(test);
    writeMedia(scene.folder, localFiles(rows));
    execFileSync('mkfifo', [join(scene.folder, 'pipe')]);
    const command = scene.start(['check', 'pipe', '--json']);
    await writeFile(join(scene.folder, 'pipe'), JSON.stringify(rows));
    const ended = await finished(command);
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([0, { rows: 2, format: { kind: 'json' } }]);
  });

  it('cannot be a device', async (test) => {
    const scene = await openScene(test);
    expect(await scene.run(['check', '/dev/zero'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('leaves nothing behind when a signal ends the command, not its private Redis either', async (test) => {
    const scene = await openScene(test, { redis: 'private' });
    const { folder, env } = temporary(scene);
    const command = scene.start(['check', '-'], env, 'pipe');
    command.child.stdin?.write('key,creator\n');
    const stored = () => manifestsIn(folder).flatMap((name) => readdirSync(join(folder, name)));
    await expect.poll(stored).toEqual(['manifest']);
    command.kill('SIGINT');
    expect((await finished(command)).signal).toBe('SIGINT');
    expect(manifestsIn(folder)).toEqual([]);
    expect(await stopPrivateRedis(scene.dataDir)).toEqual({ stopped: false, users: [] });
  });
});

describe('what a campaign was imported with', () => {
  it('may be said again with --into, but not changed', async (test) => {
    const scene = await openScene(test);
    const local = videoRow('1', { scheduled_at: '2099-01-01 10:00' });
    const file = scene.manifest([local]);
    const zone = ['--timezone', 'asia/shanghai'];
    expect((await scene.run(['import', file, ...zone, '--media-root', '.'])).code).toBe(0);
    const again = ['import', scene.manifest([local, videoRow('2')], 'more.csv'), '--into', 'c1', '--dry-run'];
    expect((await scene.run([...again, ...zone, '--media-root', `${scene.folder}/`])).code).toBe(0);
    expect(await scene.run([...again, '--media-root', '/tmp'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`campaign c1 has another media folder: ${scene.folder}`),
    });
    expect(await scene.run([...again, '--timezone', 'UTC'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('campaign c1 has another time zone: Asia/Shanghai'),
    });
  });
});

describe('--timezone', () => {
  it('is the zone of times without one, for check, run and import', async (test) => {
    const scene = await openScene(test);
    const file = scene.manifest([videoRow('1', { scheduled_at: '2099-07-01 10:00' })]);
    expect(await scene.run(['check', file])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('The time has no time zone.'),
    });
    expect((await scene.run(['check', file, '--timezone', 'Asia/Shanghai'])).code).toBe(0);
    const ended = await scene.run(['run', file, '--timezone', 'Asia/Shanghai', '--json']);
    expect(JSON.parse(ended.stdout)).toMatchObject({ timezone: 'Asia/Shanghai', counts: { posted: 1 } });
    expect(scene.results().rows[0]?.scheduled_at_utc).toBe('2099-07-01T02:00:00.000Z');
    const [post] = scene.sandbox.effects().posts;
    expect(post?.request).toMatchObject({ scheduledAt: Date.parse('2099-07-01T02:00:00Z') });
  });

  it('that does not exist ends with 2', async (test) => {
    const scene = await openScene(test);
    const file = scene.manifest([videoRow('1')]);
    expect(await scene.run(['check', file, '--timezone', '+08:00'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('such as Asia/Shanghai'),
    });
  });
});
