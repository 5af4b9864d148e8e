-- Rule: a row left out because of problems counts once, until a later import brings it in.
-- ARGV: campaign, n, then n keys of rows left out, then keys of rows imported
-- Returns how many are left out now.
local campaign = KEYS[1] .. ':c:' .. ARGV[1]
if redis.call('EXISTS', campaign) == 0 then return 0 end
local count, change = tonumber(ARGV[2]), 0
for index = 3, 2 + count do change = change + redis.call('SADD', campaign .. ':left-out', ARGV[index]) end
for index = 3 + count, #ARGV do change = change - redis.call('SREM', campaign .. ':left-out', ARGV[index]) end
return redis.call('HINCRBY', campaign, 'leftOut', change)
