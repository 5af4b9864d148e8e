/**
 * Commands that people paste into a POSIX shell: options, then `--`, then operands from outside. Every word is quoted, so a value of a
 * sheet, a path or an answer of the service becomes neither an option nor a part of the command. No other file puts a value into one.
 */
import { asFileName } from '../../manifest/campaign-options.ts';
import { type Hint, type HintParams, hint } from '../../manifest/problems/hint.ts';

/** By long name: `true` for an option without a value; a list for one that is repeated; undefined or null for one that is not given. */
export type Options = Readonly<Record<string, string | true | readonly string[] | undefined | null>>;

/** @param own operands of the runner: ids, placeholders such as FILE. @param outside operands from outside: keys, file names. */
export function commandLine(
  name: string,
  {
    options = {},
    own = [],
    outside = [],
  }: { readonly options?: Options; readonly own?: readonly string[]; readonly outside?: readonly string[] },
): string {
  const operands = [...own, ...outside].map(quote);
  const separator = outside.length > 0 ? ['--'] : [];
  return ['campaigns', name, optionWords(options), ...separator, ...operands]
    .filter((part) => part !== '')
    .join(' ');
}

export function optionWords(options: Options): string {
  return Object.entries(options)
    .flatMap(([name, value]) => {
      if (value === undefined || value === null) return [];
      if (value === true) return [`--${name}`];
      const values = typeof value === 'string' ? [value] : value;
      return values.map((each) => `--${name}${each.startsWith('-') ? '=' : ' '}${quote(each)}`);
    })
    .join(' ');
}

/** Characters that no shell takes for anything else. */
const plain = /^[\w.:@%+,/-][\w.:@%+=,/-]*$/;
/** A terminal shows them otherwise than they are, or a line ends there. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u;

/** Quotes a word for a POSIX shell. Characters that cannot be shown are written as octal numbers, which `printf` turns back. */
export function quote(word: string): string {
  if (plain.test(word)) return word;
  if (!unprintable.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  let end = word.length;
  // A shell cuts line breaks off the end of what a command prints.
  while (word[end - 1] === '\n') end -= 1;
  return `"$(printf '${word.slice(0, end).replace(/[^\p{L}\p{N} .:@+=,/_]/gu, octal)}')${word.slice(end)}"`;
}

function octal(character: string): string {
  return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** Commands that do what a hint says; empty for hints that need more words. */
export function commandsOf({ action, params }: Hint): readonly string[] {
  switch (action) {
    case 'retry': {
      const { campaign, key, error, creator } = params;
      return [commandLine('retry', { options: { error, creator, row: key }, own: [campaign] })];
    }
    case 'editSheet':
      return editCommands(params);
    case 'writeSheet':
      return [writeCommand(params.campaign, params.only)];
    case 'resumeCreator':
      return [commandLine('resume', { options: { creator: params.creator }, own: [params.campaign] })];
    case 'refresh':
      return [commandLine('refresh', { own: [params.campaign] })];
    case 'decideRow': {
      const { campaign, key, decision, unchecked } = params;
      const [kind = '', ...id] = decision.split(' ');
      const options = { [kind]: id.join(' ') || true, ...(unchecked && ({ unchecked } as const)) };
      return [commandLine('decide', { options, own: [campaign], outside: [key] })];
    }
    case 'chooseDecision': {
      const { campaign, key, about } = params;
      const decisions =
        about === 'post' ? ['posted POST_ID', 'not-posted'] : ['generated SCHEDULE_ID', 'not-generated'];
      return decisions.flatMap((decision) =>
        commandsOf(hint('decideRow', { campaign, key, decision, unchecked: false })),
      );
    }
    case 'decideAll': {
      const { campaign, error, about } = params;
      const decision = about === 'post' ? 'not-posted' : 'not-generated';
      return [commandLine('decide', { options: { [decision]: true, error }, own: [campaign] })];
    }
    default:
      return [];
  }
}

function writeCommand(campaign: string, only: 'all' | 'failed' | 'review', error?: string): string {
  const options = only === 'all' ? { out: 'FILE' } : { only, error, out: sheetName(campaign, error ?? only) };
  return commandLine('report', { options, own: [campaign] });
}

function sheetName(campaign: string, rows: string): string {
  return asFileName(`${campaign}.${rows}.csv`);
}

/** Corrects the rows in a sheet of their own, because an update retries all rows of the sheet. */
function editCommands({ campaign, error }: HintParams<'editSheet'>): readonly string[] {
  const outside = [sheetName(campaign, error)];
  return [
    writeCommand(campaign, 'failed', error),
    commandLine('run', { options: { into: campaign, 'dry-run': true }, outside }),
    commandLine('run', { options: { into: campaign }, outside }),
  ];
}
