-- Included by the scripts of a scrape.
--- include ../attempt.lua
--- include ../outbox.lua
--- include video.lua
local running_key = prefix .. ':scrapes:running'

local function scrape_key(run) return prefix .. ':scrape:' .. run end

-- Another scrape may start.
local function make_way(run)
  if redis.call('GET', running_key) == run then redis.call('DEL', running_key) end
end

-- Whether the result of a look-up may be written: 'ok', or why not.
local function may_write(run, id)
  if redis.call('HGET', scrape_key(run), 'state') ~= 'running' then return 'ended' end
  local held = redis.call('HMGET', video_key(id), 'f', 'r')
  if not held[1] then return 'removed' end
  return tonumber(held[2] or '0') >= tonumber(run) and 'known' or 'ok'
end

-- Writes the event about the end of a scrape. `key` identifies the event; `reason`: JSON, or ''.
local function record_scrape_event(run, key, now, reason)
  local counts, codes = {}, {}
  for _, name in ipairs({ 'done', 'failed', 'gone', 'skipped' }) do counts[name] = tonumber(redis.call('HGET', scrape_key(run), name) or '0') end
  local causes = redis.call('HGETALL', scrape_key(run) .. ':causes')
  for at = 1, #causes, 2 do
    local code = string.match(causes[at], '^n:(.*)$')
    if code then codes[code] = tonumber(causes[at + 1]) end
  end
  local causes_json = next(codes) and cjson.encode(codes) or '{}'
  announce_run('scrape.failed', 'scrape-' .. run .. '-' .. key, run, now, cjson.encode(counts), causes_json, reason)
end

-- Ends a scrape once all of its parts are taken and done. Returns '1' when it ended now.
local function end_if_done(run, now)
  local key = scrape_key(run)
  local record = redis.call('HMGET', key, 'state', 'cursor', 'last')
  if record[1] ~= 'running' or tonumber(record[2]) < tonumber(record[3]) then return '0' end
  if redis.call('HLEN', key .. ':open') > 0 then return '0' end
  redis.call('HSET', key, 'state', 'ended', 'ended', now)
  if tonumber(redis.call('HGET', key, 'failed') or '0') > 0 then record_scrape_event(run, 'ended', now, '') end
  make_way(run)
  return '1'
end

-- Takes the next parts once half of the window is free, and records them before they are queued.
-- Returns { '1' if the scrape ended now, first and last number of each new part, ... }
local function take_parts(run, most, size, now)
  local key = scrape_key(run)
  local record = redis.call('HMGET', key, 'state', 'campaign', 'cursor', 'last')
  if record[1] ~= 'running' then return { '0' } end
  local list, cursor, last, replies = list_key(record[2]), record[3], record[4], { '0' }
  local open = redis.call('HLEN', key .. ':open')
  if open > most / 2 or tonumber(cursor) >= tonumber(last) then return { end_if_done(run, now) } end
  while open < most and tonumber(cursor) < tonumber(last) do
    local found = redis.call('ZRANGEBYSCORE', list, '(' .. cursor, last, 'WITHSCORES', 'LIMIT', 0, size)
    if #found == 0 then
      cursor = last
    else
      local first
      first, cursor = found[2], found[#found]
      redis.call('HSET', key .. ':open', first, cursor)
      push(replies, first, cursor)
      open = open + 1
    end
  end
  redis.call('HSET', key, 'cursor', cursor)
  replies[1] = end_if_done(run, now)
  return replies
end
