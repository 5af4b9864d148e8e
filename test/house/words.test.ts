/** Documents stay readable: no sentence has more than 30 words, no cell of a table more than 25. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../support/sheets/manifests.ts';

const documents = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/README.md'],
  ...readdirSync(join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

/** A text in backticks counts as one word, and the target of a link as none. */
function wordsOf(text: string): number {
  const plain = text.replaceAll(/`[^`]*`/g, 'X').replaceAll(/\]\([^)]*\)/g, ']');
  return plain.split(/\s+/).filter((word) => /\w/.test(word)).length;
}

/** @returns sentences and cells that are too long, without examples and diagrams. */
function longTextsOf(document: string): readonly string[] {
  const prose = readFileSync(join(projectRoot, document), 'utf8').replaceAll(/^(?:```|~~~).*?^```$/gms, '');
  const lines = prose.split('\n').filter((line) => !line.startsWith('    '));
  const cells = lines.filter((line) => line.startsWith('|')).flatMap((line) => line.split(/(?<!\\)\|/));
  const texts = lines.map((line) => (line.startsWith('|') ? '' : line)).join('\n');
  const sentences = texts.split(/\n\n|\n(?=[-#] |\d+\. )|[.!?][*)]*\s/);
  return [...cells.filter((cell) => wordsOf(cell) > 25), ...sentences.filter((text) => wordsOf(text) > 30)];
}

it.each(documents)('%s', (document) => {
  expect(longTextsOf(document)).toEqual([]);
});
