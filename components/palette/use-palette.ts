'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, useSyncExternalStore } from 'react'
import { parseFilterText } from '#components/filter-text/parse-filter-text.ts'
import { writingAt } from '#components/filter-text/word-at.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { toFilterPhrase } from '#components/ratings/query-title.ts'
import { loadViews, subscribeToViews } from '#components/views/views-store.ts'
import { statusOptions } from '#lib/client/query-options.ts'
import { filterHistory } from './filter-history.ts'
import { type PaletteState, selectFirst, selectSections, toStartText } from './sections.ts'
import { useLookups } from './use-lookups.ts'
import { useMatches } from './use-matches.ts'
import { readShownView, toApplyHref } from './use-open.ts'

const FORBIDDEN = 'The browser keeps nothing: these last until the page is closed.'

/**
 * What stands in the palette: the text and its caret, what they say, and the rows that follow from it. `typed` comes
 * behind the text of what the page shows.
 */
export function usePalette(typed: string) {
  const formats = useFormats()
  const [start] = useState(() => {
    const view = readShownView()
    return { view, text: toStartText(view) }
  })
  const [field, setField] = useState(() => ({
    text: start.text + typed,
    caret: (start.text + typed).length,
  }))
  const [hasTried, setTried] = useState(false)
  const isUntouched = field.text === start.text
  const read = useMemo(() => parseFilterText(field.text), [field.text])
  const writing = useMemo(() => writingAt(read.words, field.caret), [read, field.caret])
  const isOn = !isUntouched && field.text.trim() !== ''
  const lookups = useLookups(writing, isOn, start.view.asof)
  const asked = { ...read.query, asof: read.query.asof ?? start.view.asof }
  const matches = useMatches(asked, isOn && read.problems.length === 0)
  const views = useSyncExternalStore(subscribeToViews, loadViews, () => NO_VIEWS)
  const [earlier, setEarlier] = useState(filterHistory.load)
  const state: PaletteState = {
    ...field,
    ...{ read, writing, isUntouched, lookups, matches, views },
    earlier: { texts: earlier.texts, note: earlier.isKept ? undefined : FORBIDDEN },
    now: useQuery(statusOptions()).data?.data.now ?? null,
    outlook: start.view,
    toHref: toApplyHref,
    toPhrase: (query) => toFilterPhrase({ ...query, tz: start.view.tz }, formats),
  }
  const sections = selectSections(state)
  return {
    ...field,
    read,
    sections,
    rows: sections.flatMap(({ rows }) => rows),
    first: selectFirst(sections, state),
    /** The name of the word whose value is written. */
    name: writing.name,
    /** A word stands at the caret that can be completed. */
    isWord: isOn && (writing.name !== null || writing.typed !== ''),
    /** Words that are marked as wrong: one that is still being written is not, until somebody tries to apply it. */
    problems: read.problems.filter(
      ({ start: from, end }) => hasTried || field.caret < from || field.caret > end,
    ),
    edit: (text: string, caret: number) => {
      setField({ text, caret })
      if (text !== field.text) setTried(false)
    },
    tryIt: () => setTried(true),
    forget: () => {
      filterHistory.forget()
      setEarlier(filterHistory.load())
    },
  }
}

const NO_VIEWS: readonly never[] = []

export type PaletteModel = ReturnType<typeof usePalette>
