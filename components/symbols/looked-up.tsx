import { useQuery } from '@tanstack/react-query'
import { toSymbolHref } from '#components/address/page-address.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { attentionOverviewOptions } from '#lib/client/lookups-options.ts'
import type { AttentionOverview } from '#lib/contract/answers/attention.ts'
import { OVERVIEW_LINES } from '#lib/contract/answers/limits.ts'
import { OverviewLine, OverviewList } from './overview-list.tsx'

export function LookedUp({ asof }: { asof: number | null }) {
  const { data, isPending } = useQuery(attentionOverviewOptions(asof))
  const { formatCount, formatCounted } = useFormats()
  return (
    <OverviewList
      detail="look-ups per active rating, 30 days"
      empty={isPending ? '…' : toEmptyText(data?.data)}
      name="Looked up, hardly rated"
    >
      {data?.data.hardly_rated.slice(0, OVERVIEW_LINES).map(({ symbol, lookups, active }) => (
        <OverviewLine
          href={toSymbolHref(symbol)}
          key={symbol}
          note={`n=${formatCount(active)}`}
          symbol={symbol}
          title={`${formatCounted(lookups, 'look-up')}, ${formatCounted(active, 'active rating')}`}
        >
          {active === 0 ? formatCount(lookups) : (lookups / active).toFixed(1)}
        </OverviewLine>
      ))}
    </OverviewList>
  )
}

const toEmptyText = (found: AttentionOverview | undefined) =>
  found === undefined || found.known_to === null
    ? 'No look-ups are known.'
    : 'No symbol with few ratings has a larger share of look-ups than of ratings.'
