import { useQuery } from '@tanstack/react-query'
import { toSymbolHref } from '#components/address/page-address.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { attentionOverviewOptions } from '#lib/client/lookups-options.ts'
import type { AttentionOverview } from '#lib/contract/answers/attention.ts'
import { OVERVIEW_LINES } from '#lib/contract/answers/limits.ts'
import { OverviewLine, OverviewList } from './overview-list.tsx'

/** What look-ups say beside the ratings, as lists of the overview; nothing where there are none. */
export function AttentionLists({ asof }: { asof: number | null }) {
  const { data } = useQuery(attentionOverviewOptions(asof))
  const { formatCount, formatCounted } = useFormats()
  if (!data || data.data.known_to === null) return null
  const { busy, hardly_rated: more, hardly_looked_up: fewer } = data.data
  return (
    <>
      <OverviewList
        detail="look-ups in 7 days, and usually"
        empty="No symbol is looked up more than usual."
        name="Busy now"
      >
        {busy.slice(0, OVERVIEW_LINES).map(({ symbol, lookups, usual }) => (
          <OverviewLine
            href={toSymbolHref(symbol)}
            key={symbol}
            note={Number(usual).toFixed(1)}
            symbol={symbol}
            title={`${formatCounted(lookups, 'look-up')}, usually ${Number(usual).toFixed(1)}`}
          >
            {formatCount(lookups)}
          </OverviewLine>
        ))}
      </OverviewList>
      <ComparedList
        empty="No symbol has a larger share of look-ups than of ratings."
        name="Looked up, hardly rated"
        rows={more}
      />
      <ComparedList
        empty="No symbol has a larger share of ratings than of look-ups."
        name="Rated, hardly looked up"
        rows={fewer}
      />
    </>
  )
}

type ComparedListProps = { name: string; empty: string; rows: AttentionOverview['hardly_rated'] }

function ComparedList({ name, empty, rows }: ComparedListProps) {
  const { formatCount, formatCounted } = useFormats()
  return (
    <OverviewList detail="look-ups in 30 days, n active" empty={empty} name={name}>
      {rows.slice(0, OVERVIEW_LINES).map(({ symbol, lookups, active }) => (
        <OverviewLine
          href={toSymbolHref(symbol)}
          key={symbol}
          note={`n=${formatCount(active)}`}
          symbol={symbol}
          title={`${formatCounted(lookups, 'look-up')}, ${formatCounted(active, 'active rating')}`}
        >
          {formatCount(lookups)}
        </OverviewLine>
      ))}
    </OverviewList>
  )
}
