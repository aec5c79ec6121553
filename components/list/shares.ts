/** Fractions of a width, from the left. */
export type Shares = { begin: number; end: number }

export const WHOLE: Shares = { begin: 0, end: 1 }

export const isWhole = ({ begin, end }: Shares): boolean => begin <= WHOLE.begin && end >= WHOLE.end

export function toSharesOf(
  [from, to]: readonly [number | null, number | null],
  [low, high]: readonly [number, number],
): Shares {
  const share = (at: number) => (at <= low ? 0 : at >= high ? 1 : (at - low) / (high - low))
  const end = to === null ? 1 : share(to)
  return { begin: from === null ? 0 : Math.min(share(from), end), end }
}

export const toSpanStyles = (shares: Shares) => {
  const { begin, end } = shares
  return {
    before: { transform: `scaleX(${round(begin)})` },
    after: { transform: `scaleX(${round(1 - end)})` },
    window: {
      transform: `translateX(${round(begin * 100)}%) scaleX(${round(end - begin)})`,
      opacity: isWhole(shares) ? '0' : '1',
    },
    begin: { left: `${round(begin * 100)}%` },
    end: { left: `${round(end * 100)}%` },
  }
}

/** Server and browser must render the same text. */
const round = (value: number) => Number(value.toFixed(4))
