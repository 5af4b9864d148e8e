-- Rule (scrape): a look-up without figures counts once for each video and scrape. The last sample is kept.
-- ARGV: count, then for each: scrape, video id, 'failed' or 'gone', data to keep (error or answers), code, url
-- Returns for each as `append-samples.lua`.
--- include scrapes.lua
local most_causes, most_examples = 100, 3

local function record_cause(run, code, error, url)
  local causes = scrape_key(run) .. ':causes'
  if redis.call('HEXISTS', causes, 'n:' .. code) == 0 and redis.call('HLEN', causes) >= most_causes * 3 then code = 'other' end
  local count = redis.call('HINCRBY', causes, 'n:' .. code, 1)
  redis.call('HSETNX', causes, 'e:' .. code, error)
  if count <= most_examples then
    local before = redis.call('HGET', causes, 'x:' .. code)
    redis.call('HSET', causes, 'x:' .. code, before and (before .. '\n' .. url) or url)
  end
end

local function miss(at)
  local run, id, kind, kept = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local video = video_key(id)
  local verdict = may_write(run, id)
  if verdict ~= 'ok' then return verdict end
  redis.call('HSET', video, kind == 'gone' and 'g' or 'e', kept, 'r', run)
  if kind == 'gone' then redis.call('HDEL', video, 'e') else record_cause(run, ARGV[at + 4], kept, ARGV[at + 5]) end
  redis.call('HINCRBY', scrape_key(run), kind, 1)
  return 'stored'
end

return each_item(6, miss)
