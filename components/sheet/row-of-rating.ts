'use client'

import { useEffect } from 'react'
import type { RatingsPage } from '#lib/contract/answers/ratings.ts'

const ROW = 'tr[data-rating]'

const findRow = (id: number) => document.querySelector<HTMLElement>(`${ROW}[data-rating="${id}"]`)

/** The reader goes on where the rating stands in the table, or where the table begins. */
export function focusRow(id: number): void {
  const row = findRow(id) ?? document.querySelector<HTMLElement>(ROW)
  row?.focus({ preventScroll: true })
}

/** Keeps the row of the open rating in sight, below the header that stays; the page itself never scrolls. */
export function useRowInSight(id: number, page: RatingsPage | undefined): void {
  const number = page?.page.number
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that only came anew are no reason to move them
  useEffect(() => {
    const anyRow = document.querySelector<HTMLElement>(ROW)
    const frame = anyRow?.closest('section')
    const place = page?.data.findIndex((row) => row.id === id) ?? -1
    if (!anyRow || !frame || place < 0) return
    const head = frame.querySelector('thead')?.getBoundingClientRect().height ?? 0
    const rowPx = anyRow.getBoundingClientRect().height
    // Reckoned rather than measured: of many rows only those in sight are drawn. All are of one height.
    const [top, bottom] = [place * rowPx, (place + 1) * rowPx]
    if (top < frame.scrollTop) frame.scrollTop = top
    else if (bottom + head > frame.scrollTop + frame.clientHeight) {
      frame.scrollTop = bottom + head - frame.clientHeight
    }
  }, [id, number])
}
