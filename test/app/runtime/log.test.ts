import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';
import { logTo } from '../../../src/app/runtime/log.ts';

/** Linux only. */
it.runIf(existsSync('/dev/full'))(
  'a log on a full disk throws nothing into the work that it is about',
  (test) => {
    const descriptor = openSync('/dev/full', 'w');
    test.onTestFinished(() => closeSync(descriptor));
    const log = logTo(descriptor, 'info');
    expect(() => {
      for (let line = 0; line < 3; line += 1) log.info({ line }, 'posted');
    }).not.toThrow();
  },
);
