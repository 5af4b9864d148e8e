/** AI generation schedules and their tasks (contract, section 2.3). */
import { randomBytes } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CreateAiGenerationSchedule } from '../../api/contract/generation.ts';
import { transaction } from './database.ts';

export interface StoredSchedule {
  readonly scheduleId: string;
  /** Number of the call that made it. */
  readonly call: number;
  readonly at: number;
  /** When its tasks begin: `execAt`, else at once. */
  readonly beginAt: number;
  readonly request: CreateAiGenerationSchedule;
}

export interface StoredTask {
  readonly position: number;
  readonly taskId: string;
  /** The status that it ends with; `stuck` never ends. */
  readonly outcome: string;
}

const columns = 'schedule_id AS scheduleId, call, at, begin_at AS beginAt, request';

export class Generations {
  readonly #database: DatabaseSync;
  readonly #insertSchedule: StatementSync;
  readonly #insertTask: StatementSync;
  readonly #schedule: StatementSync;
  readonly #tasks: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#insertSchedule = database.prepare('INSERT INTO schedule VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#insertTask = database.prepare('INSERT INTO task VALUES (?, ?, ?, ?)');
    this.#schedule = database.prepare(`SELECT ${columns} FROM schedule WHERE schedule_id = ?`);
    this.#tasks = database.prepare(
      'SELECT position, task_id AS taskId, outcome FROM task WHERE schedule_id = ? ORDER BY position',
    );
  }

  /** @param outcomes how each output will end, in order. */
  add(
    call: number,
    at: number,
    beginAt: number,
    request: CreateAiGenerationSchedule,
    outcomes: readonly string[],
  ): { scheduleId: string; taskIds: string[] } {
    const scheduleId = `sch_${randomBytes(10).toString('hex')}`;
    const taskIds = outcomes.map((_, position) => taskIdOf(request.taskId, position));
    transaction(this.#database, () => {
      const { prompt } = request.params;
      this.#insertSchedule.run(scheduleId, call, at, beginAt, request.type, prompt, JSON.stringify(request));
      for (const [position, taskId] of taskIds.entries()) {
        this.#insertTask.run(scheduleId, position, taskId, outcomes[position] ?? '');
      }
    });
    return { scheduleId, taskIds };
  }

  find(scheduleId: string): StoredSchedule | undefined {
    const row = this.#schedule.get(scheduleId);
    return row && readSchedule(row);
  }

  tasks(scheduleId: string): StoredTask[] {
    return this.#tasks.all(scheduleId) as unknown as StoredTask[];
  }

  /** How many schedules were made for exactly this prompt. */
  countOfPrompt(prompt: string): number {
    return Number(
      this.#database.prepare('SELECT count(*) AS n FROM schedule WHERE prompt = ?').get(prompt)?.n,
    );
  }

  all(): StoredSchedule[] {
    return this.#database.prepare(`SELECT ${columns} FROM schedule ORDER BY call`).all().map(readSchedule);
  }
}

/** The caller's id names the first output; the others are told apart by their number. */
function taskIdOf(given: string | undefined, position: number): string {
  if (given === undefined) return randomBytes(4).toString('hex');
  return position === 0 ? given : `${given}-${position + 1}`;
}

function readSchedule(row: Record<string, unknown>): StoredSchedule {
  return { ...row, request: JSON.parse(String(row.request)) } as unknown as StoredSchedule;
}
