-- Included. Times that other processes act on come from the clock of Redis: the machines' clocks may differ.
-- `given`: the argument `now` of a script: '' for the clock of Redis, or the time (ms) of a test that sets its own clock.
local function time_of(given)
  if given ~= '' then return given end
  local time = redis.call('TIME')
  return string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
end
