import { refuseEmptySpan } from '#lib/contract/api-queries.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { defineList } from './define-list.ts'

const TEXT_MAX_LENGTH = 1000

/** `raw`: at most 4,096 characters. `source`: the edition of the dump, or the pages. */
export const quarantineList = defineList({
  path: 'quarantine',
  title: 'Quarantine',
  one: 'row',
  tag: 'State',
  permission: 'inspect',
  cached: 'no',
  summary: {
    page: 'Rows that could not be read as ratings, one page of them',
    facets: 'How many such rows each value of a filter would leave',
    file: 'Every such row of a query',
  },
  method:
    'Every kept row of the query in its order. A row that comes again from the same kind of source is kept once; at most 100,000 rows and 32 Mi characters are kept, the newest.',
  fields: {
    at: {
      label: 'Received',
      type: 'instant',
      sort: 'desc',
      filter: {
        by: 'span',
        from: parameter.instant('Received from then on.', '2024-01-01'),
        to: parameter.instant('Received before then.', '2026-01-01'),
      },
    },
    source: {
      label: 'Source',
      type: 'text',
      sort: 'asc',
    },
    reason: {
      label: 'Reason',
      type: 'text',
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'reason',
        parameter: parameter.texts(TEXT_MAX_LENGTH, 'Why they are no ratings.', 'id: missing'),
        plural: 'reasons',
      },
    },
    raw: { label: 'Text', type: 'text' },
  },
  table: ['at', 'source', 'reason', 'raw'],
  sort: { column: 'at', direction: 'desc' },
  parameters: {},
  refuse: refuseEmptySpan,
})
