-- Prepares a campaign for rows of another sheet: columns and creators that it did not have.
-- ARGV: campaign, edits as they were found, JSON of the header, JSON of the column map, creator, JSON, ... of creators
-- Returns the number of edits from now on, or nil if somebody else has changed the campaign meanwhile (or it is gone).
local prefix = KEYS[1]
local campaign = prefix .. ':c:' .. ARGV[1]
local facts = redis.call('HMGET', campaign, 'id', 'edits')
if not facts[1] or (facts[2] or '0') ~= ARGV[2] then return false end
redis.call('HSET', campaign, 'header', ARGV[3], 'map', ARGV[4])
for at = 5, #ARGV, 200 do
  redis.call('HSET', campaign .. ':creators', unpack(ARGV, at, math.min(at + 199, #ARGV)))
end
return redis.call('HINCRBY', campaign, 'edits', 1)
