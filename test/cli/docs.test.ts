/** Documents say what the program does. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notificationEvents, receiverFormats } from '../../config/notify.ts';
import { columns } from '../../src/manifest/columns.ts';
import {
  approvalColumns,
  figureColumns,
  noteColumn,
  resultColumns,
} from '../../src/manifest/result-columns.ts';
import { operations, referencedOperations } from '../../src/service/contract/operations.ts';
import { openScene } from '../support/processes/scene.ts';
import { projectRoot } from '../support/sheets/manifests.ts';
import { writeMedia } from '../support/sheets/media.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

it('the check in the README is what check prints', async (test) => {
  const scene = await openScene(test);
  const sheet = [
    'key,creator,media,caption,product_id,product_title',
    'spring-1,demo_anna,candle.mp4,It fills the room,1.72943E+18,Fig candle',
    'spring-2,demo_ana,lamp.mp4,Light for long evenings,1729560102,Desk lamp',
  ];
  writeFileSync(join(scene.folder, 'posts.csv'), sheet.join('\n'));
  writeMedia(scene.folder, ['candle.mp4', 'lamp.mp4']);
  const { code, stdout } = await scene.run(['check', 'posts.csv'], { COLUMNS: '80' });
  expect(code).toBe(1);
  const shown = `    $ campaigns check posts.csv\n${stdout.replaceAll(/^(?=.)/gm, '    ')}`;
  expect(read('README.md')).toContain(shown.trimEnd());
});

describe('docs/cli.md', () => {
  it('has every command and exit code of the help', async (test) => {
    const scene = await openScene(test);
    const { stdout } = await scene.run(['--help'], { COLUMNS: '80' });
    const page = read('docs/cli.md');
    const [groups = '', end = ''] = stdout.split('Examples:');
    const commands = [...groups.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name = '']) => name);
    expect(commands).toContain('run');
    expect(commands.filter((name) => name !== 'help' && !page.includes(`\`${name}\``))).toEqual([]);
    const codes = [...end.replaceAll(/\s+/g, ' ').matchAll(/(\d+) [a-z]/g)].map(([, code]) => code);
    expect([...page.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => code)).toEqual(codes);
  });
});

it('docs/sheets.md has every column of sheets and of results', () => {
  const page = read('docs/sheets.md');
  const names = [
    ...columns.map(({ name }) => name),
    noteColumn,
    ...resultColumns,
    ...figureColumns,
    ...approvalColumns,
  ];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('docs/service.md has every operation with its call', () => {
  const page = read('docs/service.md');
  const calls = Object.entries(operations).map(
    ([id, { method, path }]) => `| \`${id}\` | \`${method} ${path}\` |`,
  );
  const described = referencedOperations.map((id) => `| \`${id}\` |`);
  expect([...calls, ...described].filter((line) => !page.includes(line))).toEqual([]);
});

it('docs/notifications.md has every event and format', () => {
  const page = read('docs/notifications.md');
  expect([...page.matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, event]) => event).toSorted()).toEqual(
    [...notificationEvents].toSorted(),
  );
  expect(receiverFormats.filter((format) => !page.includes(`\`${format}\``))).toEqual([]);
});

it('docs/monitoring.md has messages of the log that exist', () => {
  const [, table = ''] = /^\| `msg` \| level .*\n([\s\S]*?)\n\n/m.exec(read('docs/monitoring.md')) ?? [];
  const messages = table
    .split('\n')
    .flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
  const sources = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(join('src', file)))
    .join('\n');
  expect(messages).toContain('posted');
  expect(messages.filter((text) => !sources.includes(`'${text}'`))).toEqual([]);
});
