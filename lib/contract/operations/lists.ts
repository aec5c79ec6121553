import type { List } from '#lib/contract/lists/define-list.ts'
import type { LoadSchema } from './operation.ts'

type Described<Q> = Omit<List<never, never>, 'fields' | 'query' | 'table'> & { query: Q }

export const pageQuestion = <Q, L extends LoadSchema>(list: Described<Q>, answer: L) => ({
  ...toShared(list),
  id: `list${list.title}`,
  address: `/api/${list.path}`,
  answer,
  summary: list.summary.page,
})

export const facetsQuestion = <Q, L extends LoadSchema>(list: Described<Q>, answer: L) => ({
  ...toShared(list),
  id: `count${list.title}`,
  address: `/api/${list.path}/facets`,
  answer,
  summary: list.summary.facets ?? '',
})

const toShared = <Q>({ permission, query, tag, cached }: Described<Q>) => ({
  parts: {},
  permission,
  query,
  tag,
  cached,
})
