import { parameter } from '#lib/contract/query-parameters.ts'
import { defineList, span } from './define-list.ts'

const TEXT_MAX_LENGTH = 1000

/** `raw`: at most 4,096 characters. */
export const quarantineList = defineList({
  path: 'quarantine',
  title: 'Quarantine',
  one: 'row',
  page: { path: '/status/quarantine', title: 'Rows set aside' },
  tag: 'State',
  permission: 'inspect',
  cached: 'no',
  summary: {
    page: 'One page of the quarantine',
    facets: 'Counts of quarantined rows per filter value',
    file: 'All quarantined rows of a query',
  },
  method:
    'Every kept row of the query, in its order. A row that arrives again from the same kind of source is kept once. The newest 100,000 rows and 32 Mi characters are kept.',
  fields: {
    at: {
      label: 'Received',
      type: 'instant',
      sort: 'desc',
      range: span('received', 'Received at or after.', 'Received before.'),
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
        parameter: parameter.texts(TEXT_MAX_LENGTH, 'Reasons.', 'id: missing'),
        plural: 'reasons',
      },
    },
    raw: { label: 'Text', type: 'text' },
  },
  table: ['at', 'source', 'reason', 'raw'],
  sort: { column: 'at', direction: 'desc' },
  parameters: {},
})
