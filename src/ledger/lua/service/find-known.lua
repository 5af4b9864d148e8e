-- Looks up many records at once. Rule: products and files that the service is known to have are not sent again.
-- ARGV: key, field, ...
-- Returns the record of each, or nil.
local replies = {}
for at = 1, #ARGV, 2 do replies[(at + 1) / 2] = redis.call('HGET', ARGV[at], ARGV[at + 1]) end
return replies
