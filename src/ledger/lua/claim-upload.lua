-- Claims of uploads by themselves.
-- ARGV: count, then for each: key and field of the file's record, lease key, token, lease time (ms)
-- Returns for each: { 'known', record } | { 'yours', '' } | { 'taken', '' }.
--- include uploads.lua
local replies = {}
for item = 1, tonumber(ARGV[1]) do
  replies[item] = { claim_upload(2 + (item - 1) * 5) }
end
return replies
