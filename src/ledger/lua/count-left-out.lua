-- Rule: a row that was left out for its problems counts once, and no longer once it has come in after all.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, n, then n keys of rows that were left out, then keys of rows that came in
-- Returns how many are left out from now on.
local campaign = KEYS[1] .. ':c:' .. ARGV[1]
if redis.call('EXISTS', campaign) == 0 then return 0 end
local count, change = tonumber(ARGV[2]), 0
for index = 3, 2 + count do change = change + redis.call('SADD', campaign .. ':left-out', ARGV[index]) end
for index = 3 + count, #ARGV do change = change - redis.call('SREM', campaign .. ':left-out', ARGV[index]) end
return redis.call('HINCRBY', campaign, 'leftOut', change)
