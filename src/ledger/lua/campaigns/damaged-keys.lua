-- Finds keys of a wrong type among those that a campaign has exactly one of.
-- ARGV: campaign, ...
-- Returns the names of the keys.
--- include ../rows.lua
--- include ../damage.lua
local keys = {}
for _, id in ipairs(ARGV) do
  push(keys, unpack(damaged_keys(campaign_key(id))))
end
return keys
