/** The rules that can be left out of the model, as in `../guards.ts`. */
import type { Source } from '../guards.ts';
import { lua } from '../rule.ts';

export const guards = {
  /** An allowance is for one generation. */
  'used up': lua('spending', "(redis.call('HDEL', work, 'paid') == 1 and ' paid' or '')"),
  /** A script that the connection sends twice counts once. */
  'counted once': lua('spending', "if redis.call('HEXISTS', work, field) == 1 then return end"),
  /** It finds the allowance used up by itself. */
  'counted already': lua('spending', "if paid == '1' or counted then return true end"),
  /** Of a call that had no effect. */
  'given back': lua(
    'transitions/finish-step',
    "if verdict ~= 'ok' then give_back(campaign, row, effect) end",
  ),
  'allowance given back': lua('spending', "if is_paid(spent) then redis.call('HSET', work, 'paid', '1') end"),
  /** A person says that the call made nothing. */
  'decided not to exist': lua(
    'transitions/decide-row',
    'local given = entry and not has_effect() and give_back_decided(',
  ),
  'undo counts again': lua(
    'transitions/undo-decision',
    "if facts.given then count_spent(campaign, facts.given, '') end",
  ),
  /** An answer says otherwise. */
  'late answer': lua(
    'transitions/finish-step',
    "if verdict == 'ok' and effect ~= '' then count_late(campaign, row, effect, token) end",
  ),
  'token of a late answer': lua(
    'spending',
    "campaign .. ':work:' .. row, 'given:' .. effect .. ':' .. token\n  local spent",
  ),
  'late answer ends the undo': lua('spending', "redis.call('DEL', campaign .. ':undo:' .. row)"),
  'late answer uses the allowance up': lua(
    'spending',
    "if is_paid(spent) then redis.call('HDEL', work, 'paid') end",
  ),
  /** An allowance is for the prompt that was shown. */
  'edited generation': lua(
    'imports/update-row',
    "if string.find(letters, 'g') then redis.call('HDEL', work, 'paid') end",
  ),
} as const satisfies Record<string, Source>;

export type Guard = keyof typeof guards;

/** Whether a rule holds in a model. */
export type On = (guard: Guard) => boolean;
