/** Services that keep the contract in other ways than the sandbox does. */
import { describe, expect, it } from 'vitest';
import { httpRelay } from '../support/http-relay.ts';
import { openScene } from '../support/processes/scene.ts';
import { photoRow, videoRow } from '../support/sheets/rows.ts';

const prefix = '9223372036';
const digits = 13;
const lengthened = (id: string) => prefix + id.padStart(digits, '0');
const long = new RegExp(`${prefix}(\\d{${digits}})`, 'g');

describe('a service whose ids are beyond 2^53', () => {
  it('gets every id back with all its digits', async (test) => {
    const scene = await openScene(test);
    const relay = await httpRelay(scene.sandbox.url, {
      asked: (text) => text.replaceAll(long, (_, id) => String(Number(id))),
      answered: (text) =>
        text.replaceAll(/("id"|"fileId"):(\d+)/g, (_, name, id) => `${name}:${lengthened(id)}`),
    });
    const rows = [videoRow('1', { cover: 'cover.png' }), photoRow('2', 2)];
    const env = { CREATOR_API_URL: relay.origin };
    const { code, stderr } = await scene.run(['run', scene.manifest(rows)], env);

    expect({ code, stderr }).toMatchObject({ code: 0 });
    const bodiesOf = (path: string) =>
      relay.calls.filter(({ target }) => target.startsWith(path)).map(({ body }) => body);
    expect(bodiesOf('/v1/creator/socialshop/product/addToShowcase')[0]).toMatch(
      new RegExp(`"id":${long.source}`),
    );
    for (const body of bodiesOf('/v1/file/confirm'))
      expect(body).toMatch(new RegExp(`"fileId":${long.source}`));
    for (const { file_ids } of scene.results().rows) expect(file_ids).toMatch(new RegExp(`^${long.source}`));
  });
});

describe('a service that answers with entries of no use', () => {
  it('is told of, and the other entries are used', async (test) => {
    const scene = await openScene(test);
    const relay = await httpRelay(scene.sandbox.url, {
      answered: (text) => text.replace(/"creatorId":"[^"]*"/, '"creatorId":null'),
    });
    const { code, stdout, stderr } = await scene.run(['creators', '--json'], {
      CREATOR_API_URL: relay.origin,
    });

    expect(code).toBe(0);
    const ids = JSON.parse(stdout).creators.map(({ id }: { id: number }) => id);
    expect(ids).toEqual(expect.not.arrayContaining([1001]));
    expect(ids).toEqual(expect.arrayContaining([1002, 1003]));
    expect(stderr).toMatch(/listCreatorAccounts: 1 of \d+ entries of the answer are skipped/);
  });
});
