-- Rule (access): each wrong password makes the account wait longer, and many attempts lock out their address. An attempt that is refused
-- because its account must wait counts for its address too, so that nobody keeps an account waiting for ever by trying on and on.
-- ARGV: bucket of the account, bucket of the address, now, ms to wait after the first wrong password, ms to wait at most, attempts that lock out an
--   address, ms that it is locked out and that attempts at an account are remembered, ms that those of an address are
-- Returns 'ok', 'wait' (the account) or 'locked' (the address), and the ms until the next try.
--- include tries.lua
local account, address = ARGV[1], ARGV[2]
local now, first, longest, most, lock, remember = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
free_places('from', now)
free_places('to', now)
local address_key, is_own_address = place_of('from', address)
local account_key, is_own_account = account_place(account, address, now)
local function left(key) return tonumber(redis.call('HGET', key, 'until') or '0') - now end

-- Counts an attempt for its address. Returns whether the address is locked out from now on.
local function count_for_address()
  local count = redis.call('HINCRBY', address_key, 'n', 1)
  if count == 1 then
    redis.call('PEXPIRE', address_key, remember)
    if is_own_address then keep_place('from', address, now, remember) end
  end
  if count < most then return false end
  redis.call('HSET', address_key, 'until', string.format('%.0f', now + lock))
  redis.call('PEXPIRE', address_key, lock)
  return true
end

if left(address_key) > 0 then return { 'locked', left(address_key) } end
if left(account_key) > 0 then
  if count_for_address() then return { 'locked', lock } end
  return { 'wait', left(account_key) }
end

local count = redis.call('HINCRBY', account_key, 'n', 1)
local wait = math.min(longest, first * 2 ^ math.min(count - 1, 30))
redis.call('HSET', account_key, 'until', string.format('%.0f', now + wait))
redis.call('PEXPIRE', account_key, lock)
if is_own_account then keep_place('to', account, now, lock) end
count_for_address()
return { 'ok', wait }
