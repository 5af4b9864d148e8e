-- Included after attempt.lua. The outbox: events for receivers. The script of a transition also writes its event.
-- Keys: `e:<id>`: hash of an event. `due`: events to hand out, by time (ms). `open`: events that were handed out, by time.
-- `gathering`: event name and campaign, to the event that still counts rows.
-- Rule (wanted): an event is written only while a process has a receiver for it (`wanted`).
-- Rule (bounded): at most 1,000 events are kept. The oldest give way.
-- Rule (gathering): what concerns single rows of a campaign (they wait for a person, were rejected, got a comment, were posted twice, their posts
-- were not published) is collected for ten minutes into one event of each kind, with counts by code. For posts that were not published it
-- has the row numbers instead, so that rows edited meanwhile are not told.
--- include clock.lua
local outbox = KEYS[1] .. ':outbox'
local MOST_EVENTS, MOST_CODES, MOST_ROWS, GATHER_MS = 1000, 50, 10000, 600000

local function is_wanted(event) return redis.call('HEXISTS', outbox .. ':wanted', event) == 1 end

local function drop_event(id)
  local facts = redis.call('HMGET', outbox .. ':e:' .. id, 'event', 'campaign')
  local slot = facts[1] and facts[2] and facts[1] .. ' ' .. facts[2]
  if slot and redis.call('HGET', outbox .. ':gathering', slot) == id then redis.call('HDEL', outbox .. ':gathering', slot) end
  redis.call('DEL', outbox .. ':e:' .. id)
  redis.call('ZREM', outbox .. ':due', id)
  redis.call('ZREM', outbox .. ':open', id)
end

-- An id that no other event has, even in a ledger restored from a backup.
local function event_id(suffix)
  return 'msg_' .. (redis.call('HGET', KEYS[1] .. ':format', 'ledger') or '') .. '_' .. suffix
end

local function write_event(id, event, now, due, ...)
  for _, list in ipairs({ ':open', ':due' }) do
    local kept = redis.call('ZCARD', outbox .. ':open') + redis.call('ZCARD', outbox .. ':due')
    local oldest = kept >= MOST_EVENTS and redis.call('ZRANGE', outbox .. list, 0, 0)[1]
    if oldest then drop_event(oldest) end
  end
  redis.call('HSET', outbox .. ':e:' .. id, 'event', event, 'at', now, ...)
  redis.call('ZADD', outbox .. ':due', due, id)
end

local function write_campaign_event(campaign, event, now, due, ...)
  local id = event_id(string.format('%.0f', now) .. '_' .. redis.call('INCR', outbox .. ':number'))
  local facts = redis.call('HMGET', campaign, 'id', 'name')
  write_event(id, event, now, due, 'campaign', facts[1], 'name', facts[2] or '', ...)
  return id
end

local function announce_campaign(campaign, event, now, reason)
  if not is_wanted(event) then return end
  local counts = redis.call('HMGET', campaign, 'waiting', 'running', 'ready', 'posted', 'failed', 'review', 'cancelled')
  for index, count in ipairs(counts) do counts[index] = count or '0' end
  write_campaign_event(campaign, event, now, now, 'counts', table.concat(counts, ' '), 'reason', reason or '')
end

-- A campaign ended or was paused. `reason`: JSON of the pause reason, or nil.
local function announce(...) attempt(announce_campaign, ...) end

-- `about`: a code instead of that of the row's error.
local function gather_row(campaign, row, event, now, about)
  if not is_wanted(event) then return end
  local slot = event .. ' ' .. redis.call('HGET', campaign, 'id')
  local id = redis.call('HGET', outbox .. ':gathering', slot)
  if not id then
    id = write_campaign_event(campaign, event, now, now + GATHER_MS)
    redis.call('HSET', outbox .. ':gathering', slot, id)
  end
  local key = outbox .. ':e:' .. id
  if event == 'post.failed' and redis.call('HLEN', key) < MOST_ROWS then
    redis.call('HSET', key, 'row:' .. row, '')
    return
  end
  local error = redis.call('HGET', campaign .. ':errors', row)
  local code = 'code:' .. (about or error and cjson.decode(error).code or 'unknown')
  if event ~= 'post.failed' and redis.call('HEXISTS', key, code) == 0 and redis.call('HLEN', key) >= MOST_CODES then code = 'code:other' end
  redis.call('HINCRBY', key, code, 1)
end

local function gather(...) attempt(gather_row, ...) end

-- An event about a scrape, once for each `key`. `counts` and `codes`: JSON, numbers by name. `reason`: JSON of code and message, or ''.
local function announce_run(event, key, run, now, counts, codes, reason)
  local id = event_id(key)
  if not is_wanted(event) or redis.call('EXISTS', outbox .. ':e:' .. id) == 1 then return end
  write_event(id, event, now, now, 'run', run, 'counts', counts, 'codes', codes, 'reason', reason)
end
