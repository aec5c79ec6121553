/** The codes of our own service, in order. Another service may use others: those keep their own label. */
export const RATING_LABELS: Readonly<Record<number, string>> = {
  1: 'Strong Sell',
  2: 'Moderate Sell',
  3: 'Hold',
  4: 'Moderate Buy',
  5: 'Strong Buy',
}

export const ACTION_LABELS: Readonly<Record<number, string>> = {
  1: 'Initiated',
  2: 'Upgraded',
  3: 'Downgraded',
  4: 'Reiterated',
}

/** The label of a rating code where no row gives one. */
export const ratingLabel = (code: number): string => RATING_LABELS[code] ?? `Rating ${code}`

/** The label of an action code where no row gives one. */
export const actionLabel = (code: number): string => ACTION_LABELS[code] ?? `Action ${code}`
