/** Text from outside that a terminal would obey: escape sequences, carriage returns, direction of text, zero-width characters. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../src/app/runtime/log.ts';
import { fixHere } from '../../src/cli/hints.ts';
import { table } from '../../src/cli/print/output.ts';
import { gated, paint, sheetStream } from '../../src/cli/print/terminal.ts';
import { printable } from '../../src/manifest/printable.ts';
import { readRows } from '../sheets/xlsx/workbook-rows.ts';
import { temporaryFolder } from '../support/folder.ts';
import { spawnProgram } from '../support/processes/child.ts';
import { openScene, playOnce } from '../support/processes/scene.ts';
import { partsOf, writeParts } from '../support/sheets/workbook.ts';

/** Sets the title, colours, erases, goes back, turns the direction, hides a space. */
const hostile = '\u001b]0;owned\u0007\u001b[31m\u009b2J\r\b\u007f\u202e\u2066\u200b\ufeffend';
const commandLine = new URL('../../src/cli/main.ts', import.meta.url).href;

/** What a terminal would obey, or not show. */
const obeyed = /[^\P{Cc}\n]|\p{Cf}/u;
const shown = '\\u001b]0;owned\\u0007';
/** What the client leaves of a title that the service sends: no controls, and no characters that turn the direction. */
const title = ']0;owned [31m 2J \u200b end';
const shownOfTitle = '2J \\u200b end';

describe('what commands print of hostile text', () => {
  const scene = playOnce(async (owner) => {
    const opened = await openScene(owner);
    const { sandbox } = opened;
    const [anna] = sandbox.creators();
    if (anna === undefined) throw new Error('the sandbox has creators');
    sandbox.putCreators([
      { ...anna, id: 9001, creatorId: 'c-9001', username: `eve${hostile}`, tagNames: [hostile] },
    ]);
    opened.manifest(
      [{ key: 'a', creator: 'demo_anna', media: 'a.mp4', caption: 'A', product_id: '1', product_title: 'P' }],
      // The campaign is named so.
      `spring${hostile}.csv`,
    );
    return opened;
  });

  it('creators', async () => {
    await expectGated(['creators'], 'stdout');
  });

  it('products', async () => {
    answerNext('listSocialShowcaseProducts', { products: [{ id: '1', title: hostile }] });
    await expectGated(['products', 'demo_anna'], 'stdout', shownOfTitle);
  });

  it('products as JSON keep their titles', async () => {
    answerNext('listSocialShowcaseProducts', { products: [{ id: '1', title: hostile }] });
    const { stdout } = await expectGated(['products', 'demo_anna', '--json'], 'stdout', shownOfTitle);
    expect(JSON.parse(stdout)).toMatchObject({ products: [{ title }] });
  });

  it('a CSV for another program keeps its titles', async () => {
    answerNext('listSocialShowcaseProducts', { products: [{ id: '1', title: hostile }] });
    const { stdout } = await scene().run(['products', 'demo_anna', '--csv']);
    expect(stdout).toContain(title);
  });

  it('problems of a sheet', async () => {
    const sheet = scene().manifest(
      [{ key: hostile, creator: hostile, media: 'none.mp4', caption: 'A', [`odd${hostile}`]: 'x' }],
      'bad.csv',
    );
    await expectGated(['check', sheet], 'stdout');
  });

  it('a message of the service, in the summary of a run and ever after', async () => {
    const { sandbox } = scene();
    sandbox.faults.add({ operation: 'createCreatorPost', kind: 'code', code: 16_001_009, message: hostile });
    await expectGated(['run', `spring${hostile}.csv`], 'stdout');
    await expectGated(['show', 'c1'], 'stdout');
    await expectGated(['list'], 'stdout');
  });

  it.each([
    ['a file', ['check', `${hostile}.csv`]],
    ['an id', ['show', `c1${hostile}`]],
    ['a command', [`chec${hostile}`]],
    ['an option', ['list', `--jso${hostile}`]],
    ['the value of an option', ['run', 'posts.csv', '--name', `spring${hostile}`]],
  ])('an error about %s', async (_what, args) => {
    await expectGated(args, 'stderr');
  });

  function answerNext(operation: 'listSocialShowcaseProducts', data: unknown): void {
    const body = { code: 0, message: 'ok', data };
    scene().sandbox.faults.add({ operation, kind: 'status', status: 200, body });
  }

  /** Runs a command. Expects that it shows the hostile text, with nothing in it that a terminal would obey. */
  async function expectGated(args: readonly string[], stream: 'stdout' | 'stderr', gatedText = shown) {
    const end = await scene().run(args);
    expect(end[stream]).toContain(gatedText);
    expect(end.stdout).not.toMatch(obeyed);
    expect(end.stderr).not.toMatch(obeyed);
    return end;
  }
});

