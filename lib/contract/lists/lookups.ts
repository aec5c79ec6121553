import { parameter } from '#lib/contract/query-parameters.ts'
import { toDefaults } from '#lib/contract/query-schema.ts'
import { defineList, type ListQuery, selectFieldNames, span } from './define-list.ts'

const NAME_MAX_LENGTH = 200

export const lookupList = defineList({
  path: 'lookups',
  title: 'Lookups',
  one: 'look-up',
  page: { path: '/lookups', title: 'Look-ups' },
  tag: 'Symbols',
  permission: 'read',
  cached: 'archive',
  summary: {
    page: 'One page of look-ups',
    facets: 'Counts of look-ups per filter value',
    file: 'All look-ups of a query',
  },
  method:
    'Every look-up of the query, in its order, from the weekly dump up to its Sunday: one row per request for a symbol. Symbols are in upper case. If an id repeats, the last row counts.',
  fields: {
    id: { label: 'Id', type: 'whole', nullable: true, numeric: true, sort: 'desc' },
    symbol: {
      label: 'Symbol',
      type: 'text',
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'symbol',
        parameter: parameter.symbols(),
        plural: 'symbols',
        phrase: 'alone',
      },
    },
    source: {
      label: 'Source',
      type: 'text',
      nullable: true,
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'source',
        parameter: parameter.texts(NAME_MAX_LENGTH, 'Sources, as named in the dump.', 'slack'),
        plural: 'sources',
      },
    },
    room_id: {
      label: 'Room',
      type: 'text',
      nullable: true,
      numeric: true,
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'room',
        parameter: parameter.texts(NAME_MAX_LENGTH, 'Rooms, as named in the dump.', '17'),
        plural: 'rooms',
      },
    },
    created_at: {
      label: 'Looked up',
      type: 'instant',
      sort: 'desc',
      range: span('looked up', 'Looked up at or after.', 'Looked up before.'),
    },
  },
  table: ['created_at', 'symbol', 'source', 'room_id', 'id'],
  sort: { column: 'created_at', direction: 'desc' },
  parameters: { asof: parameter.asof('Ignores later look-ups.') },
})
export type LookupsQuery = ListQuery<typeof lookupList>

export const LOOKUP_FIELDS = selectFieldNames(lookupList)

export const lookupsQuery = lookupList.query

export const EVERY_LOOKUP: LookupsQuery = toDefaults(lookupsQuery)
