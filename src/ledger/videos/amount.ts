/**
 * Exact integers of any size that are mostly small. They are numbers while these are exact, because numbers are many times
 * faster than BigInt.
 */
export type Amount = number | bigint;

export function plus(one: Amount, other: Amount): Amount {
  if (typeof one === 'number' && typeof other === 'number') {
    const sum = one + other;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return BigInt(one) + BigInt(other);
}

export function minus(one: Amount, other: Amount): Amount {
  if (typeof one === 'number' && typeof other === 'number') {
    const difference = one - other;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return BigInt(one) - BigInt(other);
}
