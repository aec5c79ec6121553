/** Prints values in the reader's time zone. */
export type FilterReader = {
  zone: string
  formatCount: (count: number) => string
  formatPrediction: (prediction: string) => string
  /** Null without bounds. `to` is exclusive. */
  formatSpan: (span: { from: number | null; to: number | null }) => string | null
  formatAsof: (asof: number) => string
}

export type FilterWords = {
  /** Default: the name of the parameter. */
  word?: string
  /** `alone`: "AAPL". `after`: "3 agree". Default: "user #5". */
  phrase?: 'alone' | 'after'
  /** Of values, instead of `toText`. */
  words?: Readonly<Record<string, { label: string; rule?: string }>>
  /** Of one value. Default: as it is. */
  toText?: (value: never, reader: FilterReader) => string
}

/** Several parameters that read as one phrase. Without `isContext`, all are null by default. */
export type CombinedFilter = Pick<FilterWords, 'word' | 'phrase'> & {
  by: 'combined'
  word: string
  names: readonly string[]
  toText: (query: never, reader: FilterReader) => string | null
  /** Selects the data, not rows of it: has no chip and stays when filters are cleared. */
  isContext?: true
}

export type WordedFilter = (FilterWords & { by: 'values'; name: string }) | CombinedFilter

export const AS_OF: CombinedFilter = {
  by: 'combined',
  word: 'as of',
  names: ['asof'],
  toText: ({ asof }: { asof: number | null }, reader) =>
    asof === null ? null : reader.formatAsof(asof),
  isContext: true,
}

export const SEARCHED: CombinedFilter = {
  by: 'combined',
  word: 'search',
  names: ['q'],
  toText: ({ q }: { q: string }) => (q === '' ? null : `“${q}”`),
  isContext: true,
}

export const spanFilter = (word: string, from = 'from', to = 'to'): CombinedFilter => ({
  by: 'combined',
  word,
  names: [from, to],
  toText: (query: Readonly<Record<string, number | null>>, { formatSpan }) =>
    formatSpan({ from: query[from] ?? null, to: query[to] ?? null }),
})

export const toNumberText = (id: number): string => `#${id}`
