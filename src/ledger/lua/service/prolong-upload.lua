-- Rule (claim of an upload): a lease is renewed only by the job that holds it.
-- ARGV: lease key, token, lease time (ms)
if redis.call('GET', ARGV[1]) == ARGV[2] then redis.call('PEXPIRE', ARGV[1], ARGV[3]) end
