'use client'

import { type ComponentType, memo, useEffect, useState } from 'react'
import type { RowsProps } from '#components/rows/rows-props.ts'
import { RatingsRow } from './ratings-row.tsx'

/** From here on only the rows in sight are drawn. */
const MANY = 101

/** The rows of a page. A click on a filter changes the query at once and the counts soon: neither draws them again. */
export const RatingsRows = memo(function RatingsRows(props: RowsProps) {
  const { rows, before, shown, session } = props
  const SeenRows = useSeenRows(rows.length >= MANY)
  if (SeenRows) return <SeenRows {...props} />
  return rows.map((row, index) => (
    <RatingsRow
      // biome-ignore lint/suspicious/noArrayIndexKey: a row that stands elsewhere is another element; moved, it would count as a shift
      key={`${index} ${row.id}`}
      row={row}
      index={index}
      number={before + index + 1}
      session={session}
      shown={shown}
    />
  ))
})

type SeenRows = ComponentType<RowsProps>

let loaded: SeenRows | null = null

/** Loads what draws only the rows in sight. They may be asked for before there are as many. */
export async function loadSeenRows(): Promise<SeenRows> {
  loaded ??= (await import('#components/rows/seen-rows.tsx')).SeenRows
  return loaded
}

/** What draws the rows in sight, once it is there; until then, and for a reader without scripts, all are drawn. */
function useSeenRows(isWanted: boolean): SeenRows | null {
  const [, setLoaded] = useState(false)
  const [isMounted, setMounted] = useState(false)
  useEffect(() => {
    setMounted(true)
    if (!isWanted) return
    loadSeenRows().then(
      () => setLoaded(true),
      () => undefined,
    )
  }, [isWanted])
  return isWanted && isMounted ? loaded : null
}
