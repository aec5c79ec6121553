const MOST_NAMED = 4

/** Values in a row, the rest of a long list by their number: `AAPL, MSFT, NVDA and 9 more`. */
export function toShortList(values: readonly string[]): string {
  const named = values.length > MOST_NAMED ? values.slice(0, MOST_NAMED - 1) : values
  const rest = values.length - named.length
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ')
}
