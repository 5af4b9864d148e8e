-- ARGV: bucket of an address, now
-- Returns the ms that the address is still locked out; 0 or less if it is not.
--- include tries.lua
return tonumber(redis.call('HGET', (place_of('from', ARGV[1])), 'until') or '0') - tonumber(ARGV[2])
