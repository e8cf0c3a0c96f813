/** Splits a whole number by weight, so that the shares add up to it exactly: the largest remainders are rounded up. */
export function apportion(whole: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum === 0) return weights.map((_, index) => (index === 0 ? whole : 0));
  const exact = weights.map((weight) => (whole * weight) / sum);
  const shares = exact.map(Math.floor);
  const left = whole - shares.reduce((all, share) => all + share, 0);
  const remainder = (index: number) => (exact[index] ?? 0) - (shares[index] ?? 0);
  const first = weights.map((_, index) => index).toSorted((a, b) => remainder(b) - remainder(a));
  for (const index of first.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}
