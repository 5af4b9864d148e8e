-- Rule (claim of a record): a publishing record belongs to one row. Of similar rows, the first gets it. `reconcile-post`
-- releases it if it turns out not to fit.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, row, post id
-- Returns '1', or '0' if another row has it.
--- include ../rows.lua
--- include ../claims.lua
local campaign, post, mine = campaign_key(ARGV[1]), ARGV[3], ARGV[1] .. ' ' .. ARGV[2]
local holder = claim_holder(campaign, post)
if not holder then redis.call('HSET', claims, post, mine) end
return (not holder or holder == mine) and '1' or '0'
