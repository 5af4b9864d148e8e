/** Options that several commands share. */
import { InvalidArgumentError, Option } from 'commander';

export const jsonOption = () => new Option('--json', 'print one JSON document on standard output');
export const configOption = () =>
  new Option('--config <file>', 'settings file (default: the one that CAMPAIGNS_CONFIG names)');

/** Reads a whole number of at least `min`. */
export function wholeNumber(min: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min) {
      throw new InvalidArgumentError(`it must be a whole number of at least ${min}.`);
    }
    return value;
  };
}
