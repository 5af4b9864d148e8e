-- Rule: the names that an import has collected become those of the rows left out of its campaign. A second call changes nothing.
-- ARGV: campaign, name of the collection
local campaign, staged = KEYS[1] .. ':c:' .. ARGV[1], KEYS[1] .. ':staged-names:' .. ARGV[2]
if redis.call('EXISTS', campaign) == 0 or redis.call('EXISTS', staged) == 0 then return end
redis.call('RENAME', staged, campaign .. ':left-out')
redis.call('PERSIST', campaign .. ':left-out')
