-- Rule (sheet version): a campaign gets columns and creators of another sheet only if nobody has changed its own meanwhile.
-- ARGV: campaign, sheet version as read, JSON of the header, JSON of the column map, separator of its sheets ('' keeps it), random id of the
--   change, creator, JSON, ... of creators
-- Returns the new sheet version, or nil.
--- include ../sheet.lua
local campaign = KEYS[1] .. ':c:' .. ARGV[1]
if redis.call('HEXISTS', campaign, 'id') == 0 or sheet_version(campaign) ~= ARGV[2] then return false end
redis.call('HSET', campaign, 'header', ARGV[3], 'map', ARGV[4])
if ARGV[5] ~= '' then redis.call('HSET', campaign, 'delimiter', ARGV[5]) end
redis.call('HSET', campaign, 'import', ARGV[6])
set_creators(campaign, 7)
return change_sheet(campaign, ARGV[6])
