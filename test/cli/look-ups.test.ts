import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { openScene, playOnce, type Scene } from '../support/processes/scene.ts';

async function documentOf<T>(scene: Scene, ...args: readonly string[]): Promise<T> {
  const { stdout, stderr, code } = await scene.run([...args, '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

interface Creators {
  readonly creators: readonly { readonly username: string; readonly permissions: readonly string[] }[];
}

describe('look-ups', () => {
  const scene = playOnce((owner) => openScene(owner));

  it('creators lists every page', async () => {
    const { creators } = await documentOf<Creators>(scene(), 'creators');
    expect(creators).toHaveLength(scene().sandbox.creators().length);
  });

  it('creators asks for what the filters say', async () => {
    const flags = [
      '--valid',
      '--photo',
      '--region',
      'US',
      '--username',
      'demo_anna',
      '@demo_ben',
      'demo_hugo',
    ];
    const { creators } = await documentOf<Creators>(scene(), 'creators', ...flags);
    expect(creators.map(({ username }) => username)).toEqual(['demo_anna']);
    const target = scene().sandbox.calls('listCreatorAccounts').at(-1)?.target;
    const query = new URL(target ?? '', 'http://sandbox').searchParams;
    expect(query.getAll('usernames')).toEqual(['demo_anna', 'demo_ben', 'demo_hugo']);
    expect(Object.fromEntries(query)).toMatchObject({
      valid: 'true',
      hasPhotoPermission: 'true',
      selectionRegion: 'US',
    });
  });

  it('creators shows who cannot publish, and why', async () => {
    const { stdout } = await scene().run(['creators', '--username', 'demo_hugo', 'demo_jack']);
    expect(stdout).toMatch(
      /^CREATOR .*\ndemo_hugo .* expired .*\ndemo_jack .* SOCIAL_LOGIN_KIT: cannot publish/,
    );
  });

  it('products prints CSV under the names of the columns of a sheet', async () => {
    const { stdout } = await scene().run(['products', 'demo_ben', '--csv']);
    const rows = parse(stdout, { columns: true }) as Record<string, string>[];
    expect(rows.map((row) => row.product_id)).toEqual(['1729440001', '1729440002', '1729440003']);
    expect(Object.keys(rows[0] ?? {})).toEqual(['product_id', 'product_title', 'price', 'image']);
  });

  it('products follows all pages and filters titles', async () => {
    const { products } = await documentOf<{ products: { title: string }[] }>(
      scene(),
      ...['products', 'demo_anna', '--title', 'PRODUCT 172943000'],
    );
    expect(products).toHaveLength(9);
  });

  it('products of an unknown creator is an error that says where to look', async () => {
    const { code, stderr } = await scene().run(['products', 'nobody']);
    expect(code).toBe(2);
    expect(stderr).toContain('the service has no creator nobody\nSee all creators:\n  campaigns creators');
  });

  it('music prints what goes into the sheet', async () => {
    const { stdout } = await scene().run(['music', 'summer waves']);
    expect(stdout).toBe(
      'MUSIC_ID    MUSIC_TITLE   MUSIC_AUTHOR          MUSIC_DURATION\n' +
        'music_7059  Summer Waves  Paper Kites Ensemble  53',
    );
  });

  it('tries again if the service fails for a moment', async () => {
    scene().sandbox.faults.add({ operation: 'listCreatorAccounts', kind: 'status', status: 500, times: 2 });
    const { creators } = await documentOf<Creators>(scene(), 'creators', '--username', 'demo_anna');
    expect(creators).toHaveLength(1);
  });

  it('reports a refused key', async () => {
    const { code, stderr } = await scene().run(['creators'], { CREATOR_API_KEY: 'wrong' });
    expect(code).toBe(2);
    expect(stderr).toContain('Nothing was sent. Check that CREATOR_API_KEY is valid');
  });
});

it('music without its setting names the setting', async (test) => {
  const scene = await openScene(test, { settings: { api: { searchMusic: null } } });
  const { code, stderr } = await scene.run(['music', 'calm']);
  expect(code).toBe(2);
  expect(stderr).toContain('api.searchMusic');
});