test('an error that nobody catches, and a warning of a library', async () => {
  const text = JSON.stringify(hostile);
  const afterwards = `setTimeout(() => { console.warn(${text}); throw new Error(${text}); }, 0)`;
  const program = `import(${JSON.stringify(commandLine)}).then(() => ${afterwards})`;
  const sandbox = spawnProgram(process.execPath, ['-e', program, 'campaigns', 'sandbox', '--port', '0']);
  expect(await sandbox.end()).toMatchObject({ code: 2 });
  const said = sandbox.output.stderr.join('\n');
  expect(said.split(shown)).toHaveLength(3);
  expect(said).not.toMatch(obeyed);
});

describe('the gate', () => {
  it('lets our own colours through, and no colour of a text', () => {
    vi.stubEnv('FORCE_COLOR', '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(gated(`${paint('red', `a\u001b[32mb`, 'stdout')} \u001b[32mc`)).toBe(
      '\u001b[31ma\\u001b[32mb\u001b[39m \\u001b[32mc',
    );
  });

  it('a cell of a table stays on its line', () => {
    expect(table(['NAME', 'STATE'], [['one\nc2  posted', 'failed']])).toEqual([
      'NAME            STATE',
      'one↵c2  posted  failed',
    ]);
  });

  it('shows a lone surrogate, a tag and each break of a line', () => {
    expect(printable('a\ud800\u{e0041}\u2028\u0085\nb')).toBe('a\ufffd\\u{e0041}\\u2028\\u0085↵b');
  });

  it('a sheet for a terminal is gated; line ends stay', async () => {
    const written = capture('stdout', true);
    const stream = sheetStream();
    stream.write(Buffer.from(`a\tb\r\n${hostile}`).subarray(0, -1));
    await new Promise<void>((resolve) => stream.end(Buffer.from('d\r\n'), resolve));
    expect(written()).toMatch(/^a\tb\n\\u001b.*end\n$/);
    expect(written()).not.toMatch(/[^\P{Cc}\n\t]|\p{Cf}/u);
  });
});

test('lines of the log', () => {
  const dataDir = temporaryFolder();
  createLog({ logLevel: 'info', dataDir }, 'file').info({ error: hostile }, 'step');
  const line = readFileSync(join(dataDir, 'campaigns.log'), 'utf8');
  expect(line).not.toMatch(obeyed);
  expect(JSON.parse(line)).toMatchObject({ error: hostile });
});

describe('names in a workbook', () => {
  const part = 'xl/worksheets/\u009b31m\u202esheet.xml';
  const parts = partsOf({ sheets: [{ name: '\u009b31m\u202eP', rows: '' }] });
  const renamed = Object.fromEntries(
    Object.entries(parts).map(([name, content]) => [
      name.replace('xl/worksheets/sheet1.xml', part),
      String(content).replace('worksheets/sheet1.xml', part.slice(3)),
    ]),
  );

  it('of a part', async () => {
    const { failure } = await readRows(await writeParts({ ...renamed, [part]: '<worksheet' }));
    expect(failure?.problem).toBe(
      'the workbook is damaged: xl/worksheets/\\u009b31m\\u202esheet.xml is not well-formed XML',
    );
  });

  it('of a part that is missing', async () => {
    const { [part]: _gone, ...rest } = renamed;
    const { failure } = await readRows(await writeParts(rest));
    expect(failure?.problem).toContain('no part xl/worksheets/\\u009b31m\\u202esheet.xml');
  });

  it('of a sheet', async () => {
    const { failure } = await readRows(await writeParts(renamed), 'Q');
    expect(fixHere(failure?.fix)).toContain('It has "\\u009b31m\\u202eP"');
  });
});

/** Takes what this process writes to a standard stream until the test ends. */
function capture(name: 'stdout' | 'stderr', isTTY = false): () => string {
  const stream = process[name];
  const wasTTY = stream.isTTY;
  let text = '';
  const spy = vi.spyOn(stream, 'write').mockImplementation((chunk: string | Uint8Array) => {
    text += Buffer.from(chunk as string).toString();
    return true;
  });
  stream.isTTY = isTTY;
  onTestFinished(() => {
    stream.isTTY = wasTTY;
    spy.mockRestore();
  });
  return () => text;
}
