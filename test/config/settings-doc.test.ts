/** docs/settings.md has every setting with its default, and every variable of the environment. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSettings } from '../../config/load.ts';
import { projectRoot } from '../support/sheets/manifests.ts';

const page = readFileSync(join(projectRoot, 'docs/settings.md'), 'utf8');
const [environment = '', ...sections] = page.split(/^## (?!Environment)/m);

/** Settings of several fields that are written as one. */
const whole = new Set(['rateLimits', 'spend.prices']);

function fieldsOf(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  if (path !== '' && (whole.has(path) || Array.isArray(value) || typeof value !== 'object' || value === null))
    return [[path, value]];
  return Object.entries(value as object).flatMap(([name, each]) =>
    fieldsOf(each, path === '' ? name : `${path}.${name}`),
  );
}

/** A text such as `30s` is written without quotes. */
function readDefault(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const defaults = new Map(fieldsOf(checkSettings({})));
const documented = sections.flatMap((section) =>
  [...section.matchAll(/^\| `([\w.]+)` \| `([^`]+)` \|/gm)].map(
    ([, path = '', text = '']) => [path, text] as const,
  ),
);

describe('settings.md', () => {
  it('has every setting once', () => {
    expect(documented.map(([path]) => path).toSorted()).toEqual([...defaults.keys()].toSorted());
  });

  it.each(documented)('%s is %s unless set', (path, text) => {
    const settings = path
      .split('.')
      .reduceRight<unknown>((value, name) => ({ [name]: value }), readDefault(text));
    const read = new Map(fieldsOf(checkSettings(settings)));
    expect(read.get(path)).toEqual(defaults.get(path));
  });

  it('has every variable of the environment', () => {
    const source = readFileSync(join(projectRoot, 'config/load.ts'), 'utf8');
    const names = [...source.matchAll(/\benv\.([A-Z_]+)|\(env, '([A-Z_]+)'/g)].map(
      ([, one, two]) => one ?? two,
    );
    expect(names).toContain('CREATOR_API_KEY');
    expect(names.filter((name) => !environment.includes(`\`${name}\``))).toEqual([]);
  });
});
