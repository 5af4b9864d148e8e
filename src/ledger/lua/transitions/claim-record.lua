-- Rule (claim of a record): of similar rows, the first gets the record. `reconcile-post` releases it if it does not fit.
-- ARGV: campaign, row, post id
-- Returns '1', or '0' if another row has it.
--- include ../rows.lua
--- include ../posts.lua
return claim_post(ARGV[3], ARGV[1] .. ' ' .. ARGV[2]) and '0' or '1'
