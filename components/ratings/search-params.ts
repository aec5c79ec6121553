import { symbolsQuery } from '#lib/contract/api-queries.ts'
import { withAsof } from '#lib/contract/outlook.ts'
import { parseParameters } from '#lib/contract/query-schema.ts'

const FOUND = 20

/** The parameters of a search by what is typed so far, as of an instant (seconds; null is now); what no API would take finds what nothing would. */
export function toSearchParamsOf(text: string, asof: number | null): URLSearchParams {
  const params = withAsof(new URLSearchParams({ per_page: String(FOUND) }), asof)
  const q = text.trim()
  if (q === '') return params
  params.set('q', q)
  if (!parseParameters(symbolsQuery, params).ok) params.delete('q')
  return params
}

type Search = { isError: boolean; isPending: boolean; isPlaceholderData: boolean }

/** How a search stands: results of an earlier text are still loading. */
export const toSearchState = ({
  isError,
  isPending,
  isPlaceholderData,
}: Search): 'ready' | 'loading' | 'failed' => {
  if (isError) return 'failed'
  return isPending || isPlaceholderData ? 'loading' : 'ready'
}
