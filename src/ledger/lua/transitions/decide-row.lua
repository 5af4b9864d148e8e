-- Rule (decision): a decision is valid only if the row is still as it was shown to the person. Of two decisions, or a decision and a
-- late answer, only one is carried out.
-- Rule (one post, one row): the row takes the claim of the post that a person names, unless the post is another row's.
-- Rule (second thoughts): a row that goes on waits for a moment first. The data that the decision replaces is kept for a while, so that
-- `undo-decision` can restore it.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, row, revision, the effect in doubt as shown to the person ('' for none), now (ms),
--   decision: 'posted' | 'again' (the row is admitted again) | 'failed'
--   payload: packed result ('posted') or JSON of the error ('failed'), else '',
--   how long the row waits before it goes on (ms), how long the replaced data is kept (ms),
--   n, then n arguments: field, value, ... to write to the row's record ('posted': the JSON of its assets, or nothing)
-- Returns { 'decided', the row's state letter } or { 'changed', the row's state letter } (the row, or the post became
--   another row's), or nil for a row that does not exist.
--- include ../rows.lua
--- include ../claims.lua
--- include ../earlier-posts.lua
--- include ../undo.lua
local campaign, row, revision, effect, now = campaign_key(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local decision, payload, wait, kept_for, extras = ARGV[6], ARGV[7], tonumber(ARGV[8]), ARGV[9], tonumber(ARGV[10])
local state, current = read_state(campaign, row)
if not state then return false end
local work, mine = campaign .. ':work:' .. row, ARGV[1] .. ' ' .. row
if state ~= 'v' or current ~= revision or (in_doubt(work) or '') ~= effect then return { 'changed', state } end

-- Whether another row has the post, or had it. A claim alone does not count: it may be left over from an interrupted search.
local function is_taken(post)
  local holder = claim_holder(campaign, post)
  if not holder or holder == mine then return false end
  local other, other_row = row_of(holder)
  return has_post(other, other_row, post) or had_post(other, other_row, post)
end
if decision == 'posted' and is_taken(post_of(payload)) then return { 'changed', state } end

remember(campaign, row, now, 'effect', effect, 'post', decision == 'posted' and post_of(payload) or '')

-- The decision ends the doubt. A later answer finds no entry, and is compared with what is known.
if effect ~= '' then redis.call('HDEL', work, 'journal:' .. effect) end
if decision == 'posted' then
  take_record(campaign, ARGV[1], row, payload, now)
  redis.call('HSET', claims, post_of(payload), mine)
  leave_earlier(campaign, row, post_of(payload))
  record_post(campaign, row, state, revision, now, payload, extras == 1 and ARGV[11], '', 'decided: posted')
else
  if extras > 0 then
    redis.call('HSET', work, unpack(ARGV, 11, 10 + extras))
    -- The fields that the decision writes.
    for index = 11, 10 + extras, 2 do redis.call('HSET', campaign .. ':undo:' .. row, 'set:' .. ARGV[index], ARGV[index + 1]) end
  end
  if decision == 'failed' then
    redis.call('HSET', campaign .. ':errors', row, payload)
    tell_error(campaign, row, now, 'decided: failed', payload)
    move(campaign, row, state, 'f', revision, now)
  else
    admit_again(campaign, row, state, revision, now, 'decided: goes on')
    hold_back(campaign, row, now + wait)
  end
end
keep_until(campaign, row, kept_for)
return { 'decided', (read_state(campaign, row)) }
