'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AsOfLink } from '#components/address/as-of.tsx'
import { toChangesHref } from '#components/address/changes-address.ts'
import { toWhyHref } from '#components/address/symbol-address.ts'
import { toZonedDay } from '#components/format/instants.ts'
import { ConsensusChange } from '#components/marks/consensus-change.tsx'
import { toLargestParts, toPartsText } from '#components/symbols/moves/move-texts.ts'
import { classNames } from '#components/ui/class-names.ts'
import { useZone } from '#components/ui/time-zone.ts'
import { changesOptions } from '#lib/client/changes-options.ts'
import type { Moves } from '#lib/contract/answers/moves.ts'
import { changesQuery } from '#lib/contract/api-queries.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { LAST_SECOND } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { noteVisit, toSince } from './last-visit.ts'

const TOLD = 3

export function MovedNews({ now }: { now: number }) {
  const [since] = useState(() =>
    toSince(
      noteVisit(() => window.localStorage, now),
      now,
    ),
  )
  const zone = useZone()
  const { data } = useQuery({
    ...changesOptions(
      toParams(changesQuery, { from: since, to: since === null ? null : LAST_SECOND }),
    ),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (data === undefined) return <p className="min-w-0 grow" />
  const { from, to, moves } = data.data
  const shown = moves.slice(0, TOLD)
  return (
    <>
      <p className="flex h-full min-w-0 grow items-baseline gap-x-3 overflow-hidden leading-[39px] whitespace-nowrap">
        <span className="text-ink-3 max-sm:hidden">
          {since === null ? 'Last week' : `Since ${toZonedDay(since, zone)}`}
        </span>
        {shown.length === 0 && <span className="truncate">No consensus moved much.</span>}
        {shown.map((move, index) => (
          <Move
            key={move.symbol}
            className={index > 1 ? 'max-sm:hidden' : undefined}
            move={move}
            period={{ from, to }}
          />
        ))}
      </p>
      <AsOfLink
        className="link shrink-0"
        href={toChangesHref(since === null ? { from: null, to: null } : { from, to })}
      >
        What changed
      </AsOfLink>
    </>
  )
}

type MoveProps = {
  move: Moves
  period: { from: number; to: number }
  className: string | undefined
}

function Move({ move, period, className }: MoveProps) {
  const [largest] = toLargestParts(move)
  return (
    <span className={classNames('min-w-0 truncate max-sm:shrink-0', className)}>
      <AsOfLink
        className="link font-semibold"
        href={toWhyHref(move.symbol, period)}
        title={toPartsText(move) || undefined}
      >
        <bdi>{toVisibleText(move.symbol)}</bdi>
      </AsOfLink>{' '}
      <ConsensusChange of={move.change} />
      <span className="text-ink-3 max-lg:hidden">{largest && ` by ${largest.what}`}</span>
    </span>
  )
}
