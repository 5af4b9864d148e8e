/** What the redis-server of this machine was built with. */
import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';
import { lacking } from '../lacking.ts';

/** By feature: a directive that a server without it does not know, and a value. */
const directives = { TLS: ['--tls-port', '0'], cluster: ['--cluster-enabled', 'yes'] } as const;
export type RedisFeature = keyof typeof directives;

const known = new Map<RedisFeature, boolean>();

/** Where the redis-server of this machine lacks what the test is about: see `lacking`. */
export function needsRedisWith(feature: RedisFeature, test: Pick<TestContext, 'skip'>): void {
  const has = known.get(feature) ?? hasFeature(feature);
  known.set(feature, has);
  if (!has) lacking(test, `redis-server with ${feature} support`);
}

function hasFeature(feature: RedisFeature): boolean {
  // It ends at the first directive that it does not know, and names it.
  const args = [...directives[feature], '--no-such-directive', '1'];
  const { stdout, stderr, error } = spawnSync('redis-server', args, { encoding: 'utf8' });
  if (error) throw error;
  return /^>>> '(\S+)/m.exec(stdout + stderr)?.[1] === 'no-such-directive';
}
