/** The package as users get it: packed, installed into an empty folder, and used there. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageFacts from '../../package.json' with { type: 'json' };
import { spawnNode, spawnProgram, type TestProcess } from '../support/processes/child.ts';
import { testSandbox } from '../support/sandbox.ts';
import { projectRoot } from '../support/sheets/manifests.ts';

const packMs = 120_000;
const installMs = 180_000;
const temporary = mkdtempSync(join(tmpdir(), 'campaigns-package-'));
/** The folder of a user of the package. */
const folder = join(temporary, 'app');
const installed = join(folder, 'node_modules', packageFacts.name);

beforeAll(async () => {
  const npm = (args: readonly string[], cwd: string, timeout: number) =>
    promisify(execFile)('npm', args, { cwd, timeout });
  await npm(['pack', '--silent', '--pack-destination', temporary], projectRoot, packMs);
  const tarball = join(temporary, `${packageFacts.name}-${packageFacts.version}.tgz`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], folder, installMs);
  for (const file of readdirSync(join(installed, 'examples')).filter((name) => name.endsWith('.ts'))) {
    cpSync(join(installed, 'examples', file), join(folder, file));
  }
}, packMs + installMs);

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** Waits for a program to end with 0. @returns the lines that it printed. */
async function linesOf(program: TestProcess): Promise<readonly string[]> {
  const { code } = await program.end();
  expect(code, program.output.stderr.join('\n')).toBe(0);
  return program.output.stdout;
}

test('npx campaigns --version prints the version and the commit', async () => {
  const version = spawnProgram('npx', ['campaigns', '--version'], {}, { cwd: folder });
  const asked = promisify(execFile)('git', ['rev-parse', '--short=10', 'HEAD'], { cwd: projectRoot });
  // Sources that were downloaded have no repository.
  const commit = await asked.then(({ stdout }) => `+${stdout.trim()}`).catch(() => '');
  expect(await linesOf(version)).toEqual([packageFacts.version + commit]);
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
  const campaign = spawnNode(join(folder, 'run-a-campaign.ts'), [manifest], {
    CREATOR_API_URL: sandbox.url,
    CREATOR_API_KEY: sandbox.apiKey,
    CAMPAIGNS_CONFIG: join(installed, 'config/sandbox.json'),
    DATA_DIR: join(folder, 'data'),
  });
  await linesOf(campaign);
  expect(sandbox.effects().posts).toMatchObject([{ title: 'A mug' }]);
});

test('programs that use it type-check against its declarations', async () => {
  const tsconfig = JSON.parse(readFileSync(join(projectRoot, 'tsconfig.json'), 'utf8'));
  const { paths: _ownSources, ...compilerOptions } = tsconfig.compilerOptions;
  compilerOptions.typeRoots = [join(projectRoot, 'node_modules/@types')];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const compiler = spawnProgram(join(projectRoot, 'node_modules/.bin/tsc'), ['-p', folder]);
  expect([await compiler.end(), compiler.output.stdout]).toEqual([{ code: 0, signal: null }, []]);
});

test('it depends on what it imports, and on nothing else', () => {
  const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
  const imported = files
    .filter((file) => /\.(?:js|d\.ts)$/.test(file))
    .flatMap((file) => packagesIn(readFileSync(join(installed, 'dist', file), 'utf8')));
  // The console sends these to browsers, as files.
  const served = ['htmx.org', 'uplot'];
  expect(new Set([...imported, ...served])).toEqual(new Set(Object.keys(packageFacts.dependencies)));
});

/** Names of the packages that a module imports. */
function packagesIn(text: string): string[] {
  const specifiers = text.matchAll(/^(?:import|export)\b[^;'"]*?\bfrom '(?<name>(?:@[\w-]+\/)?[\w.:-]+)/gm);
  return [...specifiers]
    .map(({ groups }) => groups?.name ?? '')
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:'));
}
