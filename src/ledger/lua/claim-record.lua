-- Rule (claim of a record): a publishing record belongs to one row. Of rows that are alike, the first gets it. `reconcile-post`
-- releases it if it turns out not to fit.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, row, post id
-- Returns '1', or '0' if another row has it.
--- include rows.lua
--- include claims.lua
local claims, mine = claims_key(campaign_key(ARGV[1])), ARGV[1] .. ' ' .. ARGV[2]
if redis.call('HSETNX', claims, ARGV[3], mine) == 1 then return '1' end
return redis.call('HGET', claims, ARGV[3]) == mine and '1' or '0'
