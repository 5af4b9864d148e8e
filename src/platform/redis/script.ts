/**
 * Lua scripts as functions, and their batching: the calls of one turn of the event loop become one command, and the script loops
 * over them. Redis still runs every item atomically.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

export type ScriptArgument = string | number | Buffer;

export type RunScript = (args: readonly ScriptArgument[]) => Promise<unknown>;

/**
 * A script as a function. Reads its file now, and defines it on the connection when it is first called: most processes call a few of
 * many. Each line `--- include NAME.lua` is replaced by that file of the same folder.
 * @param prefix the hash tag that begins all keys. It is the script's only key, `KEYS[1]`, so that a cluster finds the node.
 */
export function defineScript(redis: Redis, prefix: string, file: URL): RunScript {
  const lua = `${namingKeys} ${readScript(file)}`;
  let command: Command | undefined;
  return (args) => {
    command ??= commandOf(redis, lua);
    // The connection flattens the list. As arguments of a call, a hundred thousand would not fit onto the stack.
    return command.call(redis, prefix, args);
  };
}

/** Redis does not say which key an error is about. On the first line, so that errors name the lines of the script. */
const namingKeys = [
  'local redis = setmetatable({ call = function(...)',
  'local ok, reply = pcall(redis.call, ...) if ok then return reply end',
  "local named = ' (' .. tostring((select(2, ...))) .. ')'",
  "if type(reply) == 'table' then reply.err = reply.err .. named else reply = reply .. named end",
  'error(reply, 0)',
  'end }, { __index = redis })',
].join(' ');

type Command = (prefix: string, args: readonly ScriptArgument[]) => Promise<unknown>;

function commandOf(redis: Redis, lua: string): Command {
  const name = `script_${createHash('sha1').update(lua).digest('hex')}`;
  const commands = redis as unknown as Record<string, Command>;
  if (!commands[name]) redis.defineCommand(name, { numberOfKeys: 1, lua });
  const command = commands[name];
  if (!command) throw new TypeError(`the connection did not take the script ${name}`);
  return command;
}

/** Texts of this process by address: a file is read once. */
const texts = new Map<string, string>();

export function readScript(file: URL): string {
  const known = texts.get(file.href);
  if (known !== undefined) return known;
  const lua = readFileSync(file, 'utf8');
  const text = lua.replace(/^--- include (\S+\.lua)$/gm, (_line, name: string) =>
    readScript(new URL(name, file)),
  );
  texts.set(file.href, text);
  return text;
}

interface Waiting {
  readonly args: readonly ScriptArgument[];
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Most items in one command, to bound how long it blocks Redis. */
const maxItems = 64;

/**
 * Turns a script that takes `count, item, item, ...` and returns one reply per item into a function of one item. A reply that is an
 * error rejects only its item.
 * @param lingerMs how long calls wait for others; 0: for those of the same turn of the event loop.
 */
export function batched(run: RunScript, lingerMs = 0): RunScript {
  let waiting: Waiting[] = [];

  function flush(): void {
    const calls = waiting;
    waiting = [];
    for (let start = 0; start < calls.length; start += maxItems) {
      void send(calls.slice(start, start + maxItems));
    }
  }

  async function send(calls: readonly Waiting[]): Promise<void> {
    try {
      const args: ScriptArgument[] = [calls.length];
      for (const call of calls) for (const arg of call.args) args.push(arg);
      const replies = (await run(args)) as unknown[];
      calls.forEach((call, index) => {
        const reply = replies[index];
        if (reply instanceof Error) call.reject(reply);
        else call.resolve(reply);
      });
    } catch (error) {
      for (const call of calls) call.reject(error);
    }
  }

  return (args) =>
    new Promise((resolve, reject) => {
      waiting.push({ args, resolve, reject });
      if (waiting.length > 1) return;
      if (lingerMs === 0) setImmediate(flush);
      else setTimeout(flush, lingerMs);
    });
}
