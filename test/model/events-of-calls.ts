/**
 * A call: the worker that makes it, and the service. Nothing is assumed about the queue: any process may run a row's job at any time,
 * any number of times, and stand still or die at any point.
 */
import { isApproved } from './approvals.ts';
import type { Source } from './guards.ts';
import * as ledger from './ledger.ts';
import { indexes, lua, type Rule, type Rules } from './rule.ts';
import { idle, type Outcome, type Row, type Served, type Worker, type World } from './world.ts';

const runner = (file: string, line: string): Source => [`src/processors/runner/${file}.ts`, line];

const workerOf = (world: World, at: number): Worker => world.workers[at] as Worker;
const isAsApproved = ({ approved, content }: Worker): boolean => approved === content;
const isFree = ({ phase }: Worker): boolean => phase === 'idle' || phase === 'done';
const servedOf = (world: World, { call }: Worker): Served => world.calls[call]?.served ?? 'unsent';

/** What its process has seen of the journal outlives a run. */
function end(worker: Worker): void {
  const { seen, witness } = worker;
  Object.assign(worker, idle, { seen, witness });
}

function answer(worker: Worker, outcome: Outcome): void {
  Object.assign(worker, { phase: 'answered', outcome, age: 0, reply: '', twice: false });
}

const answers: Partial<Record<Served, Outcome>> = {
  posted: 'posted',
  refused: 'failed',
  throttled: 'cleared',
};

function serve(from: Served, to: Served, says: string): Rule {
  return {
    options: ({ world }) => indexes(world.calls, ({ served }) => served === from),
    apply: ({ world }, call) => Object.assign(world.calls[call] as object, { served: to }),
    says: (call) => `${says} call ${call + 1}`,
  };
}

