/** The package as users get it: packed, unpacked beside nothing but the packages that it names, and used there. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageFacts from '../../package.json' with { type: 'json' };
import { spawnNode, spawnProgram, type TestProcess } from '../support/processes/child.ts';
import { testSandbox } from '../support/sandbox.ts';
import { projectRoot } from '../support/sheets/manifests.ts';

const run = promisify(execFile);
const packMs = 120_000;
const temporary = mkdtempSync(join(tmpdir(), 'campaigns-package-'));
/** The folder of a user of the package. */
const folder = join(temporary, 'app');
const installed = join(folder, 'node_modules', packageFacts.name);

/** As an install does, without the registry: what the package does not name cannot be found from there. */
beforeAll(async () => {
  await run('npm', ['pack', '--silent', '--pack-destination', temporary], {
    cwd: projectRoot,
    timeout: packMs,
    env: { ...process.env, CAMPAIGNS_SETUP: 'skip' },
  });
  const tarball = join(temporary, `${packageFacts.name}-${packageFacts.version}.tgz`);
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  for (const name of Object.keys(packageFacts.dependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(projectRoot, 'node_modules', name), link);
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  for (const file of readdirSync(join(installed, 'examples')).filter((name) => name.endsWith('.ts'))) {
    cpSync(join(installed, 'examples', file), join(folder, file));
  }
  for (const [index, program] of programsOf('docs/embedding.md').entries()) {
    writeFileSync(join(folder, `embedding-${index}.ts`), program);
  }
}, packMs);

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** The programs that a document shows: indented texts that import. */
function programsOf(document: string): readonly string[] {
  const blocks = readFileSync(join(projectRoot, document), 'utf8').split(/\n(?! {4}|\n)/);
  return blocks
    .filter((block) => /^\s*import /m.test(block))
    .map((block) => block.replaceAll(/^(?: {4}|\S.*)/gm, ''));
}

/** Waits for a program to end with 0. @returns the lines that it printed. */
async function linesOf(program: TestProcess): Promise<readonly string[]> {
  const { code } = await program.end();
  expect(code, program.output.stderr.join('\n')).toBe(0);
  return program.output.stdout;
}

function campaigns(args: readonly string[], env: Readonly<Record<string, string>> = {}): TestProcess {
  return spawnProgram(join(installed, packageFacts.bin.campaigns), args, env, { cwd: folder });
}

test('campaigns --version prints the version and the commit', async () => {
  const asked = run('git', ['rev-parse', '--short=10', 'HEAD'], { cwd: projectRoot });
  // Sources that were downloaded have no repository.
  const commit = await asked.then(({ stdout }) => `+${stdout.trim()}`).catch(() => '');
  expect(await linesOf(campaigns(['--version']))).toEqual([packageFacts.version + commit]);
});

test('the typed client lists creators', async () => {
  await using sandbox = await testSandbox();
  const env = { CREATOR_API_URL: sandbox.url, CREATOR_API_KEY: sandbox.apiKey };
  const client = spawnNode(join(folder, 'call-the-service.ts'), [], env);
  expect(await linesOf(client)).toContain('demo_anna');
});

test('the sandbox serves a test', async () => {
  const args = ['--test', '--test-reporter=tap', 'sandbox-in-a-test.ts'];
  const runner = spawnProgram(process.execPath, args, {}, { cwd: folder });
  expect(await linesOf(runner)).toContain('# pass 1');
});

test('a campaign is carried to its posts', async () => {
  await using sandbox = await testSandbox();
  const media = join(installed, 'examples/media/videos/mug.mp4');
  const rows = [
    'creator,media,caption,product_id,product_title',
    `demo_anna,${media},A mug,1729430001,A mug`,
  ];
  const manifest = join(folder, 'posts.csv');
  writeFileSync(manifest, rows.join('\n'));
  const env = {
    CREATOR_API_URL: sandbox.url,
    CREATOR_API_KEY: sandbox.apiKey,
    CAMPAIGNS_CONFIG: join(installed, 'config/sandbox.json'),
    DATA_DIR: join(folder, 'data'),
  };
  // It writes its results into the current folder.
  await linesOf(spawnNode(join(folder, 'run-a-campaign.ts'), [manifest], env, { cwd: folder }));
  expect(sandbox.effects().posts).toMatchObject([{ title: 'A mug' }]);
});

test('its program posts a sheet, and serves the console with the board', async () => {
  await using sandbox = await testSandbox();
  const manifest = join(folder, 'mugs.csv');
  const media = join(installed, 'examples/media/videos/mug.mp4');
  const row = `demo_anna,${media},A mug from the terminal,1729430002,A mug`;
  writeFileSync(manifest, `creator,media,caption,product_id,product_title\n${row}`);
  const env = {
    CREATOR_API_URL: sandbox.url,
    CREATOR_API_KEY: sandbox.apiKey,
    CAMPAIGNS_CONFIG: join(installed, 'config/sandbox.json'),
    DATA_DIR: join(folder, 'program-data'),
  };
  await linesOf(campaigns(['run', manifest, '--media-root', installed], env));
  expect(sandbox.effects().posts).toMatchObject([{ title: 'A mug from the terminal' }]);

  const served = campaigns(['serve', '--no-work', '--json', '--host', '127.0.0.1', '--port', '0'], env);
  const [, url = ''] = await served.line(/"url": "(.*)"/);
  const [script = ''] = /\/assets\/[\w/.-]+\.js/.exec(await (await fetch(url)).text()) ?? [];
  for (const page of [script, '/campaigns/c1', '/board']) {
    expect([page, (await fetch(url + page)).status]).toEqual([page, 200]);
  }
  served.kill('SIGTERM');
  expect(await served.end()).toMatchObject({ code: 0 });
  expect(await linesOf(campaigns(['stop'], env))).toHaveLength(1);
});

test('programs that use it type-check as a bundler resolves it', async () => {
  const tsconfig = JSON.parse(readFileSync(join(projectRoot, 'tsconfig.json'), 'utf8'));
  const { paths: _ownSources, ...own } = tsconfig.compilerOptions;
  const bundler = { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: false };
  const compilerOptions = { ...own, ...bundler, typeRoots: [join(projectRoot, 'node_modules/@types')] };
  const file = join(folder, 'tsconfig.json');
  writeFileSync(file, JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const compiler = spawnProgram(join(projectRoot, 'node_modules/.bin/tsc'), ['-p', file]);
  expect([await compiler.end(), compiler.output.stdout]).toEqual([{ code: 0, signal: null }, []]);
});

test('it depends on what it imports, and on nothing else', () => {
  const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
  const imported = files
    .filter((file) => /\.(?:js|d\.ts)$/.test(file))
    .flatMap((file) => packagesIn(readFileSync(join(installed, 'dist', file), 'utf8')));
  // The console sends these to browsers, as files.
  const served = ['htmx.org', 'tus-js-client', '@fontsource-variable/inter', '@bull-board/ui'];
  expect(new Set([...imported, ...served])).toEqual(new Set(Object.keys(packageFacts.dependencies)));
});

test('its messages name documents where it is installed', async () => {
  const { documentPlace } = await import(join(installed, 'dist/src/app/runtime/package.js'));
  expect(documentPlace('backup.md')).toBe(join(realpathSync(installed), 'docs/backup.md'));
});

test('it brings its docs, and no maps of sources that it does not bring', () => {
  const documents = (folder: string) =>
    readdirSync(join(folder, 'docs'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.md'),
    );
  expect(documents(installed).toSorted()).toEqual(documents(projectRoot).toSorted());
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
});

/** Names of the packages that a module imports. */
function packagesIn(text: string): string[] {
  const specifiers = text.matchAll(
    /(?:^(?:import|export)\b[^;'"]*?\bfrom |\bimport\()'(?<name>(?:@[\w-]+\/)?[\w.:-]+)/gm,
  );
  return [...specifiers]
    .map(({ groups }) => groups?.name ?? '')
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:'));
}
