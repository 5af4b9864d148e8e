-- Rule (format): the ledger has the number of its format. An empty ledger gets the newest format of the program that opens it first; one that has campaigns and no
-- number gets 0, which no program opens.
-- Rule (identity): the ledger keeps the id that the first program gives it.
-- KEYS[1]: prefix of all keys.
-- ARGV: newest format of the program, id for a ledger without one
-- Returns { format, format that it is being migrated to ('' for none), id }.
local prefix = KEYS[1]
local format = prefix .. ':format'
local known = redis.call('HMGET', format, 'version', 'migrating', 'ledger')
local version, id = known[1], known[3]
if not version then
  -- Only versions that were never released wrote campaigns without a number.
  version = redis.call('EXISTS', prefix .. ':campaigns') == 1 and '0' or ARGV[1]
  redis.call('HSET', format, 'version', version)
end
if not id then
  id = ARGV[2]
  redis.call('HSET', format, 'ledger', id)
end
return { version, known[2] or '', id }
