/** What `package-lock.json` may bring in. docs/internals/security.md tells it to people. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageFacts from '../../package.json' with { type: 'json' };
import { projectRoot } from '../support/sheets/manifests.ts';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

function lockedIn(file: string): readonly (LockedPackage & { readonly name: string })[] {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, file), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, facts]) => ({ ...facts, name: path.slice(path.lastIndexOf('node_modules/') + 13) }));
}

const locked = lockedIn('package-lock.json');
/** These name their licence in their read-me only. */
const told: Readonly<Record<string, string>> = { 'combine-errors': 'MIT' };
const licencesOf = (isWanted: (each: LockedPackage) => boolean) =>
  [...new Set(locked.filter(isWanted).map(({ license, name }) => license ?? told[name]))].sort();

test('the licences of what the package brings along', () => {
  expect(licencesOf(({ dev }) => !dev)).toEqual(
    [
      '0BSD',
      'Apache-2.0',
      'BSD-0-Clause',
      'BSD-3-Clause',
      'BlueOak-1.0.0',
      'ISC',
      'MIT',
      'MIT-0',
      'OFL-1.1',
      // The binaries of sharp: libvips is linked dynamically.
      'Apache-2.0 AND LGPL-3.0-or-later',
      'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
      'LGPL-3.0-or-later',
    ].sort(),
  );
});

test('the licences of what only development needs', () => {
  expect(licencesOf(({ dev }) => dev === true)).toEqual([
    '(MIT OR CC0-1.0)',
    'Apache-2.0',
    'BSD-3-Clause',
    'ISC',
    'MIT',
    'MIT OR Apache-2.0',
    'MIT-0',
    'MPL-2.0',
    'PSF-2.0',
    'Python-2.0',
  ]);
});

test('the packages with install scripts, none of which runs', () => {
  const names = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  expect(names).toEqual(['msgpackr-extract']);
  expect(packageFacts.allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, false])));
});

test.each(['package-lock.json', 'scripts/node/package-lock.json'])(
  'each package of %s has a digest, and comes from the registry',
  (file) => {
    const odd = lockedIn(file).filter(
      (each) =>
        each.resolved !== undefined ||
        !(each.integrity?.startsWith('sha512-') ?? (each.optional && !isForServers(each))),
    );
    expect(odd).toEqual([]);
  },
);

/** Binaries of other systems may lack a digest, where the registry in use did not have them. Without their entries npm ci refuses the file. */
function isForServers({ os = [], cpu = [], libc = [] }: LockedPackage): boolean {
  const isServer = cpu.includes('x64') || cpu.includes('arm64');
  return (
    (os.length === 0 || os.includes('linux')) && (cpu.length === 0 || isServer) && !libc.includes('musl')
  );
}

test('the Node of the set-up is one exact version that the runner accepts', () => {
  const [version, ...others] = new Set(
    lockedIn('scripts/node/package-lock.json').map((each) => each.version),
  );
  expect(others).toEqual([]);
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  expect(packageFacts.engines.node).toBe('>=24.5');
  expect([major, minor >= 5]).toEqual([24, true]);
});

test('install commands run no scripts of packages', () => {
  for (const file of ['scripts/setup', 'Dockerfile']) {
    // Without comments; a line may go on after a backslash.
    const text = readFileSync(join(projectRoot, file), 'utf8')
      .replace(/^ *#.*$/gm, '')
      .replaceAll('\\\n', '');
    const commands = text.match(/\bnpm (?:ci|install) [^|&\n]*/g) ?? [];
    expect(commands.length, file).toBeGreaterThan(1);
    expect(
      commands.filter((command) => !command.includes('--ignore-scripts')),
      file,
    ).toEqual([]);
  }
});
