'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { toChangesHref, toChangesParams } from '#components/address/changes-address.ts'
import { useAsof, useZone, ZonedLink } from '#components/address/outlook.tsx'
import { toWhyHref } from '#components/address/symbol-address.ts'
import { toZonedDay } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ConsensusChange } from '#components/marks/consensus-change.tsx'
import { toLargestParts, toPartsText } from '#components/symbols/moves/move-texts.ts'
import { Button } from '#components/ui/button.tsx'
import { changesOptions } from '#lib/client/query-options.ts'
import type { Moves } from '#lib/contract/answers/moves.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { noteVisit, toSince } from './last-visit.ts'
import { toStripCookie } from './strip-cookie.ts'

const TOLD = 3

/**
 * What moved most since the reader was here, or in the last whole week: one line of a height of its own, so that nothing below it
 * moves when it comes. `data-moved-away` on the root hides it for good. `now` is the server's clock; a page that is rewound has none.
 */
export function MovedStrip({ now }: { now: number | undefined }) {
  const isRewound = useAsof() !== null
  const [since, setSince] = useState<number | null | undefined>()
  useEffect(() => {
    if (now === undefined || isRewound || since !== undefined || isAway()) return
    setSince(toSince(noteVisit(window.localStorage, now), now))
  }, [now, isRewound, since])
  if (isRewound) return null
  return (
    <aside
      aria-label="What moved"
      data-moved
      className="flex h-[40px] min-w-0 shrink-0 items-center gap-x-3 overflow-hidden border-b bg-surface px-4 text-sm sm:px-5"
    >
      {since === undefined ? <p className="min-w-0 grow" /> : <Told since={since} />}
      <Button size="small" variant="quiet" onClick={putAway}>
        Hide
      </Button>
    </aside>
  )
}

const isAway = () => document.documentElement.dataset.movedAway !== undefined

function putAway() {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS, which a local network lacks
  document.cookie = toStripCookie()
  document.documentElement.dataset.movedAway = ''
  document.getElementById('main')?.focus()
}

/** The three largest moves, or that there was none. */
function Told({ since }: { since: number | null }) {
  const zone = useZone()
  const { data } = useQuery({
    ...changesOptions(
      toChangesParams({ from: since, to: since === null ? null : NEVER, asof: null }),
    ),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (data === undefined) return <p className="min-w-0 grow" />
  const { from, to, moves } = data.data
  const shown = moves.slice(0, TOLD)
  return (
    <>
      <p className="flex min-w-0 grow items-baseline gap-x-3 overflow-hidden whitespace-nowrap">
        <span className="text-ink-3 max-sm:hidden">
          {since === null ? 'Last week' : `Since ${toZonedDay(since, zone)}`}
        </span>
        {shown.length === 0 && <span className="truncate">No consensus moved much.</span>}
        {shown.map((move) => (
          <Move key={move.symbol} move={move} period={{ from, to }} />
        ))}
      </p>
      <ZonedLink
        className="link shrink-0"
        href={toChangesHref(since === null ? { from: null, to: null } : { from, to })}
      >
        What changed
      </ZonedLink>
    </>
  )
}

/** An end that is to come is now. */
const NEVER = 253_402_300_799

type MoveProps = { move: Moves; period: { from: number; to: number } }

/** Where there is no room for what moved it, it stands behind the pointer. */
function Move({ move, period }: MoveProps) {
  const formats = useFormats()
  const [largest] = toLargestParts(move, formats)
  return (
    <span className="min-w-0 truncate max-sm:shrink-0">
      <ZonedLink
        className="link font-semibold"
        href={toWhyHref(move.symbol, period)}
        prefetch={false}
        title={toPartsText(move, formats) || undefined}
      >
        <bdi>{toVisibleText(move.symbol)}</bdi>
      </ZonedLink>{' '}
      <ConsensusChange of={move.change} />
      <span className="text-ink-3 max-lg:hidden">{largest && ` by ${largest.what}`}</span>
    </span>
  )
}
