import { MAP_DAYS, symbolMapQuery } from '#lib/contract/api-queries.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { type QueryOf, querySchema, toParams, toQueryText } from '#lib/contract/query-schema.ts'

const MAP_COLORS = ['consensus', 'change'] as const
export type MapColor = (typeof MAP_COLORS)[number]

export const mapView = querySchema({
  view: parameter.choice(['map'], null, 'The map.'),
  color: parameter.choice(MAP_COLORS, 'consensus', 'What the color shows.'),
  show: parameter.choice(['table'], null, 'The cells as a table.'),
  ...symbolMapQuery.parameters,
})
export type MapView = QueryOf<typeof mapView>

export const MAP_HREF = '/symbols?view=map'

export const isMap = (params: URLSearchParams): boolean => params.get('view') === 'map'

export const toMapHref = (view: Partial<MapView>): string =>
  `/symbols${toQueryText(toParams(mapView, { ...view, view: 'map' }))}`

export const DAY_OPTIONS = MAP_DAYS.map((value) => ({ value, label: value }))
