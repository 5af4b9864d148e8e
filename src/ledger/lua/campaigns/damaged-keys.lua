-- Finds keys of a wrong type among those that a campaign has exactly one of.
-- ARGV: campaign, ...
-- Returns the names of the keys.
--- include ../rows.lua
--- include ../damage.lua
local keys = {}
for _, id in ipairs(ARGV) do
  for _, key in ipairs(damaged_keys(campaign_key(id))) do keys[#keys + 1] = key end
end
return keys
