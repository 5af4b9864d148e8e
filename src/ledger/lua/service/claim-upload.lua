-- Rule (claim of an upload): only one job at a time uploads a content (`uploads.lua`).
-- KEYS[1]: prefix of all keys.
-- ARGV: count, then for each: key and field of the file's record, lease key, token, lease time (ms)
-- Returns for each: { 'known', record } | { 'yours', '' } | { 'taken', '' }.
--- include ../uploads.lua
--- include ../attempt.lua
local replies = {}
local function claim(at)
  return { claim_upload(at) }
end

for item = 1, tonumber(ARGV[1]) do
  replies[item] = item_of(claim, 2 + (item - 1) * 5)
end
return replies
