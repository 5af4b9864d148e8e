-- Rule (retention): drops old samples. The latest figures of a video stay.
-- ARGV: time that the oldest sample may have (Unix epoch, seconds), ids
--- include video.lua
for at = 2, #ARGV do
  local history = history_key(ARGV[at])
  local row = redis.call('LINDEX', history, 0)
  while row and taken_at(row) < tonumber(ARGV[1]) do
    redis.call('LPOP', history)
    row = redis.call('LINDEX', history, 0)
  end
end
return 1
