-- Included. The states of rows: a letter in the campaign's byte string, then a byte for the revision. Every change goes through `move`.
-- Rule (wake-up of the admission): the admission is woken once there is as much room as it asked for (`should_wake`).
-- Rule (undo window): a row decided by a person waits a moment, out of reach of the admission (`hold_back`, `let_go`).
-- Rule (cancel): in a cancelled campaign no row is admitted; it is cancelled instead (`admit_again`), or in review while a call is of unknown outcome.
-- Rule (damaged data): histories, notifications, pace, pauses and latest changes only tell of a transition, so they never stop one. All
-- that may fail is written before the state.
--- include attempt.lua
--- include history.lua
--- include results.lua
--- include outbox.lua
--- include campaign-rules.lua
-- Rule (latest changes): the thousand rows whose state changed last are kept, by time (`record_change`).
-- Rule (throughput): the posts of the last 1,440 minutes are counted by minute (`count_post`).
local COUNTER = { w = 'waiting', r = 'running', y = 'ready', p = 'posted', f = 'failed', v = 'review', c = 'cancelled' }
local prefix = KEYS[1]

local function campaign_key(id) return prefix .. ':c:' .. id end

-- Returns the letter and the revision; nil for a row that does not exist.
local function read_state(campaign, row)
  local bytes = redis.call('GETRANGE', campaign .. ':states', row * 2, row * 2 + 1)
  if #bytes < 2 then return nil end
  return string.sub(bytes, 1, 1), string.byte(bytes, 2)
end

-- Calls `work` with row, state, revision and place of the arguments, for each row that is still in its revision.
-- ARGV from `first`: `size` arguments for each: row, revision, ...
local function each_row(campaign, first, size, work)
  for at = first, #ARGV, size do
    local row = tonumber(ARGV[at])
    local state, revision = read_state(campaign, row)
    if revision == tonumber(ARGV[at + 1]) then work(row, state, revision, at) end
  end
end

-- A field for each minute of a day, 'minute posts', overwrites that of an earlier day.
local function count_post(campaign, now)
  local key, minute = campaign .. ':pace', math.floor(tonumber(now) / 60000)
  local field = minute % 1440
  local of, posts = string.match(redis.call('HGET', key, field) or '', '^(%d+) (%d+)$')
  posts = tonumber(of) == minute and tonumber(posts) or 0
  redis.call('HSET', key, field, string.format('%d %d', minute, posts + 1))
end

local function let_go(campaign, row)
  if redis.call('ZREM', campaign .. ':held', row) == 1 then redis.call('HINCRBY', campaign, 'held', -1) end
end

local function wake_row(campaign, row)
  if redis.call('HDEL', campaign .. ':work:' .. row, 'z') == 1 then redis.call('HINCRBY', campaign, 'asleep', -1) end
end

-- The record of a woken row has `woken` until its run ends: 1 for one that asks for no approval any more. The campaign has the sum of these.
local function mark_woken(campaign, row)
  local work = campaign .. ':work:' .. row
  local decided = 1 - redis.call('HEXISTS', work, 'paid')
  redis.call('HSET', work, 'woken', decided)
  redis.call('HINCRBY', campaign, 'woken', decided)
end

local function end_wake(campaign, row)
  local work = campaign .. ':work:' .. row
  local decided = redis.call('HGET', work, 'woken')
  if not decided then return end
  redis.call('HDEL', work, 'woken')
  redis.call('HINCRBY', campaign, 'woken', 0 - decided)
end

local function count_gates(campaign)
  redis.call('HSET', campaign, 'unapproved', redis.call('ZCARD', campaign .. ':unapproved'), 'unpaid', redis.call('ZCARD', campaign .. ':unpaid'))
end

-- A ready row waits for its time, or before that for an approval, of its post or of what its AI outputs cost.
local GATES = { 'ready', 'unapproved', 'unpaid' }

local function is_at_gate(campaign, row, gate) return redis.call('ZSCORE', campaign .. ':' .. gate, row) ~= false end

local function leave_gates(campaign, row)
  for _, gate in ipairs(GATES) do redis.call('ZREM', campaign .. ':' .. gate, row) end
  count_gates(campaign)
end

local function is_cancelled(campaign) return redis.call('HEXISTS', campaign, 'cancelled-at') == 1 end

-- Once for all rows that have asked for an approval (`asked`), when none is left that waits for one or may still ask: a row that is made
-- again asks again, but not one on its way to its post (`woken`).
local function announce_all_decided(campaign, now)
  local facts = redis.call('HMGET', campaign, 'asked', 'unapproved', 'unpaid', 'waiting', 'running', 'woken')
  if not facts[1] or is_cancelled(campaign) then return end
  for at = 2, #facts do facts[at] = tonumber(facts[at] or '') or 0 end
  if facts[2] + facts[3] > 0 or facts[4] + facts[5] > facts[6] then return end
  redis.call('HDEL', campaign, 'asked')
  announce(campaign, 'approval.done', now)
