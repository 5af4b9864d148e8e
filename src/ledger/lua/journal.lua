-- The position of the send journal, and the tokens of its latest entries: by them a journal is known that has lost entries and
-- grown past them again.
local journal = KEYS[1] .. ':journal'
local recent = 1024

-- Whether an entry that was seen, with `witness` as its token, is missing now.
local function has_lost(position, seen, witness)
  if seen == 0 then return false end
  if position < seen then return true end
  if position - seen >= recent then return false end
  return redis.call('HGET', journal .. ':recent', seen % recent) ~= witness
end
