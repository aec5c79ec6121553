import { useQuery } from '@tanstack/react-query'
import { formatCounted } from '#components/format/numbers.ts'
import { AsOfLink } from '#components/time/as-of.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import { symbolsOptions } from '#lib/client/symbol-options.ts'
import { toSymbolHref } from '#lib/contract/page-addresses.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { StarButton } from './star-button.tsx'
import { watchedSymbol } from './stars.ts'

const OFFERED = 5

const MOST_RATED = new URLSearchParams({ sort: '-ratings', per_page: String(OFFERED) })

export function NothingWatched({ isStill }: { isStill: boolean }) {
  return (
    <EmptyState
      className="py-8"
      title={isStill ? 'Nothing is watched yet' : 'Most rated symbols'}
      action={
        <>
          <ButtonLink href="/symbols">Symbols</ButtonLink>
          <ButtonLink href="/users">Users</ButtonLink>
        </>
      }
    >
      <p>Star a symbol, user or view to see what’s new here.</p>
      <MostRated />
    </EmptyState>
  )
}

function MostRated() {
  const { data } = useQuery(symbolsOptions(MOST_RATED))
  return (
    <ul aria-label="Most rated symbols" className="mx-auto mt-3 h-[200px] max-w-64 text-ink">
      {data?.data.map(({ symbol, ratings }) => (
        <li className="flex h-10 items-center gap-2 border-b last:border-b-0" key={symbol}>
          <StarButton of={watchedSymbol(symbol)} />
          <AsOfLink
            className="link min-w-0 font-semibold wrap-anywhere"
            href={toSymbolHref(symbol)}
          >
            <bdi>{toVisibleText(symbol)}</bdi>
          </AsOfLink>
          <span className="ml-auto text-sm whitespace-nowrap text-ink-3">
            {formatCounted(ratings, 'rating')}
          </span>
        </li>
      ))}
    </ul>
  )
}