end

local function record_change(campaign, row, now)
  attempt(redis.call, 'ZADD', campaign .. ':changed', now, row)
  attempt(redis.call, 'ZREMRANGEBYRANK', campaign .. ':changed', 0, -1001)
end

local function move(campaign, row, from, to, revision, now)
  local function set_state()
    redis.call('SETRANGE', campaign .. ':states', row * 2, to .. string.char(revision))
    record_change(campaign, row, now)
  end
  if (from == 'w' and to ~= 'r') or from == 'r' then attempt(end_wake, campaign, row) end
  if from == to then return set_state() end
  if from == 'f' or from == 'v' then
    redis.call('ZREM', campaign .. ':' .. COUNTER[from], row)
    attempt(judge_anew, campaign, row, to)
  end
  if to == 'f' or to == 'v' then redis.call('ZADD', campaign .. ':' .. COUNTER[to], row, row) end
  if from == 'w' then
    redis.call('ZREM', campaign .. ':redo', row)
    let_go(campaign, row)
  end
  if from == 'r' then attempt(wake_row, campaign, row) end
  if from == 'y' then leave_gates(campaign, row) end
  redis.call('HINCRBY', campaign, COUNTER[from], -1)
  redis.call('HINCRBY', campaign, COUNTER[to], 1)
  set_state()
  if to == 'v' then gather(campaign, row, 'review.waiting', now) end
  announce_all_decided(campaign, now)
  follow_counters(campaign, now)
  if from == 'r' and (to == 'p' or to == 'f' or to == 'v') then attempt(judge, campaign, row, to, now) end
end

-- When a loss was noticed, and when calls from before are over (ms); nil for never. Of an open loss (`lost:noticed`) or an accepted one.
local function latest_loss()
  local facts = redis.call('HMGET', prefix .. ':journal', 'lost:noticed', 'unknown', 'unknown:over')
  local noticed = tonumber(facts[1] or facts[2] or '')
  return noticed, noticed and math.max(noticed, not facts[1] and tonumber(facts[3] or '') or 0)
end

