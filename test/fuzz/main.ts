/**
 * The fuzzer: feeds broken and hostile sheets to the importers, and broken and hostile answers to the client of the service. Each
 * must end as rows, problems, a result or an error of ours, within limits of time and memory.
 *
 *     npm run fuzz                               one minute for each format, with a new seed
 *     npm run fuzz -- --seed 7 --minutes 10      as before, longer, and repeatable
 *     npm run fuzz -- --only csv,service         only these: csv, json, jsonl, xlsx, service
 *     npm run fuzz -- --file fuzz/findings/...   one input again
 *
 * Inputs with a finding are kept in fuzz/findings. Exit codes: 0 no findings, 1 findings, 2 wrong usage.
 */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type Finding, type Format, formats, fuzz } from './fuzz.ts';
import { Supervisor } from './supervisor.ts';

const folder = join(import.meta.dirname, 'findings');
const say = (text: string): void => void process.stdout.write(`${text}\n`);

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`fuzz: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(randomInt(2 ** 32)) },
      minutes: { type: 'string', default: '1' },
      only: { type: 'string', default: formats.join(',') },
      file: { type: 'string' },
    },
  });
  await using supervisor = new Supervisor();
  if (values.file !== undefined) return await repeat(supervisor, values.file);
  const seed = numberOf('--seed', values.seed);
  const minutes = numberOf('--minutes', values.minutes);
  say(`seed ${seed}`);
  let findings = 0;
  for (const format of values.only.split(',').map(formatOf)) {
    const end = performance.now() + minutes * 60_000;
    const onFinding = (finding: Finding) => {
      findings += 1;
      say(`FINDING ${relative('', finding.file)}: ${finding.failure.split('\n', 2).join(' ')}`);
    };
    const goesOn = () => performance.now() < end;
    const inputs = await fuzz(supervisor, format, { seed, goesOn, folder, onFinding });
    say(`${format.padEnd(8)}${inputs.toLocaleString('en').padStart(10)} inputs`);
  }
  say(findings === 0 ? 'no findings' : `${findings} findings`);
  return findings === 0 ? 0 : 1;
}

/** The kind of the input is the beginning of the file's name. */
async function repeat(supervisor: Supervisor, file: string): Promise<number> {
  const [kind = ''] = basename(file).split('-');
  const failure = await supervisor.try({ kind, bytes: readFileSync(file) });
  say(failure ?? 'no finding');
  return failure === undefined ? 0 : 1;
}

function numberOf(option: string, text: string): number {
  const number = Number(text);
  if (!(number >= 0)) throw new Error(`${option} must be a number, not "${text}"`);
  return number;
}

function formatOf(text: string): Format {
  const format = formats.find((each) => each === text);
  if (format === undefined) throw new Error(`there is no format "${text}"; there are ${formats.join(', ')}`);
  return format;
}
