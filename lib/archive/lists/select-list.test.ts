import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { defineList, type ListQuery } from '#lib/contract/lists/define-list.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { toDefaults } from '#lib/contract/query-schema.ts'
import { type ListSource, selectListFacets, selectListPage } from './select-list.ts'

let archive: Archive
beforeAll(async () => {
  archive = await openArchive({ path: ':memory:', now: () => 0, threads: 1 })
})
afterAll(() => archive.close())

const names = parameter.texts(10, 'Names.', 'a')
const list = defineList({
  path: 'rows',
  title: 'Rows',
  one: 'row',
  tag: 'State',
  permission: 'read',
  cached: 'no',
  summary: { page: '', facets: '', file: '' },
  method: '',
  fields: {
    few: {
      label: 'Few',
      type: 'text',
      nullable: true,
      sort: 'asc',
      filter: { by: 'values', name: 'few', parameter: names, plural: 'few', all: true },
    },
    many: {
      label: 'Many',
      type: 'text',
      nullable: true,
      filter: { by: 'values', name: 'many', parameter: names, plural: 'many' },
    },
  },
  table: ['few', 'many'],
  sort: { column: 'few', direction: 'asc' },
  parameters: {},
})

const source: ListSource = {
  from: sql`(select 'v' || lpad(n::text, 2, '0') as few, 'v' || n as many from range(30) as t(n)
    union all select null, null)`,
  fields: {},
  where: [],
  ties: () => [],
}
const ask = (query: Partial<ListQuery<typeof list>>) => ({
  list,
  source,
  query: { ...toDefaults(list.query), ...query },
})

test('the most frequent values are counted, or every value where a field says so', async () => {
  const { few, many, distinct } = await selectListFacets(archive.reader, ask({}), {})
  expect([few.length, many.length, distinct]).toEqual([30, 20, { few: 30, many: 30 }])
})

test('chosen values are counted even where they are rare or have no row', async () => {
  const query = ask({ many: { only: ['v9', 'nobody'], not: [] } })
  const { many } = await selectListFacets(archive.reader, query, {})
  expect(many.slice(20)).toEqual([
    { value: 'v9', count: 1 },
    { value: 'nobody', count: 0 },
  ])
})

test('rows without a value pass an exclusion, come last, and pages follow each other', async () => {
  const load = async (query: Parameters<typeof ask>[0]) =>
    await selectListPage(
      archive.reader,
      {
        ...ask(query),
        load: async (db, placed) => {
          const { rows } = await sql<{ few: string | null }>`
            select few from ${placed} as placed order by place`.execute(db)
          return rows.map(({ few }) => few)
        },
      },
      {},
    )
  const not = { only: [], not: ['v00', 'v02'] }
  expect(await load({ few: not, per_page: 2 })).toEqual({ rows: ['v01', 'v03'], total: 29 })
  expect((await load({ few: not, per_page: 2, page: 2 })).rows).toEqual(['v04', 'v05'])
  expect((await load({ per_page: 100 })).rows.at(-1)).toBeNull()
})
