import { refuseEmptySpan } from '#lib/contract/api-queries.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { defineList } from './define-list.ts'

const NAME_MAX_LENGTH = 256
const OUTCOMES = ['done', 'refused'] as const

/** `who` is empty for clients without a session. */
export const auditList = defineList({
  path: 'audit',
  title: 'Audit',
  one: 'line',
  tag: 'State',
  permission: 'inspect',
  cached: 'no',
  summary: {
    page: 'The audit log, one page of it',
    facets: 'How many entries each value of a filter would leave',
    file: 'Every entry of a query',
  },
  method:
    'Every kept entry of the query in its order. Two files of 2 MB are kept. Of one address or IPv6 network at most 100 refusals in 15 minutes are listed.',
  fields: {
    at: {
      label: 'Time',
      type: 'instant',
      sort: 'desc',
      filter: {
        by: 'span',
        from: parameter.instant('Noted from then on.', '2024-01-01'),
        to: parameter.instant('Noted before then.', '2026-01-01'),
      },
    },
    who: {
      label: 'Account',
      type: 'text',
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'who',
        parameter: parameter.texts(NAME_MAX_LENGTH, 'Accounts.', 'ada'),
        plural: 'accounts',
      },
    },
    kind: {
      label: 'Kind',
      type: 'text',
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'kind',
        parameter: parameter.texts(NAME_MAX_LENGTH, 'Kinds of actions.', 'sign-in'),
        plural: 'kinds',
        all: true,
      },
    },
    what: { label: 'Action', type: 'text' },
    outcome: {
      label: 'Outcome',
      type: OUTCOMES,
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'outcome',
        parameter: parameter.choices(OUTCOMES, 'Whether it was allowed.', OUTCOMES),
        plural: 'outcomes',
        values: OUTCOMES,
      },
    },
    from: {
      label: 'Address',
      type: 'text',
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'address',
        parameter: parameter.texts(NAME_MAX_LENGTH, 'Network addresses of clients.', '192.0.2.1'),
        plural: 'addresses',
      },
    },
  },
  table: ['at', 'who', 'what', 'outcome', 'kind', 'from'],
  sort: { column: 'at', direction: 'desc' },
  parameters: {},
  refuse: refuseEmptySpan,
})
