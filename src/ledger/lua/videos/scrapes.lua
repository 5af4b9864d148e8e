-- What the scripts of a scrape share. `prefix` is that of all keys.
--- include ../outbox.lua
local function scrape_key(prefix, run)
  return prefix .. ':scrape:' .. run
end

-- Whether a look at a video may be written: 'ok', or why not.
local function may_write(prefix, run, id, version)
  local video = prefix .. ':v:' .. id
  if redis.call('HGET', scrape_key(prefix, run), 'state') ~= 'running' then return 'ended' end
  local held = redis.call('HMGET', video, 'f', 'r', 'v')
  if not held[1] then return 'removed' end
  if tonumber(held[2] or '0') >= tonumber(run) then return 'known' end
  if (held[3] or '0') ~= version then return 'changed' end
  return 'ok'
end

-- Tells receivers what became of a scrape. `key` names what happened; `reason`: JSON, or ''.
local function tell_scrape(prefix, run, key, now, reason)
  local record = redis.call('HMGET', scrape_key(prefix, run), 'done', 'failed', 'gone', 'skipped')
  local counts, codes = {}, {}
  for index, name in ipairs({ 'done', 'failed', 'gone', 'skipped' }) do counts[name] = tonumber(record[index] or '0') end
  local causes = redis.call('HGETALL', scrape_key(prefix, run) .. ':causes')
  for at = 1, #causes, 2 do
    local code = string.match(causes[at], '^n:(.*)$')
    if code then codes[code] = tonumber(causes[at + 1]) end
  end
  local told = next(codes) and cjson.encode(codes) or '{}'
  announce_run('scrape.failed', 'scrape-' .. run .. '-' .. key, run, now, cjson.encode(counts), told, reason)
end

-- Ends a scrape once all of its parts are taken and done. Returns '1' when it ended now.
local function end_if_done(prefix, run, now)
  local key = scrape_key(prefix, run)
  local record = redis.call('HMGET', key, 'state', 'cursor', 'last')
  if record[1] ~= 'running' or tonumber(record[2]) < tonumber(record[3]) then return '0' end
  if redis.call('HLEN', key .. ':open') > 0 then return '0' end
  redis.call('HSET', key, 'state', 'ended', 'ended', now)
  if tonumber(redis.call('HGET', key, 'failed') or '0') > 0 then tell_scrape(prefix, run, 'ended', now, '') end
  if redis.call('GET', prefix .. ':scrapes:running') == run then redis.call('DEL', prefix .. ':scrapes:running') end
  return '1'
end
