-- Rule (claim of an upload): only one job at a time uploads a content (`uploads.lua`).
-- ARGV: count, then for each: key and field of the file's record, lease key, token, lease time (ms)
-- Returns for each: { 'known', record } | { 'yours', '' } | { 'taken', '' }.
--- include ../uploads.lua
--- include ../attempt.lua
return each_item(5, function(at) return { claim_upload(at) } end)
