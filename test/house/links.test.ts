/** Every link of the documents leads to a file that exists, and to a heading that it has. Every source file that they name exists, and so does every document that a message names. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/sheets/manifests.ts';

const documents = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/README.md'],
  ...readdirSync(join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

/** Links of a document that lead within the project, code left out. */
function linksOf(text: string): readonly string[] {
  const prose = text.replaceAll(/^(?: {4}|```)[^\n]*$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !link.includes('://'));
}

/** Anchors of a document's headings, as code hosts make them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const folders = ['src', 'test', 'config', 'scripts', 'bench', 'examples'];
const sources = [...folders, 'deploy'].flatMap((folder) =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
    join(folder, file),
  ),
);

/** @param folder the end of a path, with a slash. */
function holds(folder: string): boolean {
  return sources.some((file) => file.includes(`/${folder}`));
}

/** Whether a text in backticks is a path, or the end of one, that does not exist. What the build makes may not be there yet. */
function isLost(code: string): boolean {
  if (!/^[\w./-]+$/.test(code) || code.startsWith('dist/')) return false;
  if (folders.includes(code.split('/')[0] ?? '')) return !existsSync(join(projectRoot, code));
  if (code.endsWith('/')) return !existsSync(join(projectRoot, code)) && !holds(code);
  return /\.(?:ts|lua)$/.test(code) && !sources.some((file) => file.endsWith(`/${code}`));
}

it.each(documents)('files that %s names exist', (document) => {
  const prose = readFileSync(join(projectRoot, document), 'utf8').replaceAll(/^```.*?^```/gms, '');
  const named = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  expect(named.filter(isLost)).toEqual([]);
});

describe('links of', () => {
  it.each(documents)('%s', (document) => {
    const broken = linksOf(readFileSync(join(projectRoot, document), 'utf8')).filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target =
        path === '' ? document : relative(projectRoot, join(projectRoot, dirname(document), path));
      if (!existsSync(join(projectRoot, target))) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(join(projectRoot, target), 'utf8')).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe('documents that messages name', () => {
  const texts = sources
    .filter((file) => /^(?:src|config)\b.*\.(?:ts|js|lua)$/.test(file))
    .map((file) => [file, readFileSync(join(projectRoot, file), 'utf8')] as const);

  it('exist', () => {
    const named = new Set(
      texts.flatMap(([, text]) => [...text.matchAll(/'([\w/-]+\.md)'/g)].map(([, name = '']) => name)),
    );
    expect(named).toContain('backup.md');
    expect([...named].filter((name) => !existsSync(join(projectRoot, 'docs', name)))).toEqual([]);
  });

  it('are named by their place, which differs from machine to machine', () => {
    const literal = texts.flatMap(([file, text]) =>
      text
        .split('\n')
        .filter((line) => !/^\s*(?:\*|\/\*|\/\/|--)/.test(line) && /\bdocs\/[\w/-]+\.md/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(literal).toEqual([]);
  });
});
