import { COMPARED_MAX, leagueAsof, SEARCH_MAX_LENGTH } from '#lib/contract/api-queries.ts'
import { AS_OF, SEARCHED } from '#lib/contract/filter-words.ts'
import { EXTREME_PERCENT } from '#lib/contract/quality.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { querySchema } from '#lib/contract/query-schema.ts'
import { defineList, type ListQuery, selectFieldNames, selectSorted } from './define-list.ts'

const NAME = { type: 'text', nullable: true, files: ['database'] } as const
const COUNT = { type: 'count', sort: 'desc' } as const
const FIGURE = { type: 'figure', nullable: true } as const
const RANKED = { ...FIGURE, sort: 'desc' } as const
const LAST_RATED = { type: 'instant', dated: true, numeric: true, sort: 'desc' } as const

export const symbolList = defineList({
  path: 'symbols',
  title: 'Symbols',
  one: 'symbol',
  tag: 'Symbols',
  permission: 'read',
  cached: 'archive',
  formats: ['csv', 'json', 'ndjson'],
  summary: {
    page: 'Symbols with their consensus',
    file: 'All symbols of a query',
  },
  method:
    'Every symbol of the query, in its order. Consensus, predictions and dispersion cover the ratings active at as_of. Means are divided exactly and rounded once to 4 places. Sorting by consensus uses consensus_low (descending) or consensus_high (ascending), by change_30d change_shrunk, and by avg_prediction prediction_shrunk.',
  isRanked: true,
  page: { path: '/symbols', title: 'Symbols' },
  context: [SEARCHED, AS_OF],
  fields: {
    symbol: { label: 'Symbol', type: 'text', sort: 'asc' },
    name: { ...NAME, label: 'Name of the company; null if unknown' },
    ratings: { ...COUNT, label: 'Ratings' },
    active: { ...COUNT, label: 'Active, n', meaning: 'Active ratings at as_of.' },
    consensus: { ...RANKED, label: 'Consensus', meaning: 'Mean of the active ratings.' },
    consensus_low: { ...FIGURE, label: 'Lower end of the 95 % interval of the consensus' },
    consensus_high: { ...FIGURE, label: 'Upper end of the 95 % interval of the consensus' },
    change_30d: { ...RANKED, label: '30 days', meaning: 'Change of the consensus in 30 days.' },
    change_shrunk: { ...FIGURE, label: 'The same, drawn toward 0 for few ratings' },
    avg_prediction: {
      ...RANKED,
      label: 'Mean prediction',
      meaning: 'Mean of the active predictions.',
    },
    prediction_shrunk: {
      ...FIGURE,
      label: `The same, drawn toward the mean of all symbols for few ratings; a prediction counts as at most ${EXTREME_PERCENT}% up or down`,
    },
    dispersion: {
      ...RANKED,
      label: 'Dispersion',
      meaning: 'Standard deviation of the active ratings.',
    },
    lookups_30d: { ...COUNT, nullable: true, files: [], label: 'Look-ups, 30 days' },
    first_created_at: { label: 'First rating', type: 'instant', dated: true },
    last_created_at: { ...LAST_RATED, label: 'Last rated', meaning: 'Latest rating.' },
    spark: { label: 'A year', type: 'drawing' },
  },
  table: [
    'symbol',
    'active',
    'consensus',
    'change_30d',
    'spark',
    'avg_prediction',
    'dispersion',
    'ratings',
    'lookups_30d',
    'last_created_at',
  ],
  sort: { column: 'active', direction: 'desc' },
  parameters: {
    q: parameter.text(
      SEARCH_MAX_LENGTH,
      'Part of the symbol, or the start of a word of its name.',
      'A',
    ),
    asof: leagueAsof(),
  },
  order: ['q', 'sort', 'asof'],
})

export const symbolsQuery = symbolList.query
export type SymbolsQuery = ListQuery<typeof symbolList>
export const SYMBOL_COLUMNS = selectFieldNames(symbolList)
export const SYMBOL_SORTS = selectSorted(symbolList.fields)

/** With rows that are selected for a comparison. */
export const symbolsPageQuery = querySchema(
  {
    ...symbolsQuery.parameters,
    selected: parameter.symbols('The selected symbols, in order.', {
      excludes: false,
      isSorted: false,
    }),
  },
  {
    order: symbolsQuery.order,
    refuse: ({ selected: { only, not } }) => {
      const refuse = (message: string) => [{ parameter: 'selected', message }]
      if (not.length > 0) return refuse('cannot exclude values')
      return only.length > COMPARED_MAX ? refuse(`takes at most ${COMPARED_MAX} values`) : []
    },
  },
)

/** Only the route finds misspelled names, the page does not. */
export const nearSymbolsQuery = querySchema(
  {
    ...symbolsQuery.parameters,
    like: parameter.text(SEARCH_MAX_LENGTH, 'A misspelled symbol. Finds similar ones.', 'AALP'),
  },
  { order: ['like'] },
)
export type NearSymbolsQuery = SymbolsQuery & { like?: string }
