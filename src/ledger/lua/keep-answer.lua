-- Rule (API): only the process that claimed a key changes its answer.
-- ARGV: digest of user, route and key, JSON of the claim, JSON to put in its place ('' to give it up), ms that it is kept
-- Returns 1, or 0 if another process has claimed it since.
local answer = KEYS[1] .. ':answer:' .. ARGV[1]
if redis.call('GET', answer) ~= ARGV[2] then return 0 end
if ARGV[3] == '' then redis.call('DEL', answer) else redis.call('SET', answer, ARGV[3], 'PX', ARGV[4]) end
return 1
