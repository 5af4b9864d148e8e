-- Rule (scrape): at most one scrape runs at a time.
-- ARGV: kind ('manual' or 'scheduled'), campaign ('' for the whole list), now, how many records to keep, id of the job that
--   starts it ('' for none)
-- Returns { number, '1' if it is new, '0' if it runs already }. A scheduled scrape that finds another one running is counted there as an overlap.
--- include scrapes.lua
local kind, campaign, now, keep, origin = ARGV[1], ARGV[2], time_of(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local running = redis.call('GET', running_key)
if running then
  if origin ~= '' and redis.call('HGET', scrape_key(running), 'origin') == origin then return { running, '1' } end
  if kind == 'scheduled' then
    local overlaps = redis.call('HINCRBY', scrape_key(running), 'overlaps', 1)
    local reason = { code = 'scrape_overlap', message = 'A scheduled update was skipped, because update ' .. running .. ' still runs.' }
    record_scrape_event(running, 'skipped-' .. overlaps, now, cjson.encode(reason))
  end
  return { running, '0' }
end
local list = list_key(campaign)
local newest = redis.call('ZREVRANGE', list, 0, 0, 'WITHSCORES')
local run = tostring(redis.call('INCR', prefix .. ':scrapes:last'))
redis.call('HSET', scrape_key(run), 'state', 'running', 'kind', kind, 'campaign', campaign, 'origin', origin, 'started', now,
  'total', redis.call('ZCARD', list), 'cursor', 0, 'last', newest[2] or '0')
redis.call('ZADD', prefix .. ':scrapes', run, run)
redis.call('SET', running_key, run)
for _, old in ipairs(redis.call('ZRANGE', prefix .. ':scrapes', 0, -keep - 1)) do
  local key = scrape_key(old)
  redis.call('DEL', key, key .. ':open', key .. ':causes')
  redis.call('ZREM', prefix .. ':scrapes', old)
end
return { run, '1' }
