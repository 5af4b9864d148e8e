-- Rule (access): a session is valid only while its user has the same password, a token only while its user exists.
-- ARGV: 'session', 'token' or ''; SHA-256 of the secret; now; ms without use after which a session ends; ms after which it ends in any case; ms
--   after which its use is recorded again
-- Returns the number of users, then name and role of the user, if known.
--- include stored.lua
local users = KEYS[1] .. ':users'
local count = redis.call('HLEN', users)
local kind, digest, now = ARGV[1], ARGV[2], tonumber(ARGV[3])

local function user_of(name, field, value)
  local text = name and redis.call('HGET', users, name)
  local user = text and read_stored(text)
  return user and value and user[field] == value and user or nil
end

local user
if kind == 'session' then
  local session = KEYS[1] .. ':session:' .. digest
  local name, stamp, created, seen = unpack(redis.call('HMGET', session, 'user', 'stamp', 'created', 'seen'))
  if name then
    local has_ended = now - tonumber(seen) > tonumber(ARGV[4]) or now - tonumber(created) > tonumber(ARGV[5])
    user = not has_ended and user_of(name, 'stamp', stamp)
    if not user then
      redis.call('DEL', session)
    elseif now - tonumber(seen) > tonumber(ARGV[6]) then
      redis.call('HSET', session, 'seen', ARGV[3])
      redis.call('PEXPIRE', session, ARGV[4])
    end
  end
elseif kind == 'token' then
  local text = redis.call('HGET', KEYS[1] .. ':tokens', digest)
  local token = text and read_stored(text)
  user = token and user_of(token.user, 'id', token.id)
end
if not user then return { count } end
return { count, user.name, user.role }
