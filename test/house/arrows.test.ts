import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findBreaches } from '../../scripts/arrows.ts';
import { temporaryFolder } from '../support/folder.ts';

function breachesOf(files: Record<string, string>): string[] {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries({
    'config/load.ts': '',
    'src/platform/redis/choose-redis.ts': '',
    ...files,
  })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return findBreaches(root);
}

test('the arrows of the layout are allowed', () => {
  expect(
    breachesOf({
      'src/cli/main.ts':
        "import { run } from '../app/campaigns/run.ts';\nimport { x } from '../../config/load.ts';\n",
      'src/cli/doctor/redis.ts': "import { info } from '../../platform/redis/choose-redis.ts';\n",
      'src/app/campaigns/run.ts': "import { open } from '../runtime/runtime.ts';\n",
      'src/app/drafts/start.ts': "import { start } from '../campaigns/import/start.ts';\n",
      'src/app/runtime/runtime.ts': "import { run } from '../../processors/run.ts';\n",
      'src/processors/run.ts':
        "import { rows } from '../ledger/rows.ts';\nimport { call } from '../service/client.ts';\n",
      'src/ledger/rows/rows.ts':
        "import { open } from '../../platform/redis/choose-redis.ts';\nimport type { Row } from '../manifest/row.ts';\n",
      'src/sandbox/server.ts': "import { post } from '../service/contract/posts.ts';\n",
    }),
  ).toEqual([]);
});

test.each([
  ['src/ledger/x.ts', "import { a } from '../service/client.ts';", 'ledger may not import service'],
  ['src/queues/x.ts', "import { a } from '../ledger/rows.ts';", 'queues may not import ledger'],
  ['src/sandbox/x.ts', "import { a } from '../service/client.ts';", 'sandbox may not import service'],
  [
    'src/platform/redis/x.ts',
    "import type { A } from '../../ledger/keys.ts';",
    'platform/redis may not import ledger',
  ],
  ['src/service/x.ts', "export { a } from './media/source.ts';", 'service may not import service/media'],
  ['src/cli/x.ts', "import { a } from '../ledger/rows.ts';", 'cli may not import ledger (only its types)'],
  ['src/app/campaigns/x.ts', "import { a } from '../../cli/main.ts';", 'app/campaigns may not import cli'],
  [
    'src/app/drafts/x.ts',
    "import { a } from '../campaigns/hold.ts';",
    'app/drafts may not import app/campaigns',
  ],
  [
    'src/app/campaigns/x.ts',
    "import { a } from '../drafts/start.ts';",
    'app/campaigns may not import app/drafts',
  ],
  ['src/sheets/x.ts', "import { a } from '../app/campaigns/run.ts';", 'sheets may not import app/campaigns'],
  [
    'src/service/media/x.ts',
    "import '../../platform/redis/choose-redis.ts';",
    'service/media may not import platform/redis',
  ],
  ['src/processors/x.ts', "const a = await import('../cli/main.ts');", 'processors may not import cli'],
  ['src/console/x.ts', "import { a } from '../../test/support/redis.ts';", 'console may not import test'],
  [
    'src/queues/x.ts',
    "import { rowSchema } from '../manifest/row.ts';",
    'queues may not import manifest (only its types)',
  ],
  [
    'src/importers/x.ts',
    "import {\n  a,\n  b,\n} from '../sandbox/seed.ts';",
    'importers may not import sandbox',
  ],
  ['src/ledger/x.ts', 'const dir = process.env.DATA_DIR;', 'ledger may not read process.env'],
  ['src/service/x.ts', "import { env } from 'node:process';", 'service may not read process.env'],
])('%s: %s', (path, text, breach) => {
  expect(breachesOf({ [path]: `\n${text}\n` })).toEqual([`${path}:2: ${breach}`]);
});

test.each(["process.stderr.write('x');", "import { stdout } from 'node:process';", "writeSync(1, 'x');"])(
  'only the gate writes to the terminal: %s',
  (text) => {
    expect(breachesOf({ 'src/cli/print/terminal.ts': text, 'src/cli/print/x.ts': `\n${text}\n` })).toEqual([
      'src/cli/print/x.ts:2: only src/cli/print/terminal.ts may write to standard output and standard error',
    ]);
  },
);

test('types of the row are allowed where only types are', () => {
  expect(
    breachesOf({ 'src/ledger/x.ts': "import { type Row, type Cover } from '../manifest/row.ts';\n" }),
  ).toEqual([]);
});

test('an import in a comment is no breach', () => {
  expect(
    breachesOf({
      'src/service/x.ts': "/**\n * Never reads process.env.\n */\n// import { a } from '../media/x.ts';\n",
    }),
  ).toEqual([]);
});

test('a part that is on no arrow is reported', () => {
  expect(breachesOf({ 'src/helpers/x.ts': '' })).toEqual([
    expect.stringContaining('"helpers" is on no arrow'),
  ]);
});
