/** Where a password comes from: a file, a pipe, or the terminal. Never an argument, which others on the machine can see. */
import { open } from 'node:fs/promises';
import { Option } from 'commander';
import { describeFileError } from '../../../fs/disk.ts';
import { CommandError } from '../../exit.ts';
import { askSecret, isTerminal } from '../../print/terminal.ts';

const mostBytes = 4096;

export const passwordFileOption = () =>
  new Option('--password-file <file>', 'read the password from this file (`-`: standard input), do not ask');

/** @throws {CommandError} when there is no password. */
export async function readPassword(name: string, file: string | undefined): Promise<string> {
  const password = file === undefined ? await askTwice(name) : await readFromFile(file);
  if (password === '') throw new CommandError('there is no password', { cure: 'Nothing was changed.' });
  return password;
}

async function askTwice(name: string): Promise<string> {
  if (!process.stdin.isTTY || !isTerminal('stderr')) {
    throw new CommandError('there is no terminal to ask for the password', {
      cure: 'Give a file with it, or `-` for standard input:\n  --password-file FILE',
    });
  }
  const password = await askSecret(`Password for ${name} (at least 12 characters): `);
  if (password === '' || (await askSecret('Once more: ')) === password) return password;
  throw new CommandError('the two passwords differ', { cure: 'Nothing was changed. Try again.' });
}

/** The whole text, without the end of its line. */
async function readFromFile(file: string): Promise<string> {
  let text: string;
  try {
    text = await (file === '-' ? readPipe() : readStart(file));
  } catch (error) {
    throw new CommandError(`--password-file ${file}: ${describeFileError(error)}`, {
      cure: 'Name a file that holds only the password.',
    });
  }
  if (text.length >= mostBytes) {
    throw new CommandError(`--password-file ${file}: it is too long for a password`, {
      cure: 'Name a file that holds only the password.',
    });
  }
  return text.replace(/\r?\n$/, '');
}

async function readStart(file: string): Promise<string> {
  await using handle = await open(file);
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(mostBytes), 0, mostBytes);
  return buffer.toString('utf8', 0, bytesRead);
}

async function readPipe(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk as Buffer));
    bytes += (chunk as Buffer).length;
    if (bytes >= mostBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
