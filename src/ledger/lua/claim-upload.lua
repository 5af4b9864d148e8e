-- Rule (claim of an upload): of those who want to upload a content, one does it at a time (`uploads.lua`).
-- KEYS[1]: prefix of all keys.
-- ARGV: count, then for each: key and field of the file's record, lease key, token, lease time (ms)
-- Returns for each: { 'known', record } | { 'yours', '' } | { 'taken', '' }.
--- include uploads.lua
local replies = {}
for item = 1, tonumber(ARGV[1]) do
  replies[item] = { claim_upload(2 + (item - 1) * 5) }
end
return replies
