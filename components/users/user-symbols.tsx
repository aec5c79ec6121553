'use client'

import type { MouseEvent } from 'react'
import { formatCount, formatPrediction } from '#components/format/numbers.ts'
import { RatingMark, StateMark } from '#components/marks/rating-marks.tsx'
import { AsOfAnchor, AsOfLink } from '#components/time/as-of.tsx'
import { Instant } from '#components/time/instant.tsx'
import { buttonClasses, isPlainClick } from '#components/ui/button.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { usePrinting } from '#components/ui/use-browser.ts'
import type { User, UserSymbol } from '#lib/contract/answers/users.ts'
import { toSymbolHref, toUserHref, toUserRatingsHref } from '#lib/contract/page-addresses.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { type ChangeUserView, type UserView, userPageQuery } from './user-view.ts'

const NAME = 'Latest rating by symbol'

const FIRST = 18

type UserSymbolsProps = { user: User; view: UserView; change: ChangeUserView }

export function UserSymbols({ user, view, change }: UserSymbolsProps) {
  const isPrinted = usePrinting()
  const isAll = isPrinted || view.symbols === 'all'
  const rows = isAll ? user.by_symbol : user.by_symbol.slice(0, FIRST)
  return (
    <>
      <TableFrame aria-label={NAME}>
        <Table cards compact aria-label={NAME}>
          <TableHead>
            <HeaderCell>Symbol</HeaderCell>
            <HeaderCell numeric>Ratings</HeaderCell>
            <HeaderCell>Latest rating</HeaderCell>
            <HeaderCell numeric>Prediction</HeaderCell>
            <HeaderCell>State</HeaderCell>
            <HeaderCell numeric>Last rated</HeaderCell>
          </TableHead>
          <tbody>
            {rows.map((row) => (
              <UserSymbolRow key={row.symbol} row={row} userId={user.user_id} />
            ))}
          </tbody>
        </Table>
      </TableFrame>
      {user.symbols > FIRST && (
        <SymbolsFoot change={change} shown={rows.length} user={user} view={view} />
      )}
    </>
  )
}

function SymbolsFoot({ user, view, change, shown }: UserSymbolsProps & { shown: number }) {
  const { user_id: id, symbols, by_symbol: listed } = user
  const next = view.symbols === null ? ('all' as const) : null
  const onClick = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    change({ symbols: next })
  }
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-3">
      <span>
        {shown < symbols
          ? `The ${formatCount(shown)} most recently rated of ${formatCount(symbols)} symbols.`
          : `All ${formatCount(symbols)} symbols.`}
      </span>
      {listed.length > FIRST && (
        <AsOfAnchor
          className={buttonClasses({ size: 'small', variant: 'quiet' })}
          href={toUserHref(id, toParams(userPageQuery, { ...view, symbols: next }))}
          onClick={onClick}
        >
          {next === null
            ? 'Show fewer'
            : `Show ${listed.length < symbols ? '' : 'all '}${formatCount(listed.length)}`}
        </AsOfAnchor>
      )}
      {symbols > listed.length && (
        <AsOfLink className="link" href={toUserRatingsHref(id, { sortedBy: 'symbol' })}>
          All {formatCount(symbols)} symbols, rating by rating
        </AsOfLink>
      )}
    </p>
  )
}

function UserSymbolRow({ row, userId }: { row: UserSymbol; userId: number }) {
  return (
    <tr>
      <th scope="row">
        <AsOfLink href={toSymbolHref(row.symbol)}>{toVisibleText(row.symbol)}</AsOfLink>
      </th>
      <Cell numeric label="ratings">
        <AsOfLink href={toUserRatingsHref(userId, { symbol: row.symbol })}>
          {formatCount(row.ratings)}
        </AsOfLink>
      </Cell>
      <Cell card="end">
        <RatingMark code={row.rating} label={row.rating_label} />
      </Cell>
      <Cell numeric>{formatPrediction(row.prediction)}</Cell>
      <Cell>
        <StateMark row={row} />
      </Cell>
      <Cell muted numeric card="foot">
        <Instant seconds={row.last_created_at} />
      </Cell>
    </tr>
  )
}
