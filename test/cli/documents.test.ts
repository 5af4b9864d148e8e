/** What commands print with `--json` is what the schemas of the documents say, field by field. */
import { describe, expect, it } from 'vitest';
import { type CommandName, commandSchemas, errorSchema } from '../../src/cli/documents.ts';
import { listPostsSetting, openScene, playOnce } from '../support/processes/scene.ts';
import { aiVideoRow, videoRow } from '../support/sheets/rows.ts';

/** One row of each end: posted, failed, in review. */
const rows = [
  videoRow('good'),
  videoRow('refused', { product_id: 'unavailable-1' }),
  aiVideoRow('failing', { creator: 'demo_ben', ai_prompt: '[fail] a video' }),
  videoRow('lost'),
];

describe('the document of', () => {
  const scene = playOnce(async (owner) => {
    const opened = await openScene(owner);
    opened.sandbox.faults.add({
      operation: 'createCreatorPost',
      kind: 'lost-answer',
      match: { title: 'Caption lost' },
    });
    await opened.run(['run', opened.manifest(rows)]);
    await opened.run(['import', opened.manifest([videoRow('held')], 'held.csv')]);
    opened.manifest([videoRow('wrong', { caption: '' })], 'wrong.csv');
    opened.manifest([videoRow('second')], 'second.csv');
    opened.configure({ api: { listPosts: listPostsSetting() } });
    return opened;
  });

  const known: readonly (readonly [CommandName, ...string[]])[] = [
    ['list'],
    ['show', 'c1'],
    ['watch', 'c1'],
    ['watch', 'c2', '--once'],
    ['check', 'posts.csv'],
    ['check', 'wrong.csv'],
    ['run', 'wrong.csv'],
    ['run', 'second.csv', '--canary', '1'],
    ['run', 'posts.results.csv', '--into', 'c1', '--dry-run'],
    ['import', 'posts.csv', '--again'],
    ['report', 'c1', '--out', 'again.csv'],
    ['retry', 'c1', '--dry-run'],
    ['retry', 'c1', '--error', 'none_such'],
    ['decide', 'c1', '--not-posted', '--error', 'none_such'],
    ['refresh', 'c1'],
    ['pause', 'c2'],
    ['resume', 'c2'],
    ['resume', 'c1', '--creator', 'demo_anna'],
    ['cancel', 'c2', '--yes'],
    ['delete', 'c2', '--yes'],
    ['rate-limits'],
    ['journal'],
    ['creators'],
    ['products', 'demo_anna'],
    ['music', 'a'],
    ['doctor'],
    ['template'],
    ['template', '--out', 'template.csv'],
    ['stop'],
  ];

  it.for(known)('campaigns %s', async ([command, ...args]) => {
    const { stdout, stderr } = await scene().run([command, ...args, '--json']);
    expect(stderr).not.toContain('defect');
    const parsed = commandSchemas[command].safeParse(JSON.parse(stdout));
    expect(parsed.error?.issues ?? []).toEqual([]);
  });

  it('an error', async () => {
    const { stdout } = await scene().run(['show', 'c99', '--json']);
    expect(errorSchema.parse(JSON.parse(stdout)).error).toMatchObject({ exitCode: 2 });
  });
});
