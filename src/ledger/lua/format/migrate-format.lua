-- Rule (migration): one process at a time migrates the ledger, by a lease. The new number is written before the first change, so that
-- workers of older programs stop. After a kill, the migration continues from its cursor.
-- KEYS[1]: prefix of all keys.
-- ARGV: 'begin' | 'keep' | 'end', token of the process, format to migrate to, lease (ms), cursor to keep ('' for none; 'keep' only)
-- Returns { 'mine', cursor } while the lease is the caller's, { 'busy' } while another process has it,
--   or { 'done' } if there is nothing to migrate to this format.
local format, lease = KEYS[1] .. ':format', KEYS[1] .. ':format:lease'
local what, token, target, ms, cursor = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local holder = redis.call('GET', lease)
if holder and holder ~= token then return { 'busy' } end
if what ~= 'begin' and not holder then return { 'busy' } end

local known = redis.call('HMGET', format, 'version', 'migrating', 'cursor')
local version, migrating = tonumber(known[1]), known[2]
if what == 'begin' then
  if version + 1 == tonumber(target) and not migrating then
    redis.call('HSET', format, 'version', target, 'migrating', target)
  elseif migrating ~= target then
    return { 'done' }
  end
elseif what == 'keep' and cursor ~= '' then
  redis.call('HSET', format, 'cursor', cursor)
elseif what == 'end' then
  redis.call('HDEL', format, 'migrating', 'cursor')
  redis.call('DEL', lease)
  return { 'done' }
end
redis.call('SET', lease, token, 'PX', ms)
return { 'mine', known[3] or '' }
