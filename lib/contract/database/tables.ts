import type { TableSet } from '#lib/contract/api-queries.ts'
import { callList } from '#lib/contract/lists/calls.ts'
import { type AnyList, type Field, selectColumns } from '#lib/contract/lists/define-list.ts'
import { lookupList } from '#lib/contract/lists/lookups.ts'
import { symbolList } from '#lib/contract/lists/symbols.ts'
import { userList } from '#lib/contract/lists/users.ts'

type DatabaseColumn = { name: string; type: string; meaning: string }

export type DatabaseTable = {
  name: TableName
  meaning: string
  columns: readonly DatabaseColumn[]
}

/** Not in the core set. */
export const FURTHER_TABLES = ['lookups', 'calls', 'prices'] as const satisfies TableName[]

export type TableName = 'ratings' | 'symbols' | 'users' | 'lookups' | 'calls' | 'prices' | 'about'

const column = (name: string, type: string, meaning: string): DatabaseColumn => ({
  name,
  type,
  meaning,
})

const SYMBOL = column('symbol', 'VARCHAR', 'Symbol.')
const SYMBOL_KEY = column('symbol_key', 'VARCHAR', 'Symbol as it is compared: NFC, in upper case.')
const USER = column('user_id', 'BIGINT', 'User number.')
const DECIMAL = 'DECIMAL(18,6)'

const RATINGS: DatabaseTable = {
  name: 'ratings',
  meaning: 'Every rating in the archive.',
  columns: [
    column('id', 'BIGINT', 'Rating id.'),
    USER,
    SYMBOL,
    column('rating', 'SMALLINT', '1 strong sell to 5 strong buy.'),
    column('rating_label', 'VARCHAR', 'Label of the rating.'),
    column('action', 'SMALLINT', '1 initiated, 2 upgraded, 3 downgraded, 4 reiterated.'),
    column('action_label', 'VARCHAR', 'Label of the action.'),
    column('prediction', DECIMAL, 'Predicted change of the price, in percent.'),
    column('tally_agree', 'INTEGER', 'Users who agree.'),
    column('tally_disagree', 'INTEGER', 'Users who disagree.'),
    column('tally_comment', 'INTEGER', 'Comments.'),
    column('created_at', 'TIMESTAMP', 'When it was posted.'),
    column('expired_at', 'TIMESTAMP', 'When it expires; null if never.'),
    column('ended_at', 'TIMESTAMP', 'From when on it is not active; null if nothing ends it.'),
    column('previous_rating', 'SMALLINT', 'Previous rating of the user for the symbol.'),
    column('previous_prediction', DECIMAL, 'Prediction of the previous rating.'),
    column('vanished_at', 'TIMESTAMP', 'Since when it is no longer listed.'),
    column('extra', 'VARCHAR', 'Further fields of the service, as JSON text.'),
    SYMBOL_KEY,
  ],
}

const FIELD_TYPES = {
  whole: 'BIGINT',
  count: 'INTEGER',
  figure: DECIMAL,
  drawing: 'VARCHAR',
  instant: 'TIMESTAMP',
  day: 'DATE',
  decimal: DECIMAL,
  text: 'VARCHAR',
} as const

const toColumnType = ({ type }: Field): string => {
  if (typeof type === 'string') return FIELD_TYPES[type]
  return type.some((value) => typeof value === 'string') ? 'VARCHAR' : 'DECIMAL(2,1)'
}

const ofList = (list: AnyList) =>
  selectColumns(list, 'database').map(([name, field]) =>
    column(name, toColumnType(field), field.meaning ?? `${field.label}.`),
  )

export const selectTables = (set: TableSet): readonly DatabaseTable[] =>
  set === 'all'
    ? DATABASE_TABLES
    : DATABASE_TABLES.filter(({ name }) => !FURTHER_TABLES.some((further) => further === name))

/** In the order of the file. Times are UTC. `calls` and `prices` are empty without prices. */
export const DATABASE_TABLES: readonly DatabaseTable[] = [
  RATINGS,
  {
    name: 'symbols',
    meaning: 'One row per rated symbol, at as_of.',
    columns: [
      ...ofList(symbolList),
      SYMBOL_KEY,
      column('search_key', 'VARCHAR', 'The same without combining marks, as search compares it.'),
    ],
  },
  {
    name: 'users',
    meaning: 'One row per user, at as_of. The record is null without prices.',
    columns: ofList(userList),
  },
  {
    name: 'lookups',
    meaning: 'Every look-up of the newest weekly dump.',
    columns: ofList(lookupList),
  },
  {
    name: 'calls',
    meaning: 'Every rating scored against prices after 90 days.',
    columns: [...ofList(callList), SYMBOL_KEY],
  },
  {
    name: 'prices',
    meaning: 'Daily closes.',
    columns: [
      SYMBOL,
      column('day', 'DATE', 'Trading day.'),
      column('close', 'DECIMAL(18,8)', 'Close.'),
      column('flag', 'VARCHAR', 'spike: not used; jump: calls across it do not count; else null.'),
      SYMBOL_KEY,
    ],
  },
  {
    name: 'about',
    meaning: 'One row: what the file holds.',
    columns: [
      column('generation', 'BIGINT', 'Generation of the archive.'),
      column('as_of', 'TIMESTAMP', 'When the file was written.'),
      column('complete_to', 'TIMESTAMP', 'Up to when the archive is complete; null if unknown.'),
    ],
  },
]

/** Of the file. Alone, so that the browser loads no operations for it. */
export const DATABASE_PATH = '/api/database.duckdb'
