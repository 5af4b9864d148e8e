-- Rule (claim of a record): a publishing record belongs to one row. Of similar rows, the first gets it. `reconcile-post`
-- releases it if it turns out not to fit.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, row, post id
-- Returns '1', or '0' if another row has it.
--- include ../rows.lua
--- include ../posts.lua
local post, mine = ARGV[3], ARGV[1] .. ' ' .. ARGV[2]
return claim_post(post, mine) and '0' or '1'
