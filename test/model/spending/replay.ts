/** Runs the events of a trace against the real scripts, and compares what they leave with the model. */
import { expect } from 'vitest';
import type { Effect } from '../../../src/ledger/states.ts';
import { stepStart, type TestLedger } from '../../support/ledger.ts';
import { type Event, rules } from './events.ts';
import { numberOf, type Outcome, type Spent, type Worker, type World } from './world.ts';

/** Until a call is over, and longer than a decided row waits. */
const laterMs = 11_000;

const error = { step: 'generate' as const, code: 'outcome_unknown', message: 'no answer', at: 5 };
const generated = (n: number) => JSON.stringify({ scheduleId: `s${n}`, taskIds: [], outputs: 1, since: 5 });
const effectOf = (n: number): Effect => `gen${n}`;

export class Replay {
  readonly #test: TestLedger;
  readonly #campaign: string;
  readonly #limit: number;

  constructor(test: TestLedger, campaign: string, limit: number) {
    this.#test = test;
    this.#campaign = campaign;
    this.#limit = limit;
  }

  /** @param trace the events so far, for the message of a difference. */
  async run(event: Event, before: World, after: World, trace: readonly string[]): Promise<void> {
    if (!rules[event.rule]?.source) return;
    await this.#carryOut(event, before, after, trace);
    expect(await this.#stored(), trace.join('\n')).toEqual(projected(after));
  }

  async #carryOut({ rule, which }: Event, before: World, after: World, trace: readonly string[]) {
    const { ledger, clock } = this.#test;
    const campaign = this.#campaign;
    const row = { campaign, row: 0, revision: before.row.revision };
    const worker = before.workers[which] as Worker;
    switch (rule) {
      case 'admit':
        return this.#test.admit(campaign, [0]);
      case 'release':
        clock.now += laterMs;
        return void (await ledger.admission.releaseHeld(campaign));
      case 'start':
        return this.#start(before, row.revision, before.calls.length, after.workers[which] as Worker, trace);
      case 'startAgain':
        return this.#start(before, worker.revision, worker.call, after.workers[which] as Worker, trace);
      case 'wait': {
        const end = { verdict: 'ready', gate: { name: 'unpaid', at: clock.now }, fields: [] } as const;
        const finish = { ...row, revision: worker.revision, step: 'generate' as const, jobId: 'job' };
        return void (await ledger.steps.finish({ ...finish, end }));
      }
      case 'allow':
        return void (await ledger.approvals.allowSpending(campaign, [row], 'mei'));
      case 'wake':
        return void (await ledger.admission.wakeReady(campaign, 1));
      case 'finish':
      case 'finishAgain':
        return this.#finish(before, worker);
      case 'decideMade':
      case 'decideNot':
        return this.#decide(before, rule === 'decideMade');
      case 'undo':
        return void (await ledger.decisions.undo(campaign, 0));
      case 'fail': {
        const fields = [['gen-ended', String(numberOf(before.row))]] as const;
        const end = { verdict: 'failed', error, fields } as const;
        return void (await ledger.steps.finish({ ...row, step: 'poll', jobId: 'job', end }));
      }
      case 'retry':
        return void (await ledger.rows.redo(campaign, [row]));
      case 'edit':
        return this.#edit(row.revision);
    }
  }

