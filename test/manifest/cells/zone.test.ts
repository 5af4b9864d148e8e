import { expect, it } from 'vitest';
import { Zones } from '../../../src/manifest/cells/zone.ts';

const zones = new Zones();

it.each(['CST', 'PST', 'IST', '+08:00', 'Mars/Olympus'])('%s is not a zone', (name) => {
  expect(zones.find(name)).toBeNull();
});

it.each([
  ['asia/shanghai', 'Asia/Shanghai'],
  ['asia/kolkata', 'Asia/Kolkata'],
  ['us/eastern', 'US/Eastern'],
  ['europe/kyiv', 'Europe/Kyiv'],
  ['Etc/gmt+8', 'Etc/GMT+8'],
  ['america/port-au-prince', 'America/Port-au-Prince'],
  ['utc', 'UTC'],
])('%s is stored as %s', (written, name) => {
  expect(zones.find(written)?.name).toBe(name);
});
