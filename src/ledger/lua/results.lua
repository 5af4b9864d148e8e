-- Included by rows.lua. The packed result of a posted row, as `results.ts` describes it.
-- Redis stores a hash compactly only while no value is longer than this.
local compact_bytes = 64

-- Adds the seconds that its row took to a packed result, in base 36, unless the result would become too long.
local function with_time(payload, took)
  local digits = ''
  repeat
    local digit = took % 36
    digits = string.sub('0123456789abcdefghijklmnopqrstuvwxyz', digit + 1, digit + 1) .. digits
    took = math.floor(took / 36)
  until took == 0
  return #payload + 1 + #digits <= compact_bytes and payload .. '\t' .. digits or payload
end

-- Splits a packed result into the caller's part and the part that `record_post` added. Results are compared by the first part.
local function split_result(packed)
  return string.match(packed or '', '^([^\t]*\t[^\t]*\t[^\t]*\t[^\t]*)(.*)$')
end
