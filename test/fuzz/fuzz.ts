/** Makes inputs from a seed, tries them, and keeps those with a finding. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAnswer, serviceCalls } from './answers.ts';
import { randomFrom } from './random.ts';
import { makeSheet } from './sheets.ts';
import type { Input, Supervisor } from './supervisor.ts';
import { makeWorkbook } from './workbooks.ts';

export const formats = ['csv', 'json', 'jsonl', 'xlsx', 'service'] as const;
export type Format = (typeof formats)[number];

/** More findings of the same kind tell nothing new. */
const mostAlike = 3;

export interface FuzzOptions {
  readonly seed: number;
  /** Whether to go on after so many inputs. */
  readonly goesOn: (inputs: number) => boolean;
  /** Folder for inputs with a finding. */
  readonly folder: string;
  readonly onFinding: (finding: Finding) => void;
}

export interface Finding {
  /** File with the bytes; a text beside it says what is wrong. */
  readonly file: string;
  readonly failure: string;
}

/** @returns how many inputs were tried. */
export async function fuzz(
  supervisor: Supervisor,
  format: Format,
  { seed, goesOn, folder, onFinding }: FuzzOptions,
): Promise<number> {
  const alike = new Map<string, number>();
  let inputs = 0;
  for (; goesOn(inputs); inputs += 1) {
    const input = await makeInput(format, seed, inputs);
    const failure = await supervisor.try(input);
    if (failure === undefined) continue;
    const known = alike.get(headOf(failure)) ?? 0;
    alike.set(headOf(failure), known + 1);
    if (known >= mostAlike) continue;
    const file = join(folder, `${input.kind}-${seed}-${inputs}.bin`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, input.bytes);
    writeFileSync(file.replace('.bin', '.txt'), `${failure}\n`);
    onFinding({ file, failure });
  }
  return inputs;
}

/** The same format, seed and number give the same input. */
export async function makeInput(format: Format, seed: number, number: number): Promise<Input> {
  const digest = createHash('sha256').update(`${format} ${seed} ${number}`).digest();
  const random = randomFrom(digest.readUInt32LE());
  if (format === 'xlsx') return { kind: format, bytes: await makeWorkbook(random) };
  if (format !== 'service') return { kind: format, bytes: makeSheet(format, random) };
  const kind = random.pick(Object.keys(serviceCalls));
  return { kind, bytes: makeAnswer(kind, random) };
}

/** Message and place, without what differs from input to input. */
function headOf(failure: string): string {
  return failure.split('\n', 3).join('\n').replace(/\d+/g, '0').slice(0, 300);
}
