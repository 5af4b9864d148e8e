import { describe, expect, it } from 'vitest';
import { repairFor } from '../../../src/campaigns/causes/commands.ts';

const error = { step: 'post' as const, code: 'outcome_unknown', message: 'no answer', at: 5 };
const rows = { state: 'failed' as const, error, subjects: [], keys: ['1'] };

describe('the commands for rows that were not posted', () => {
  it('are both decisions about each row in review', () => {
    expect(repairFor('c1', { ...rows, state: 'review', keys: ['1', '2'] }).commands).toEqual([
      'campaigns decide c1 1 --posted POST_ID',
      'campaigns decide c1 1 --not-posted',
      'campaigns decide c1 2 --posted POST_ID',
      'campaigns decide c1 2 --not-posted',
    ]);
  });

  it.for(['generate', 'poll'] as const)('are about its generation where it was at %s', (step) => {
    const { commands } = repairFor('c1', { ...rows, state: 'review', error: { ...error, step } });
    expect(commands[0]).toBe('campaigns decide c1 1 --generated SCHEDULE_ID');
  });

  it('can be pasted into a shell, whatever the key is', () => {
    const { commands } = repairFor('c1', { ...rows, state: 'review', keys: ["it's 夏; rm -rf ~"] });
    expect(commands[1]).toBe("campaigns decide c1 'it'\\''s 夏; rm -rf ~' --not-posted");
  });

  it('name a retry only where one can help', () => {
    expect(repairFor('c1', rows)).toEqual({
      kind: 'retry',
      commands: ['campaigns retry c1 --error outcome_unknown'],
    });
    expect(repairFor('c1', { ...rows, error: { ...error, code: 'http_400' } })).toEqual({
      kind: 'mend',
      commands: [
        'campaigns report c1 --only failed --error http_400 --out c1.http_400.csv',
        'campaigns run c1.http_400.csv --into c1 --dry-run',
        'campaigns run c1.http_400.csv --into c1',
      ],
    });
  });

  it('are a correction or a retry where both can help', () => {
    const sheet = 'campaigns report c1 --only failed';
    const commandsOf = (code: string) => repairFor('c1', { ...rows, error: { ...error, code } }).commands;
    expect(commandsOf('http_404').at(0)).toContain(sheet);
    expect(commandsOf('http_404').at(-1)).toBe('campaigns retry c1 --error http_404');
    expect(commandsOf('generation_failed').at(0)).toBe('campaigns retry c1 --error generation_failed');
    expect(commandsOf('generation_failed').at(1)).toContain(sheet);
  });

  it('take up each creator whose authorization expired', () => {
    const expired = { ...rows, error: { ...error, code: '40101' }, subjects: ['anna', 'ben'] };
    expect(repairFor('c1', expired)).toEqual({
      kind: 'authorize',
      commands: ['campaigns resume c1 --creator anna', 'campaigns resume c1 --creator ben'],
    });
  });
});
