-- What the scripts of a scrape share. `prefix` is that of all keys.
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

-- Ends a scrape once all of its parts are taken and done. Returns '1' when it ended now.
local function end_if_done(prefix, run, now)
  local key = scrape_key(prefix, run)
  local record = redis.call('HMGET', key, 'state', 'cursor', 'last')
  if record[1] ~= 'running' or tonumber(record[2]) < tonumber(record[3]) then return '0' end
  if redis.call('HLEN', key .. ':open') > 0 then return '0' end
  redis.call('HSET', key, 'state', 'ended', 'ended', now)
  if redis.call('GET', prefix .. ':scrapes:running') == run then redis.call('DEL', prefix .. ':scrapes:running') end
  return '1'
end
