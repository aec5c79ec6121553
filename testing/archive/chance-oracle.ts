const Z = 1.959963984540054

function findEdge(low: number, high: number, isBelow: (value: number) => boolean): number {
  let [from, to] = [low, high]
  for (let step = 0; step < 200; step += 1) {
    const middle = (from + to) / 2
    if (isBelow(middle)) from = middle
    else to = middle
  }
  return (from + to) / 2
}

/** Wilson's interval: all chances within 1.96 standard deviations. */
export function wilsonOf(hits: number, n: number): { low: number; high: number } | null {
  if (n === 0) return null
  const share = hits / n
  const isFar = (chance: number) =>
    Math.abs(share - chance) > Z * Math.sqrt((chance * (1 - chance)) / n)
  return {
    low: hits === 0 ? 0 : findEdge(0, share, isFar),
    high: hits === n ? 1 : findEdge(share, 1, (chance) => !isFar(chance)),
  }
}

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, one) => sum + one, 0) / values.length

/** 95 % interval. Null below `least` values. */
export function studentOf(
  values: readonly number[],
  least: number,
): { low: number; high: number } | null {
  const n = values.length
  if (n < Math.max(2, least)) return null
  const mean = meanOf(values)
  const squares = values.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  const reach = quantileOf(n - 1) * Math.sqrt(squares / (n - 1) / n)
  return { low: mean - reach, high: mean + reach }
}

const quantiles = new Map<number, number>()

/** 97.5 % quantile. With t = √v·tan(a) the density is cos(a)^(v−1). */
function quantileOf(freedom: number): number {
  const known = quantiles.get(freedom)
  if (known !== undefined) return known
  const half = sumDensity(Math.PI / 2, freedom)
  const angle = findEdge(0, Math.PI / 2, (to) => sumDensity(to, freedom) < 0.95 * half)
  const quantile = Math.sqrt(freedom) * Math.tan(angle)
  quantiles.set(freedom, quantile)
  return quantile
}

const PARTS = 2000

function sumDensity(to: number, freedom: number): number {
  const width = to / PARTS
  let sum = 0
  for (let part = 0; part <= PARTS; part += 1) {
    const weight = part === 0 || part === PARTS ? 1 : part % 2 === 1 ? 4 : 2
    sum += weight * Math.max(0, Math.cos(part * width)) ** (freedom - 1)
  }
  return (sum * width) / 3
}

export function coinOf(least: number, n: number): number {
  let ways = 1n
  let found = 0n
  for (let heads = 0; heads <= n; heads += 1) {
    if (heads >= least) found += ways
    ways = (ways * BigInt(n - heads)) / BigInt(heads + 1)
  }
  return Number((found * 10n ** 18n) / 2n ** BigInt(n)) / 1e18
}