export const callEvents: Rules = {
  ask: {
    source: runner(
      'journalled-call',
      'const started = await startStep(input, { effect, fileId, same, spends });',
    ),
    options: ({ world, concern, has, on }) => {
      if (world.calls.length >= concern.calls) return [];
      const mayAsk = (row: Row) =>
        (row.state === 'r' || (row.state === 'f' && row.failedBy)) &&
        (!has('approvals') || isApproved(row, on));
      return indexes(world.workers, isFree).flatMap(([worker]) =>
        indexes(world.rows, mayAsk).map(([row]): [number, number] => [worker, row]),
      );
    },
    apply: (look, at, row) => {
      const { world } = look;
      const worker = workerOf(world, at);
      end(worker);
      const { revision, content } = ledger.rowOf(world, row);
      Object.assign(worker, { phase: 'asked', row, revision, approved: content });
      if (!look.has('calm')) return;
      callEvents.start?.apply(look, at, 0);
      if (workerOf(world, at).phase === 'replied') callEvents.hear?.apply(look, at, 0);
    },
    says: (worker, row) => `worker ${worker + 1} runs the job of row ${row + 1}, and asks to send`,
  },
  start: {
    source: lua('transitions/start-step', 'local function start(at)'),
    options: ({ world, concern }) =>
      indexes(world.workers, ({ phase }) => phase === 'asked' && world.calls.length < concern.calls),
    apply: ({ world, on, has }, at) => {
      const worker = workerOf(world, at);
      const call = world.calls.length;
      const reply = ledger.start(world, worker, call, on);
      if (reply === 'no' || reply === 'behind') end(worker);
      else Object.assign(worker, { phase: 'replied', call: reply === 'go' ? call : -1, reply });
      if (reply === 'go' && has('put back')) worker.position = world.journal.length;
    },
    says: (worker) => `the ledger answers worker ${worker + 1}`,
  },
  startAgain: {
    source: lua('transitions/start-step', 'local function not_sent('),
    options: ({ world, has }) =>
      has('bad connection')
        ? indexes(world.workers, ({ phase, reply, twice }) => phase === 'replied' && reply === 'go' && !twice)
        : [],
    apply: ({ world, on }, at) => {
      const worker = workerOf(world, at);
      worker.twice = true;
      worker.reply = ledger.start(world, worker, worker.call, on);
    },
    says: (worker) => `the connection of worker ${worker + 1} asks a second time`,
  },
  hear: {
    source: runner(
      'runs',
      "if (verdict.kind === 'ended' && verdict.state === 'review') await this.clearJournal();",
    ),
    options: ({ world }) => indexes(world.workers, ({ phase }) => phase === 'replied'),
    apply: ({ world }, at) => {
      const worker = workerOf(world, at);
      const { reply, position, seen, call } = worker;
      if (reply === 'review') answer(worker, 'cleared');
      else if (reply !== 'go') end(worker);
      else Object.assign(worker, { phase: 'granted', reply: '', position: 0 });
      if (reply === 'go' && position > seen) Object.assign(worker, { seen: position, witness: call });
    },
    says: (worker) => `worker ${worker + 1} gets the ledger's answer`,
  },
  loseReply: {
    source: runner('runs', 'The reply was lost, so the entry may exist'),
    options: ({ world, has }) =>
      has('bad connection') ? indexes(world.workers, ({ phase }) => phase === 'replied') : [],
    apply: ({ world }, at) => answer(workerOf(world, at), 'cleared'),
    says: (worker) => `the ledger's answer to worker ${worker + 1} is lost`,
  },
  send: {
    source: [
      'src/service/transport/exchange.ts',
      'onRequestStart(controller: Dispatcher.DispatchController): void {',
    ],
    options: ({ world, on }) =>
      indexes(
        world.workers,
        (worker) =>
          worker.phase === 'granted' &&
          (worker.age < 1 || !on('time to send')) &&
          (isAsApproved(worker) || !on('post as approved')),
      ),
    apply: ({ world }, at) => {
      const worker = workerOf(world, at);
      Object.assign(worker, { phase: 'sent', age: 0 });
      Object.assign(world.calls[worker.call] as object, { served: 'under way' });
    },
    says: (worker) => `worker ${worker + 1} sends`,
  },
  notSent: {
    source: runner(
      'retry-policy',
      "if (error instanceof NotSentError) return { kind: 'not-sent', failure };",
    ),
    options: ({ world }) => indexes(world.workers, ({ phase }) => phase === 'granted'),
    apply: ({ world }, at) => answer(workerOf(world, at), 'cleared'),
    says: (worker) => `worker ${worker + 1} cannot send (too late, or no connection)`,
  },
  notAsApproved: {
    source: ['src/processors/steps/post.ts', "return { kind: 'again', at: context.now() };"],
    options: ({ world }) =>
      indexes(world.workers, (worker) => worker.phase === 'granted' && !isAsApproved(worker)),
    apply: ({ world }, at) => answer(workerOf(world, at), 'cleared'),
    says: (worker) => `worker ${worker + 1} finds that the post is not the one that was approved`,
  },
  unfit: {
    source: runner('journalled-call', "if (typeof send !== 'function') {"),
    options: ({ world, has }) =>
      has('failures') ? indexes(world.workers, ({ phase }) => phase === 'granted') : [],
    apply: ({ world }, at) => answer(workerOf(world, at), 'unfit'),
    says: (worker) => `worker ${worker + 1} finds that the row cannot be sent`,
  },
  posts: serve('under way', 'posted', 'the service carries out'),
  refuses: serve('under way', 'refused', 'the service refuses'),
  throttles: serve('under way', 'throttled', 'the service answers 429 to'),
  answer: {
    source: runner('journalled-call', 'await record();'),
    options: ({ world }) =>
      indexes(world.workers, (worker) => worker.phase === 'sent' && servedOf(world, worker) in answers),
    apply: ({ world }, at) => {
      const worker = workerOf(world, at);
      const served = servedOf(world, worker);
      answer(worker, answers[served] ?? 'review');
      if (served !== 'posted') Object.assign(world.calls[worker.call] as object, { served: 'over' });
    },
    says: (worker) => `the answer reaches worker ${worker + 1}`,
  },
  /** Whatever happens to the connection: the service ends the call with it. */
  noAnswer: {
    source: runner(
      'retry-policy',
      "if (journalled) return { kind: 'unknown', failure, isCutOff: error instanceof CutOffError };",
    ),
    options: ({ world }) => indexes(world.workers, ({ phase }) => phase === 'sent'),
    apply: ({ world, has }, at) => {
      const worker = workerOf(world, at);
      const call = world.calls[worker.call];
      if (call?.served === 'under way' && !has('the service works on after the connection'))
        call.served = 'over';
      answer(worker, 'review');
    },
    says: (worker) => `worker ${worker + 1} gets no usable answer`,
  },
  cutOff: {
    source: runner(
      'report',
      "return end(context, run, outcome.isCutOff ? 'cut-off' : 'review', outcome.failure);",
    ),
    options: ({ world }) => indexes(world.workers, ({ phase }) => phase === 'sent'),
    apply: ({ world }, at) => answer(workerOf(world, at), 'cut-off'),
    says: (worker) => `worker ${worker + 1} gives its call up, because it must stop`,
  },
  answer500: {
    source: runner(
      'retry-policy',
      "return { kind: 'retry', failure, exhausted: journalled ? 'review' : 'failed' };",
    ),
    options: ({ world, has }) =>
      has('500 after the effect, sent again')
        ? indexes(world.workers, (worker) => worker.phase === 'sent' && servedOf(world, worker) === 'posted')
        : [],
    apply: ({ world }, at) => answer(workerOf(world, at), 'cleared'),
    says: (worker) => `worker ${worker + 1} gets a 500, and on500 is "retry"`,
  },
  finish: {
    source: lua('transitions/finish-step', 'local function finish()'),
    options: ({ world }) => indexes(world.workers, ({ phase }) => phase === 'answered'),
    apply: ({ world, on, has }, at) => {
      const worker = workerOf(world, at);
      const { row, revision, call, outcome } = worker;
      if (outcome === '') return;
      ledger.finish(world, row, revision, outcome === 'without a call' ? -1 : call, outcome, on);
      if (outcome === 'unfit') worker.outcome = 'without a call';
      else if (has('bad connection')) worker.phase = 'done';
      else end(worker);
    },
    says: (worker) => `worker ${worker + 1} writes the outcome`,
  },
  finishAgain: {
    source: lua('transitions/finish-step', 'If the connection sends a script twice'),
    options: ({ world, has }) =>
      has('bad connection') ? indexes(world.workers, ({ phase }) => phase === 'done') : [],
    apply: ({ world, on }, at) => {
      const worker = workerOf(world, at);
      const { row, revision, call, outcome } = worker;
      if (outcome !== '')
        ledger.finish(world, row, revision, outcome === 'without a call' ? -1 : call, outcome, on);
      end(worker);
    },
    says: (worker) => `the connection of worker ${worker + 1} writes the outcome a second time`,
  },
  kill: {
    options: ({ world, has }) => (has('calm') ? [] : indexes(world.workers, (worker) => !isFree(worker))),
    apply: ({ world, has }, at) => {
      end(workerOf(world, at));
      // Its machine remembers the position of the journal.
      if (has('a process without memory')) Object.assign(workerOf(world, at), { seen: 0, witness: -1 });
    },
    says: (worker) => `worker ${worker + 1} is killed`,
  },
};
