'use client'

import { type RefObject, useEffect, useState } from 'react'
import type { RatingsPage } from '#lib/contract/answers/ratings.ts'
import { createRowSession, type RowSession } from './row-session.ts'

/**
 * What the reader does with rows, over all pages. What is selected stays selected, whatever is filtered, sorted or
 * turned, until it is given up; the keyboard's place is one of the rows that are there.
 */
export function useRowSession(
  open: number | null,
  page: RatingsPage | undefined,
  frame: RefObject<HTMLElement | null>,
): RowSession {
  const [session] = useState(() => createRowSession(open))
  useEffect(() => {
    if (session.get().open !== open) session.set({ open })
  }, [session, open])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row of what is open may come with another page
  useEffect(() => {
    if (open !== null) void reveal(open, frame)
  }, [open, page, frame])
  useEffect(() => {
    const rows = page?.data ?? []
    const { cursor, selected } = session.get()
    const known = rows.filter(({ id }) => selected.has(id))
    // What was selected is copied as it stands now.
    if (known.length > 0) {
      session.set({
        selected: new Map([...selected, ...known.map((row) => [row.id, row] as const)]),
      })
    }
    if (cursor === null || rows.some(({ id }) => id === cursor)) return
    session.set({ cursor: null })
    // The focus has gone with its row: the keyboard goes on in those that came.
    if (document.activeElement === document.body) {
      frame.current?.querySelector<HTMLElement>('tr[data-rating]')?.focus({ preventScroll: true })
    }
  }, [session, page, frame])
  return session
}

/** What is open is stepped through from beside the table too, so its row may be out of sight. */
async function reveal(id: number, frame: RefObject<HTMLElement | null>) {
  const { revealRow } = await import('./reveal-row.ts').catch(() => ({ revealRow: null }))
  const row = frame.current?.querySelector(`tr[data-rating="${id}"]`)
  if (frame.current && row) revealRow?.(row, frame.current)
}
