-- Rule (delete): a campaign is hidden at once, unless rows of it run or are in review. Its tombstone says which keys are removed later.
-- ARGV: campaign, '1' to delete it even with rows in review, only if it ended before (ms; '' for any time)
-- Returns 'tombstoned', or why not: 'gone' | 'unfinished' | 'review' | 'recent'.
--- include ../rows.lua
local id, force, ended_before = ARGV[1], ARGV[2] == '1', tonumber(ARGV[3])
local campaign = campaign_key(id)
local facts = redis.call('HMGET', campaign, 'state', 'running', 'review', 'ended', 'store', 'rows', 'sha256', 'posted')
local state, running, review, ended = facts[1], facts[2], facts[3], tonumber(facts[4] or '')
if not state then return 'gone' end
if running ~= '0' or not (state == 'ended' or state == 'paused') then return 'unfinished' end
if review ~= '0' and not force then return 'review' end
if ended_before and not (state == 'ended' and ended and ended < ended_before) then return 'recent' end

-- Without states there are no rows, so a late step finds none and writes nothing.
if redis.call('EXISTS', campaign .. ':states') == 1 then
  redis.call('RENAME', campaign .. ':states', campaign .. ':tombstone-states')
end
redis.call('HSET', prefix .. ':tombstones', id, cjson.encode({ store = facts[5], rows = tonumber(facts[6]) }))
redis.call('DEL', campaign)
redis.call('ZREM', prefix .. ':campaigns', id)
-- A manifest stays known if rows of it were, or may have been, posted, so that nobody posts it again by accident.
if facts[8] == '0' and review == '0' and redis.call('EXISTS', campaign .. ':earlier') == 0
  and redis.call('HGET', prefix .. ':manifests', facts[7]) == id then
  redis.call('HDEL', prefix .. ':manifests', facts[7])
end
return 'tombstoned'
