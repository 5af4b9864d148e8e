-- Rule (never twice): the answer of a journalled call, the row's state and the end of its journal entry are written together. Only the
-- attempt that wrote the entry may end it; its answer is the truth, however late it comes.
-- Rule (end of a row): results, errors, counters and indexes change together. A job of an older revision changes nothing.
-- KEYS[1]: prefix of all keys.
-- ARGV: count, then for each step:
--   campaign, row, revision, step, job id, effect ('' or 'post' or 'gen<n>'), attempt token, now (ms),
--   verdict: 'ok' new facts, the row goes on | 'cleared' the call had no effect and may be sent again
--            | 'posted' | 'failed' | 'review'
--   payload: packed result ('posted'), JSON of the error ('failed', 'review') or a text for the story ('ok'), else ''
--   n, then n arguments: field, value, ... to write to the row's record ('posted': the JSON of its assets, or nothing)
-- Returns for each: 'stale' (the row no longer belongs to this job; nothing was changed), 'ok' or 'wake' (the admission should be woken).
--- include ../rows.lua
--- include ../claims.lua
--- include ../earlier-posts.lua
local replies = {}
local at = 2

local function finish()
  local id, row, revision, step = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), ARGV[at + 3]
  local job, effect, token, now = ARGV[at + 4], ARGV[at + 5], ARGV[at + 6], ARGV[at + 7]
  local verdict, payload, extras = ARGV[at + 8], ARGV[at + 9], tonumber(ARGV[at + 10])
  local first = at + 11
  at = first + extras

  local campaign = campaign_key(id)
  local state, current = read_state(campaign, row)
  if not state then return 'stale' end
  local work = campaign .. ':work:' .. row
  -- While the attempt's entry exists, its answer is the truth, however late it comes and whatever happened to the row since.
  local entry = effect ~= '' and redis.call('HGET', work, 'journal:' .. effect)
  local answered = entry and string.match(entry, '^%S+ (%S+)') == token
  local mine = state == 'r' and current == revision
  -- A missing entry was lost with the end of the append-only file. The answer, or the lack of one, is still true.
  local lost = effect ~= '' and not entry and (verdict == 'posted' or verdict == 'ok' or (verdict == 'review' and mine))
  if lost and effect ~= 'post' and redis.call('HEXISTS', work, effect) == 1 then return 'stale' end
  if effect ~= '' and not answered and not lost then return 'stale' end
  if lost and verdict == 'posted' and had_post(campaign, row, post_of(payload)) then return 'stale' end
  -- A row reconciled from the publishing records keeps its entry: the answer of that attempt has the last word.
  if state == 'p' and answered and verdict ~= 'posted' and verdict ~= 'review' then
    -- The call was refused, so the record taken as its post belongs to another row.
    drop_claim(campaign, id, row, now)
    state = read_state(campaign, row)
  end
  if state == 'p' and not (verdict == 'posted' and answered) then return 'stale' end
  if effect == '' and not mine and not (verdict == 'ok' and state ~= 'c' and current == revision) then return 'stale' end

  if verdict == 'posted' then
    take_record(campaign, id, row, payload, now)
    -- Somebody may be about to give the post of a late answer to another row.
    if state ~= 'r' then redis.call('HSET', claims, post_of(payload), id .. ' ' .. row) end
    record_post(campaign, row, state, current, now, payload, extras == 1 and ARGV[first], step, 'posted')
    return should_wake(campaign) and 'wake' or 'ok'
  end

  -- If the connection sends a script twice, the second one writes nothing new and is not counted.
  local new = 0
  if extras > 0 then new = redis.call('HSET', work, unpack(ARGV, first, first + extras - 1)) end
  if effect ~= '' then
    if verdict == 'review' then
      redis.call('HSET', work, 'journal:' .. effect, entry and given_up(entry) or 'unknown ' .. token .. ' ' .. now)
    else
      redis.call('HDEL', work, 'journal:' .. effect)
    end
  end
  if verdict == 'ok' and new > 0 then
    redis.call('HINCRBY', campaign, 'done:' .. step, 1)
    tell(campaign, row, now, step, 'ok', payload)
  end

  if verdict == 'failed' or verdict == 'review' then
    -- A row never ends as certain while one of its calls is in doubt: a person must know that first.
    local doubtful = in_doubt(work)
    if doubtful and doubtful ~= effect then verdict, payload = 'review', doubt(doubtful, now) end
    redis.call('HSET', campaign .. ':errors', row, payload)
    tell_error(campaign, row, now, verdict, payload)
    if verdict == 'failed' and mine then
      redis.call('HSET', work, 'failed-by', job)
    end
    if state ~= 'c' then move(campaign, row, state, verdict == 'failed' and 'f' or 'v', current, now) end
  elseif state == 'v' and answered then
    -- A late answer decides a call that was given up as unknown, so the row goes on by itself.
    admit_again(campaign, row, state, current, now, 'answered late')
  end
  return should_wake(campaign) and 'wake' or 'ok'
end

for item = 1, tonumber(ARGV[1]) do
  replies[item] = item_of(finish)
end
return replies