-- When the latest earlier post of a row was made (ms); nil for none.
local function last_posted_at(campaign, row)
  local earlier = earlier_posts(campaign, row)
  local seconds = tonumber(string.match(earlier[#earlier] or '', '^[^\t]*\t[^\t]*\t(%w+)') or '', 36)
  return seconds and seconds * 1000
end

-- A row that failed before a loss may have been retried since. Returns that span, as `mark_unknown` takes it, or nil.
local function failed_before_loss(campaign, row)
  local noticed, over = latest_loss()
  local error = noticed and redis.call('HGET', campaign .. ':errors', row)
  local failed_at = error and (tonumber(cjson.decode(error).at) or 0)
  local since = failed_at and math.min(failed_at, last_posted_at(campaign, row) or failed_at)
  if not since or since > noticed then return nil end
  return string.format('%.0f %.0f %.0f', since, noticed, over)
end

-- The call that still has a journal entry; nil for none. Of several the post, because fields have no lasting order.
local function unknown_effect(work)
  if redis.call('HEXISTS', work, 'journal:post') == 1 then return 'post' end
  for _, field in ipairs(redis.call('HKEYS', work)) do
    local effect = string.match(field, '^journal:(.+)')
    if effect then return effect end
  end
  return nil
end

local function whether_exists(effect)
  if effect == 'post' then return "Check the creator's profile, or the service's dashboard, for the post. Then decide the row." end
  return "Check the service's dashboard for the AI generation. Then decide the row."
end

-- JSON of the error of a row in review because of `effect`.
local function review_error(effect, code, now, message, fix)
  local step = effect == 'post' and 'post' or 'generate'
  return cjson.encode({ step = step, code = code, at = tonumber(now), message = message, fix = (fix or '') .. whether_exists(effect) })
end

local function unknown_outcome(effect, now, message)
  return review_error(effect, 'outcome_unknown', now, message
    or 'An earlier attempt was interrupted and may have sent the request. No answer came, so the outcome is unknown.')
end

-- `to`: 'f' or 'v'. `error`: JSON. `outcome`: for its history, if it is not the state.
local function end_with(campaign, row, from, to, revision, now, error, outcome)
  redis.call('HSET', campaign .. ':errors', row, error)
  record_error(campaign, row, now, outcome or (to == 'v' and 'review' or 'failed'), error)
  move(campaign, row, from, to, revision, now)
end

local function cancel_unknown(campaign, row, from, revision, now, effect)
  local unknown = unknown_outcome(effect, now, 'The campaign was cancelled while the request was being sent, and no answer has come yet.')
  end_with(campaign, row, from, 'v', revision, now, unknown)
end

-- Back to waiting, in the next revision, which supersedes the jobs of the old one. `why`: for its history, unless that has been recorded.
local function admit_again(campaign, row, from, revision, now, why)
  if why then record_entry(campaign, row, now, '', why) end
  redis.call('HDEL', campaign .. ':errors', row)
  if is_cancelled(campaign) then
    local effect = unknown_effect(campaign .. ':work:' .. row)
    if effect then return cancel_unknown(campaign, row, from, revision, now, effect) end
    record_if_begun(campaign, row, now, 'cancelled')
    return move(campaign, row, from, 'c', (revision + 1) % 256, now)
  end
  let_go(campaign, row)
  -- A row of the canary stays before the others.
  redis.call('ZADD', campaign .. ':redo', 'NX', row, row)
  move(campaign, row, from, 'w', (revision + 1) % 256, now)
end

-- A person runs the job again that failed a row. Not if the row had a post, or may have one: only a retry by command checks that.
local function may_send_again(campaign, row, job)
  return job ~= '' and redis.call('HGET', campaign .. ':work:' .. row, 'failed-by') == job and not is_cancelled(campaign)
    and redis.call('HEXISTS', campaign .. ':earlier', row) == 0 and not failed_before_loss(campaign, row)
end

local function hold_back(campaign, row, till)
  if redis.call('ZREM', campaign .. ':redo', row) == 0 then return end
  if redis.call('ZADD', campaign .. ':held', till, row) == 1 then redis.call('HINCRBY', campaign, 'held', 1) end
end

-- For another post, if this one is not published: cover and schedules. File ids and assets are kept with the result.
local function keep_progress(campaign, row, work)
  local fields, kept = redis.call('HGETALL', work), {}
  for at = 1, #fields, 2 do
    local field, value = fields[at], fields[at + 1]
    if string.match(field, '^gen%d+$') then
      local ok, record = pcall(cjson.decode, value)
      local schedule = ok and type(record) == 'table' and record.scheduleId
      kept[#kept + 1] = field .. '\t' .. string.gsub(type(schedule) == 'string' and schedule or '', '\t', ' ')
    elseif field == 'cover' then
      kept[#kept + 1] = field .. '\t' .. value
    end
  end
  if #kept > 0 then redis.call('HSET', chunk_of(campaign, 'kept', row), row % 500, table.concat(kept, '\t')) end
end

-- `payload`: packed result; `assets`: JSON, or nil; `step` and `outcome`: for its history. Adds how long a row took at its first attempt.
local function record_post(campaign, row, state, revision, now, payload, assets, step, outcome)
  local took = end_history(campaign, row, now, step, outcome, post_of(payload))
  set_result(campaign, row, took and with_time(payload, took) or payload)
  if assets then redis.call('HSET', campaign .. ':assets', row, assets) end
  local work = campaign .. ':work:' .. row
  keep_progress(campaign, row, work)
  redis.call('HDEL', campaign .. ':errors', row)
  redis.call('HDEL', campaign .. ':adding', row)
  move(campaign, row, state, 'p', revision, now)
  redis.call('DEL', work)
  -- A row reconciled from the publishing records is already counted.
  if state ~= 'p' then
    redis.call('HINCRBY', campaign, 'done:post', 1)
    attempt(count_post, campaign, now)
  end
end

local function should_wake(campaign)
  local facts = redis.call('HMGET', campaign, 'sleeping', 'running', 'asleep')
  if not facts[1] or tonumber(facts[2]) - tonumber(facts[3]) > tonumber(facts[1]) then return false end
  redis.call('HDEL', campaign, 'sleeping')
  return true
end

-- What a script returns that may have made room: 'wake' if the admission should be woken.
local function ok_or_wake(campaign) return should_wake(campaign) and 'wake' or 'ok' end

-- A journal entry: state, attempt token, when it was written, until when its call may be sent, when that call is over at the latest (ms).
-- `sending`: the attempt may be at work; `unknown`: nobody waits for its answer, but its call may be under way; `ended`: it is not.
local function as_state(entry, state) return (string.gsub(entry, '^%S+', state)) end

local function token_of(entry) return string.match(entry, '^%S+ (%S+)') end

-- When the call of an entry can no longer be under way (ms).
local function over_of(entry)
  local state, at, over = string.match(entry, '^(%S+) %S+ (%d+) ?%d* ?(%d*)$')
  if state == 'ended' or not at then return 0 end
  -- One in place of a lost entry has no such time.
  return tonumber(over) or tonumber(at) + 600000
end
