/** A finding of an examination. */
import type { CommandDocument } from '../../campaigns/documents/commands.ts';

export type Finding = CommandDocument<'doctor'>['findings'][number];

export const ok = (check: string, text: string) => finding('ok', check, text);

export const warning = (check: string, text: string, cure: string) => finding('warning', check, text, cure);

export const problem = (check: string, text: string, cure?: string) => finding('problem', check, text, cure);

function finding(verdict: Finding['verdict'], check: string, text: string, cure?: string): Finding {
  return { check, verdict, text, cure };
}
