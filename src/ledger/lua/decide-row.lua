-- Rule (decision): a decision is valid only if the row is still as it was shown to the person. Of two decisions, or a decision and a
-- late answer, only one is carried out.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, row, revision, the effect in doubt as shown to the person ('' for none), now (ms),
--   decision: 'posted' | 'again' (the row is admitted again) | 'failed'
--   payload: packed result ('posted') or JSON of the error ('failed'), else '',
--   n, then n arguments: field, value, ... to write to the row's record ('posted': the JSON of its assets, or nothing)
-- Returns { 'decided', the row's state letter } or { 'changed', the row's state letter }, or nil for a row that does not exist.
--- include rows.lua
--- include claims.lua
local campaign, row, revision, effect, now = campaign_key(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local decision, payload, extras = ARGV[6], ARGV[7], tonumber(ARGV[8])
local state, current = read_state(campaign, row)
if not state then return false end
local work = campaign .. ':work:' .. row
if state ~= 'v' or current ~= revision or (in_doubt(work) or '') ~= effect then return { 'changed', state } end

-- The decision ends the doubt. A later answer finds no entry, and is compared with what is known.
if effect ~= '' then redis.call('HDEL', work, 'journal:' .. effect) end
if decision == 'posted' then
  take_record(campaign, ARGV[1], row, payload, now)
  tell(campaign, row, now, '', 'decided: posted', post_of(payload))
  record_post(campaign, row, state, revision, now, payload, extras == 1 and ARGV[9])
else
  if extras > 0 then redis.call('HSET', work, unpack(ARGV, 9, 8 + extras)) end
  if decision == 'failed' then
    redis.call('HSET', campaign .. ':errors', row, payload)
    tell_error(campaign, row, now, 'decided: failed', payload)
    move(campaign, row, state, 'f', revision, now)
  else
    admit_again(campaign, row, state, revision, now, 'decided: goes on')
  end
end
return { 'decided', (read_state(campaign, row)) }
