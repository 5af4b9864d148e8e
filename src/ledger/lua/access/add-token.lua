-- Rule (access): a user has no more tokens than allowed, however many are asked for at once, and one who is gone gets none.
-- ARGV: SHA-256 of the token, JSON of its facts, most tokens of a user, number of tokens that the user should have now (-1: any)
-- Returns 'done', 'full', 'changed', 'missing'.
--- include stored.lua
local tokens = KEYS[1] .. ':tokens'
local token = cjson.decode(ARGV[2])
local user = redis.call('HGET', KEYS[1] .. ':users', token.user)
if not user or read_stored(user).id ~= token.id then return 'missing' end

local has = 0
for _, text in ipairs(redis.call('HVALS', tokens)) do
  if read_stored(text).user == token.user then has = has + 1 end
end
local expected = tonumber(ARGV[4])
if expected >= 0 and has ~= expected then return 'changed' end
if has >= tonumber(ARGV[3]) then return 'full' end
redis.call('HSET', tokens, ARGV[1], ARGV[2])
return 'done'
