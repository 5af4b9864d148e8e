/** How long `campaigns --help` takes, compared with Node alone. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median, printTable } from './table.ts';

const launcher = fileURLToPath(new URL('../bin/campaigns', import.meta.url));

function timed(program: string, args: readonly string[]): number {
  const begun = performance.now();
  execFileSync(program, args, { stdio: 'ignore' });
  return performance.now() - begun;
}

export function benchStartUp(rounds: number): void {
  timed(launcher, ['--help']);
  const pairs = Array.from({ length: rounds }, () => ({
    node: timed(process.execPath, ['-e', '0']),
    help: timed(launcher, ['--help']),
  }));
  printTable(
    'start',
    ['ms'],
    [
      ['node -e 0', [median(pairs.map(({ node }) => node)).toFixed(0)]],
      ['campaigns --help', [median(pairs.map(({ help }) => help)).toFixed(0)]],
    ],
  );
  process.stdout.write('\n');
}
