import { describe, expect, it } from 'vitest';
import { repairFor } from '../../../src/app/campaigns/repair.ts';
import { commandsOf } from '../../../src/app/runtime/command-line.ts';

const error = { step: 'post' as const, code: 'outcome_unknown', message: 'no answer', at: 5 };
const rows = { state: 'failed' as const, error, subjects: [], keys: ['1'] };

/** The kind of a repair, and its commands. */
function repair(rows: Parameters<typeof repairFor>[1]) {
  const { kind, commands } = repairFor('c1', rows);
  return { kind, commands: commands.flatMap(commandsOf) };
}

describe('the commands for rows that were not posted', () => {
  it('are both decisions about each row in review', () => {
    expect(repair({ ...rows, state: 'review', keys: ['1', '2'] }).commands).toEqual([
      'campaigns decide --posted POST_ID -- c1 1',
      'campaigns decide --not-posted -- c1 1',
      'campaigns decide --posted POST_ID -- c1 2',
      'campaigns decide --not-posted -- c1 2',
    ]);
  });

  it.for(['generate', 'poll'] as const)('are about its generation where it was at %s', (step) => {
    const { commands } = repair({ ...rows, state: 'review', error: { ...error, step } });
    expect(commands[0]).toBe('campaigns decide --generated SCHEDULE_ID -- c1 1');
  });

  it('can be pasted into a shell, whatever the key is', () => {
    const { commands } = repair({ ...rows, state: 'review', keys: ["it's 夏; rm -rf ~"] });
    expect(commands[1]).toBe("campaigns decide --not-posted -- c1 'it'\\''s 夏; rm -rf ~'");
  });

  it('name a retry only where one can help', () => {
    expect(repair(rows)).toEqual({
      kind: 'retry',
      commands: ['campaigns retry --error outcome_unknown c1'],
    });
    expect(repair({ ...rows, error: { ...error, code: 'http_400' } })).toEqual({
      kind: 'edit',
      commands: [
        'campaigns report --only failed --error http_400 --out c1.http_400.csv c1',
        'campaigns run --into c1 --dry-run -- c1.http_400.csv',
        'campaigns run --into c1 -- c1.http_400.csv',
      ],
    });
  });

  it('are a correction or a retry where both can help', () => {
    const sheet = 'campaigns report --only failed';
    const commandsOf = (code: string) => repair({ ...rows, error: { ...error, code } }).commands;
    expect(commandsOf('http_404').at(0)).toContain(sheet);
    expect(commandsOf('http_404').at(-1)).toBe('campaigns retry --error http_404 c1');
    expect(commandsOf('generation_failed').at(0)).toBe('campaigns retry --error generation_failed c1');
    expect(commandsOf('generation_failed').at(1)).toContain(sheet);
  });

  it('take up each creator whose authorization expired', () => {
    const expired = { ...rows, error: { ...error, code: '40101' }, subjects: ['anna', 'ben'] };
    expect(repair(expired)).toEqual({
      kind: 'authorize',
      commands: ['campaigns resume --creator anna c1', 'campaigns resume --creator ben c1'],
    });
  });
});
