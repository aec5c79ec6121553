/** Where something begins and ends, in shares of a width: 0 is its left edge, 1 its right one. */
export type Shares = { begin: number; end: number }

export const WHOLE: Shares = { begin: 0, end: 1 }

export const isWhole = ({ begin, end }: Shares): boolean => begin <= WHOLE.begin && end >= WHOLE.end

/** Where two bounds lie between the ends of a scale; a bound that is null is none. */
export function toSharesOf(
  [from, to]: readonly [number | null, number | null],
  [low, high]: readonly [number, number],
): Shares {
  const share = (at: number) => (at <= low ? 0 : at >= high ? 1 : (at - low) / (high - low))
  const end = to === null ? 1 : share(to)
  return { begin: from === null ? 0 : Math.min(share(from), end), end }
}

/** The styles of what shows a span: what lies before and behind it, the span itself, and its two ends. */
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

/** The same text on the server and in the browser, and no longer than anybody sees. */
const round = (value: number) => Number(value.toFixed(4))
