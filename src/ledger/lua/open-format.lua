-- Rule (format): the ledger has the number of its format. An empty ledger gets that of the program that opens it first.
-- Rule (identity): the ledger keeps the id that the first program gives it.
-- ARGV: format of the program, id for a ledger without one
-- Returns { format, id }.
local format = KEYS[1] .. ':format'
local known = redis.call('HMGET', format, 'version', 'ledger')
-- A Redis that refuses writes must not stop programs that only read.
if known[1] and known[2] then return known end
redis.call('HSETNX', format, 'version', ARGV[1])
redis.call('HSETNX', format, 'ledger', ARGV[2])
return redis.call('HMGET', format, 'version', 'ledger')
