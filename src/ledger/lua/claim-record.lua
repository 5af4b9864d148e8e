-- Takes a publishing record for one row; it is let go again with `reconcile-post` if it comes to nothing.
-- ARGV: campaign, row, post id. Returns '1', or '0' where another row has it.
--- include rows.lua
--- include claims.lua
local claims, mine = claims_key(campaign_key(ARGV[1])), ARGV[1] .. ' ' .. ARGV[2]
if redis.call('HSETNX', claims, ARGV[3], mine) == 1 then return '1' end
return redis.call('HGET', claims, ARGV[3]) == mine and '1' or '0'