  async #start(
    { row }: World,
    revision: number,
    call: number,
    { phase }: Worker,
    trace: readonly string[],
  ): Promise<void> {
    const { kind } = await this.#test.ledger.steps.start({
      ...stepStart({ campaign: this.#campaign, row: 0, revision }),
      effect: effectOf(numberOf(row)),
      token: `t${call}`,
      spends: { outputs: 1, mostOfCampaign: this.#limit, mostOfMonth: null },
      callMs: 10,
    });
    const replied = kind === 'go' ? 'granted' : kind === 'unpaid' ? 'unpaid' : 'idle';
    expect(replied, trace.join('\n')).toBe(phase);
  }

  async #finish({ calls }: World, { call, revision, outcome }: Worker): Promise<void> {
    const n = calls[call]?.n ?? 0;
    await this.#test.ledger.steps.finish({
      campaign: this.#campaign,
      row: 0,
      revision,
      step: 'generate',
      jobId: 'job',
      effect: effectOf(n),
      token: `t${call}`,
      end: endOf(outcome as Outcome, n),
    });
  }

  async #decide({ row, calls }: World, exists: boolean): Promise<void> {
    const n = calls[row.entry?.by ?? -1]?.n ?? 0;
    this.#test.clock.now += laterMs;
    const ref = { campaign: this.#campaign, row: 0, revision: row.revision };
    const fields = exists ? [[effectOf(n), generated(n)] as const] : [];
    await this.#test.ledger.decisions.decide(ref, effectOf(n), { kind: 'again', fields });
  }

  /** Another prompt. */
  async #edit(revision: number): Promise<void> {
    const { campaigns, edits } = this.#test.ledger;
    const campaign = (await campaigns.find(this.#campaign)) ?? expect.unreachable();
    const { header, map } = campaign;
    const outdated = { files: false, cover: false, references: false, generations: true };
    const rest = { chunk: 0, creator: undefined, rows: undefined, what: '' };
    await edits.edit(campaign, { row: 0, revision, outdated, header, map, ...rest });
  }

  async #stored() {
    const { redis, ledger } = this.#test;
    const { keys } = ledger;
    const id = this.#campaign;
    const [record, outputs, [status], ...scores] = await Promise.all([
      redis.hgetall(keys.progress(id, 0)),
      redis.hget(keys.campaign(id), 'outputs'),
      ledger.rows.statuses(id, 0, 1),
      redis.zscore(keys.index(id, 'redo'), 0),
      redis.zscore(keys.held(id), 0),
      redis.zscore(keys.index(id, 'unpaid'), 0),
      redis.zscore(keys.index(id, 'ready'), 0),
    ]);
    const places = ['redo', 'held', 'unpaid', 'ready'];
    const isCompared = (field: string) => /^(?:journal|spent|given):|^paid$/.test(field);
    const fields = Object.entries(record).filter(([field]) => isCompared(field));
    const known = Object.keys(record).filter((field) => /^gen\d$/.test(field));
    return {
      state: status?.state,
      revision: status?.revision,
      place: places.filter((_place, index) => scores[index] !== null).join(' '),
      outputs: Number(outputs),
      known: known.sort(),
      fields: Object.fromEntries(fields.map(([field, text]) => [field, withoutTimes(field, text)])),
    };
  }
}

function endOf(outcome: Outcome, n: number) {
  if (outcome === 'ok') return { verdict: outcome, fields: [[effectOf(n), generated(n)] as const] };
  return outcome === 'cleared' ? { verdict: outcome } : { verdict: outcome, error };
}

/** Of an entry its state and token; of what was spent all but the month. */
function withoutTimes(field: string, text: string): string {
  if (field.startsWith('journal:')) return text.split(' ').slice(0, 2).join(' ');
  return text.replace(/^1 \S+/, '1');
}

const states = { w: 'waiting', r: 'running', y: 'ready', v: 'review', f: 'failed' } as const;

function projected({ row, outputs, calls }: World) {
  const { entry } = row;
  const spentText = ({ isPaid }: Spent) => `1${isPaid ? ' paid' : ''}`;
  const fields: Record<string, string> = row.paid ? { paid: '1' } : {};
  if (entry) fields[`journal:gen${calls[entry.by]?.n}`] = `${entry.state} t${entry.by}`;
  for (const [n, spent] of Object.entries(row.spent)) fields[`spent:gen${n}`] = spentText(spent);
  for (const [by, given] of Object.entries(row.given))
    fields[`given:gen${calls[Number(by)]?.n}:t${by}`] = spentText(given);
  return {
    state: states[row.state],
    revision: row.revision,
    place: row.place === 'first' ? '' : row.place,
    outputs,
    known: row.known.map(effectOf).sort(),
    fields,
  };
}
