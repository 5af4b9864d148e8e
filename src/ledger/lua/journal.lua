-- Included. Rule (lost journal): the journal has a position, which each entry moves, and the tokens of its latest entries. By them a
-- journal is known that has lost entries, also once it has grown past them again.
local journal = KEYS[1] .. ':journal'
local recent = 1024

-- Whether an entry that was seen, with `witness` as its token, is missing now.
local function has_lost(position, seen, witness)
  if seen == 0 then return false end
  if position < seen then return true end
  if position - seen >= recent then return false end
  return redis.call('HGET', journal .. ':recent', seen % recent) ~= witness
end
