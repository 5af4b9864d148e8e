/** The example of the REST API, with types made from the document that a console serves. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { apiPath } from '../../../src/console/app.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openRunner } from '../../support/in-process.ts';
import { spawnNode, spawnProgram } from '../../support/processes/child.ts';
import { projectRoot } from '../../support/sheets/manifests.ts';
import { aiVideoRow } from '../../support/sheets/rows.ts';
import { readSheet, writeSheet } from '../../support/sheets/sheet.ts';

const example = 'import-a-sheet.ts';

/** Makes types from an OpenAPI document. The generator needs the API of TypeScript 5; the project has a later one. */
async function typesOf(document: string): Promise<string> {
  const hooks = registerHooks({
    resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context),
  });
  onTestFinished(() => hooks.deregister());
  const { default: describe, astToString } = await import('openapi-typescript');
  return astToString(await describe(document));
}

it('the example type-checks against the served document, and posts a sheet', async () => {
  const runner = await openRunner();
  const { url } = await openPages(runner);
  await runner.start();
  const folder = temporaryFolder();
  cpSync(join(projectRoot, 'examples/rest', example), join(folder, example));
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const document = await fetch(`${url}${apiPath}/openapi.json`);
  writeFileSync(join(folder, 'campaigns.d.ts'), await typesOf(await document.text()));
  const { compilerOptions } = JSON.parse(readFileSync(join(projectRoot, 'tsconfig.json'), 'utf8'));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  writeSheet(join(folder, 'posts.csv'), [aiVideoRow('a', { caption: 'Größe' })]);

  const compiler = spawnProgram(join(projectRoot, 'node_modules/.bin/tsc'), ['-p', folder]);
  const program = spawnNode(example, ['posts.csv'], { CAMPAIGNS_API: `${url}${apiPath}` }, { cwd: folder });
  expect([await compiler.end(), compiler.output.stdout]).toMatchObject([{ code: 0 }, []]);
  expect([await program.end(), program.output.stderr]).toMatchObject([{ code: 0 }, []]);
  expect(program.output.stdout).toEqual(['c1: posts.results.csv']);
  expect(readSheet(join(folder, 'posts.results.csv')).rows).toMatchObject([
    { caption: 'Größe', status: 'posted' },
  ]);
});
