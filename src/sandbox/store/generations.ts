/** AI generation schedules and their tasks (contract, section 2.3). */
import { randomBytes } from 'node:crypto';
import type { CreateAiGenerationSchedule } from '../../api/contract/generation.ts';
import { Table } from './database.ts';

/** A generation that a sandbox has. */
export interface StoredSchedule {
  readonly scheduleId: string;
  /** Number of the call that made it. */
  readonly call: number;
  readonly at: number;
  /** When its tasks begin: at `execAt`, else at once. */
  readonly beginAt: number;
  readonly request: CreateAiGenerationSchedule;
}

export interface StoredTask {
  readonly position: number;
  readonly taskId: string;
  /** The final status; `stuck` never ends. */
  readonly outcome: string;
}

type Row = Omit<StoredSchedule, 'request'> & { readonly request: string };
const columns = 'schedule_id AS scheduleId, call, at, begin_at AS beginAt, request';

export class Generations extends Table {
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
    this.database.transaction(() => {
      const values = [call, at, beginAt, request.type, request.params.prompt, JSON.stringify(request)];
      this.database.run('INSERT INTO schedule VALUES (?, ?, ?, ?, ?, ?, ?)', scheduleId, ...values);
      for (const [position, taskId] of taskIds.entries()) {
        const outcome = outcomes[position] ?? '';
        this.database.run('INSERT INTO task VALUES (?, ?, ?, ?)', scheduleId, position, taskId, outcome);
      }
    });
    return { scheduleId, taskIds };
  }

  find(scheduleId: string): StoredSchedule | undefined {
    const row = this.database.get<Row>(`SELECT ${columns} FROM schedule WHERE schedule_id = ?`, scheduleId);
    return row && readSchedule(row);
  }

  tasks(scheduleId: string): StoredTask[] {
    const ofSchedule = 'FROM task WHERE schedule_id = ? ORDER BY position';
    return this.database.all(`SELECT position, task_id AS taskId, outcome ${ofSchedule}`, scheduleId);
  }

  /** How many schedules have exactly this prompt. */
  countOfPrompt(prompt: string): number {
    return this.database.number('SELECT count(*) FROM schedule WHERE prompt = ?', prompt);
  }

  /** How many schedules of the same type were made before this one. */
  countBefore({ call, request }: StoredSchedule): number {
    return this.database.number(
      'SELECT count(*) FROM schedule WHERE type = ? AND call < ?',
      request.type,
      call,
    );
  }

  all(): StoredSchedule[] {
    return this.database.all<Row>(`SELECT ${columns} FROM schedule ORDER BY call`).map(readSchedule);
  }
}

/** The caller's id names the first output; the others get a number. */
function taskIdOf(given: string | undefined, position: number): string {
  if (given === undefined) return randomBytes(4).toString('hex');
  return position === 0 ? given : `${given}-${position + 1}`;
}

function readSchedule(row: Row): StoredSchedule {
  return { ...row, request: JSON.parse(row.request) };
}
