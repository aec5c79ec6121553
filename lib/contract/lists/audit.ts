import { parameter } from '#lib/contract/query-parameters.ts'
import { defineList, span } from './define-list.ts'

const NAME_MAX_LENGTH = 256
export const NO_ACCOUNT = 'No account'

/** `refused`: 4xx. `failed`: 5xx, or a download that broke off. */
export const OUTCOMES = ['done', 'refused', 'failed'] as const

export const AUDIT_KINDS = [
  'sign-in',
  'sign-out',
  'refused',
  'export',
  'token',
  'account',
  'session',
  'sync',
  'backup',
  'prices',
  'alert',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

export const auditList = defineList({
  path: 'audit',
  title: 'Audit',
  one: 'line',
  page: { path: '/access/audit', title: 'Audit log' },
  tag: 'State',
  permission: 'inspect',
  cached: 'no',
  summary: {
    page: 'One page of the audit log',
    facets: 'Counts of audit entries per filter value',
    file: 'All audit entries of a query',
  },
  method:
    'All kept entries of the query, in its order. The log keeps two files of 2 MB. It lists at most 100 refusals and failures per address or IPv6 network in 15 minutes.',
  fields: {
    at: {
      label: 'Time',
      type: 'instant',
      sort: 'desc',
      range: span('logged', 'At or after.', 'Before.'),
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
        word: 'account',
        words: { '': { label: NO_ACCOUNT } },
      },
    },
    kind: {
      label: 'Kind',
      type: 'text',
      sort: 'asc',
      filter: {
        by: 'values',
        name: 'kind',
        parameter: parameter.texts(NAME_MAX_LENGTH, 'Action types.', 'sign-in'),
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
        parameter: parameter.choices(OUTCOMES, 'Outcomes.', OUTCOMES),
        plural: 'outcomes',
        phrase: 'alone',
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
        parameter: parameter.texts(NAME_MAX_LENGTH, 'Client addresses.', '192.0.2.1'),
        plural: 'addresses',
      },
    },
  },
  table: ['at', 'who', 'what', 'outcome', 'kind', 'from'],
  sort: { column: 'at', direction: 'desc' },
  parameters: {},
})
