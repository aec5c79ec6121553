'use client'

import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, type RefObject, useCallback, useLayoutEffect, useState } from 'react'
import { RatingsRow, type RowsProps } from './ratings-row.tsx'
import { useSession } from './table-session.ts'

const OVERSCAN = 12

/** Always renders the cursor's row, to keep the focus, and the open row. */
export function VirtualRows(props: RowsProps) {
  const { rows, before, shown, meta, session, frame, isCompact } = props
  const cursor = useSession(session, 'cursor')
  const open = useSession(session, 'open')
  const placeOf = (id: number | null) => rows.findIndex((row) => row.original.id === id)
  const [at, openAt] = [Math.max(0, placeOf(cursor)), placeOf(open)]
  const { rowPx, headPx, measure } = useRowHeight(frame, isCompact)
  const rangeExtractor = useCallback(
    (range: Range) => {
      const drawn = new Set([...defaultRangeExtractor(range), at, openAt])
      return [...drawn].filter((index) => index >= 0).sort((a, b) => a - b)
    },
    [at, openAt],
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    // Attaching scrolls there.
    initialOffset: () => frame.current?.scrollTop ?? 0,
    estimateSize: () => rowPx,
    scrollMargin: headPx,
    overscan: OVERSCAN,
    rangeExtractor,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was reckoned with another height is reckoned anew
  useLayoutEffect(() => virtual.measure(), [virtual, rowPx])
  const items = virtual.getVirtualItems()
  const hasItems = items.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: there is nothing to measure before the first rows are drawn
  useLayoutEffect(measure, [measure, hasItems])
  let next = 0
  const parts = items.map(({ index }) => {
    const row = rows[index]
    const gap = index - next
    next = index + 1
    return (
      row && (
        <Fragment key={row.id}>
          <Gap rows={gap} rowPx={rowPx} columns={shown.length} />
          <RatingsRow
            row={row}
            index={index}
            number={before + index + 1}
            session={session}
            shown={shown}
            meta={meta}
          />
        </Fragment>
      )
    )
  })
  return (
    <>
      {parts}
      <Gap rows={rows.length - next} rowPx={rowPx} columns={shown.length} />
    </>
  )
}

const Gap = ({ rows, rowPx, columns }: { rows: number; rowPx: number; columns: number }) =>
  rows > 0 && (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can be focused
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height: rows * rowPx, padding: 0 }} />
    </tr>
  )

const HEAD_PX = 56
const ROW_PX = { comfortable: 31, compact: 26 }

/** Measured, because the browser's font size may differ. */
function useRowHeight(frame: RefObject<HTMLElement | null>, isCompact: boolean) {
  const drawnPx = isCompact ? ROW_PX.compact : ROW_PX.comfortable
  const [heights, setHeights] = useState({ rowPx: drawnPx, headPx: HEAD_PX })
  const measure = useCallback(() => {
    const heightOf = (selector: string) =>
      frame.current?.querySelector(selector)?.getBoundingClientRect().height
    const rowPx = heightOf('tr[data-rating]') ?? drawnPx
    const headPx = heightOf('thead') ?? HEAD_PX
    setHeights((last) =>
      last.rowPx === rowPx && last.headPx === headPx ? last : { rowPx, headPx },
    )
  }, [frame, drawnPx])
  return { ...heights, measure }
}
