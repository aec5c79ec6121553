import type { CallsQuery } from '#lib/contract/api-queries.ts'
import { toHorizon } from '#lib/contract/horizons.ts'

/** The calls that a query names. */
export const toCallSet = ({
  horizon,
  user,
  symbol,
  from,
  to,
  sort,
}: Pick<CallsQuery, 'horizon' | 'user' | 'symbol' | 'from' | 'to' | 'sort'>) => ({
  horizon: toHorizon(horizon),
  users: user.only,
  symbols: symbol.only,
  from,
  to,
  sort,
})
