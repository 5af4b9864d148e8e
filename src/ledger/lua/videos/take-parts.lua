-- Rule (window): at most so many parts of a scrape are in the queue at once. What is taken is recorded before it is queued.
-- KEYS[1]: prefix of all keys.
-- ARGV: scrape, most parts at once, videos in a part, time (Unix epoch, ms)
-- Returns { '1' if the scrape ended now, first and last number of each new part, ... }
--- include scrapes.lua
local prefix, run, most, size, now = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local key = scrape_key(prefix, run)
local record = redis.call('HMGET', key, 'state', 'campaign', 'cursor', 'last')
if record[1] ~= 'running' then return { '0' } end
local list = record[2] == '' and prefix .. ':videos' or prefix .. ':videos:c:' .. record[2]
local cursor, last = record[3], record[4]
local replies = { '0' }
local open = redis.call('HLEN', key .. ':open')
while open < most and tonumber(cursor) < tonumber(last) do
  local found = redis.call('ZRANGEBYSCORE', list, '(' .. cursor, last, 'WITHSCORES', 'LIMIT', 0, size)
  if #found == 0 then
    cursor = last
  else
    local first
    first, cursor = found[2], found[#found]
    redis.call('HSET', key .. ':open', first, cursor)
    replies[#replies + 1] = first
    replies[#replies + 1] = cursor
    open = open + 1
  end
end
redis.call('HSET', key, 'cursor', cursor)
replies[1] = end_if_done(prefix, run, now)
return replies
