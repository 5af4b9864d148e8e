-- Included by rows.lua. What the counters of a campaign decide.
-- Rule (end): a campaign ends when no row waits, runs or is ready, and opens again when one does (`follow_counters`).
-- Rule (canary): a campaign is paused once, when its first rows have ended and no others have begun (`follow_counters`). A row that waits
-- for an approval has not ended. One that a person has cancelled is none of the first: another row takes its place (`begun_rows`).
-- Rule (stop-after): it is paused when too many of the rows that ended since the last resume failed or are in review (`judge`). A row
-- counts once, by its current state: after a retry or a decision it counts again (`judge_anew`), and as before if a decision is taken back
-- (`judge_as_before`).
-- Rule (time at work): the clock of a campaign stops while it is paused or ended, or has only ready rows (`start_clock`, `stop_clock`).
-- Rule (pauses): the last fifty pauses are kept (`record_pause`).

-- `since`: when the clock was started; empty while it is stopped, missing if it has run from the beginning.
local function start_clock(campaign, now) redis.call('HSET', campaign, 'since', now) end

local function stop_clock(campaign, now)
  local facts = redis.call('HMGET', campaign, 'since', 'created')
  local since = facts[1] or facts[2]
  if since == '' then return end
  redis.call('HINCRBY', campaign, 'worked', string.format('%.0f', math.max(0, tonumber(now) - (tonumber(since) or now))))
  redis.call('HSET', campaign, 'since', '')
end

-- Records when and why a campaign was paused, or with an empty `code`, when it was resumed.
local function record_pause(campaign, now, code)
  attempt(redis.call, 'RPUSH', campaign .. ':pauses', now .. ' ' .. code)
  attempt(redis.call, 'LTRIM', campaign .. ':pauses', -100, -1)
end

local function hold(campaign, now, code, message)
  stop_clock(campaign, now)
  record_pause(campaign, now, code)
  local reason = cjson.encode({ code = code, message = message })
  redis.call('HSET', campaign, 'state', 'paused', 'paused', reason)
  redis.call('HDEL', campaign, 'paused_by')
  announce(campaign, 'campaign.paused', now, reason)
end

-- Rows of the canary so far. As long as its campaign runs, rows are cancelled only one by one.
local function begun_rows(campaign)
  local facts = redis.call('HMGET', campaign, 'rows', 'waiting', 'cancelled')
  return facts[1] - facts[2] - (facts[3] or 0)
end

local function follow_counters(campaign, now)
  local facts = redis.call('HMGET', campaign, 'waiting', 'running', 'state', 'canary', 'canary-held', 'canary-of', 'ready', 'since')
  local waiting, running, state, canary = facts[1], facts[2], facts[3], tonumber(facts[4] or '')
  if waiting == '0' and running == '0' and (facts[7] or '0') == '0' then
    if state == 'running' or state == 'cancelling' then
      stop_clock(campaign, now)
      redis.call('HSET', campaign, 'state', 'ended', 'ended', now)
      announce(campaign, 'campaign.ended', now)
    end
    return
  end
  if state == 'ended' then
    start_clock(campaign, now)
    redis.call('HSET', campaign, 'state', 'running', 'ended', '')
    state = 'running'
  elseif state == 'running' and waiting == '0' and running == '0' then
    stop_clock(campaign, now)
  elseif state == 'running' and facts[8] == '' then
    start_clock(campaign, now)
  end
  if canary and not facts[5] and state == 'running' and running == '0' and (facts[7] or '0') == '0' then
    local begun = begun_rows(campaign)
    if begun >= canary then
      redis.call('HSET', campaign, 'canary-held', now)
      local ended = begun == 1 and 'row has' or string.format('%d rows have', begun)
      local first = (facts[6] or '') == '' and 'The first ' .. ended .. ' ended.' or 'The canary (' .. facts[6] .. ') has ended.'
      hold(campaign, now, 'canary', first .. ' The other rows wait until the campaign is resumed.')
    end
  end
end

-- Needs at least twenty rows. The mark `judged` of a row that was not posted is the resume since which it counts.
local function judge(campaign, row, to, now)
  local facts = redis.call('HMGET', campaign, 'stop-after', 'state', 'resumed')
  local limit = tonumber(facts[1] or '')
  if not limit then return end
  local judged = redis.call('HINCRBY', campaign, 'judged', 1)
  local missed = redis.call('HINCRBY', campaign, 'missed', to == 'p' and 0 or 1)
  if facts[2] == 'running' and judged >= 20 and missed * 100 > limit * judged then
    hold(campaign, now, 'stop_after', string.format(
      '%d of %d ended rows failed or need review. The limit is %s%%.', missed, judged, facts[1]))
  end
  -- The last write, because the record of a row in review may be damaged.
  if to ~= 'p' then redis.call('HSET', campaign .. ':work:' .. row, 'judged', facts[3] or '0') end
end

local function judge_anew(campaign, row, to)
  local work = campaign .. ':work:' .. row
  local mark = redis.call('HGET', work, 'judged')
  if not mark or to == 'f' or to == 'v' then return end
  redis.call('HDEL', work, 'judged')
  if mark ~= (redis.call('HGET', campaign, 'resumed') or '0') then return end
  redis.call('HINCRBY', campaign, 'missed', -1)
  if to ~= 'p' then redis.call('HINCRBY', campaign, 'judged', -1) end
end

local function judge_as_before(campaign, row, from)
  local mark = redis.call('HGET', campaign .. ':work:' .. row, 'judged')
  if from == 'f' or mark ~= (redis.call('HGET', campaign, 'resumed') or '0') then return end
  redis.call('HINCRBY', campaign, 'missed', 1)
  if from ~= 'p' then redis.call('HINCRBY', campaign, 'judged', 1) end
end
