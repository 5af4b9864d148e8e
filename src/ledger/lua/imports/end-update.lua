-- Rule (import into): once a sheet's rows are in a campaign, running the same sheet again continues that campaign.
-- ARGV: campaign, SHA-256 of the sheet
local prefix, id, sha256 = KEYS[1], ARGV[1], ARGV[2]
if redis.call('EXISTS', prefix .. ':c:' .. id) == 0 then return 0 end
local earlier = redis.call('HGET', prefix .. ':manifests', sha256)
-- A campaign that was imported from the sheet keeps it while it exists.
if earlier and redis.call('EXISTS', prefix .. ':c:' .. earlier) == 1 then return 0 end
return redis.call('HSET', prefix .. ':manifests', sha256, id)
