-- Rule (scrape): a look-up without figures counts once for each video and scrape. The last sample is kept.
-- KEYS[1]: prefix of all keys.
-- ARGV: count, then for each: scrape, video id, version as read, 'failed' or 'gone', data to keep (error or answers), code, url
-- Returns for each as `append-samples.lua`.
--- include scrapes.lua
local prefix = KEYS[1]
local most_causes, most_examples = 100, 3
local replies = {}

local function note_cause(run, code, error, url)
  local causes = scrape_key(prefix, run) .. ':causes'
  if redis.call('HEXISTS', causes, 'n:' .. code) == 0 and redis.call('HLEN', causes) >= most_causes * 3 then code = 'other' end
  local count = redis.call('HINCRBY', causes, 'n:' .. code, 1)
  redis.call('HSETNX', causes, 'e:' .. code, error)
  if count <= most_examples then
    local before = redis.call('HGET', causes, 'x:' .. code)
    redis.call('HSET', causes, 'x:' .. code, before and (before .. '\n' .. url) or url)
  end
end

local function miss(at)
  local run, id, kind, kept = ARGV[at], ARGV[at + 1], ARGV[at + 3], ARGV[at + 4]
  local video = prefix .. ':v:' .. id
  local verdict = may_write(redis.call('HGET', scrape_key(prefix, run), 'state'), run, ARGV[at + 2], redis.call('HMGET', video, 'f', 'r', 'v'))
  if verdict == 'ok' then
    if kind == 'gone' then
      redis.call('HSET', video, 'g', kept, 'r', run)
      redis.call('HDEL', video, 'e')
    else
      redis.call('HSET', video, 'e', kept, 'r', run)
      note_cause(run, ARGV[at + 5], kept, ARGV[at + 6])
    end
    redis.call('HINCRBY', video, 'v', 1)
    redis.call('HINCRBY', scrape_key(prefix, run), kind, 1)
    verdict = 'stored'
  end
  return verdict
end

for item = 0, tonumber(ARGV[1]) - 1 do
  replies[item + 1] = item_of(miss, 2 + item * 7)
end
return replies
