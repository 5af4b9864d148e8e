/** Whatever names the version names that of the package. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../support/sheets/manifests.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { readonly version: string };

it.each([
  ['README.md', `Version ${version} ·`],
  ['docker-compose.yml', `campaign-runner:\${CAMPAIGNS_VERSION:-${version}}`],
  ['docker-compose.service.yml', `campaign-runner:\${CAMPAIGNS_VERSION:-${version}}`],
  ['Dockerfile', `campaign-runner:${version} `],
  ['deploy/kustomization.yaml', `newTag: "${version}"`],
  ['docs/monitoring.md', `FROM campaign-runner:${version}\n`],
])('%s', (file, text) => {
  expect(read(file)).toContain(text);
});

it('CHANGELOG.md has it with a date, as the newest', () => {
  const [, newest] = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect(newest).toMatch(new RegExp(String.raw`^\[${version}\] - \d{4}-\d\d-\d\d$`));
});
