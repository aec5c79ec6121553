'use client'

import { useState } from 'react'
import { ArchiveWaiting } from '#components/feedback/archive-filling.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { TextField } from '#components/ui/fields.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import { SEARCH_MAX_LENGTH } from '#lib/contract/api-queries.ts'
import { toAsofParameter } from '#lib/contract/instant-text.ts'
import { fromVisibleText, toVisibleText } from '#lib/contract/visible-text.ts'

type SearchQuery = {
  q: string
  /** Seconds since 1970; null is now. */
  asof: number | null
}

// Methods are bivariant: each list has more parameters.
type SearchView = {
  query: SearchQuery
  hrefFor(change: Partial<SearchQuery>): string
  change(change: Partial<SearchQuery>, how?: 'push' | 'replace'): void
}

type ListSearchProps = {
  label: string
  placeholder: string
  view: SearchView
  inputMode?: 'text' | 'numeric'
}

export function ListSearch({ label, placeholder, view, inputMode = 'text' }: ListSearchProps) {
  const { q } = view.query
  const [typed, setTyped] = useState({ q, text: toVisibleText(q) })
  if (typed.q !== q) setTyped({ q, text: toVisibleText(q) })
  const search = (text: string) => {
    // Accepts invisible characters in escaped form.
    const asked = fromVisibleText(text).trim().slice(0, SEARCH_MAX_LENGTH)
    setTyped({ q: asked, text })
    view.change({ q: asked }, q === '' ? 'push' : 'replace')
  }
  return (
    <TextField
      className="w-full sm:w-56 md:max-lg:w-44"
      inputMode={inputMode}
      label={label}
      labelHidden
      onChange={(event) => search(event.target.value)}
      placeholder={placeholder}
      type="search"
      value={typed.text}
    />
  )
}

type NothingFoundProps = { one: string; view: SearchView; refetch: () => unknown }

export function NothingFound({ one, view: { query, hrefFor }, refetch }: NothingFoundProps) {
  if (query.q === '' && query.asof !== null) {
    return (
      <EmptyState
        action={<ButtonLink href={hrefFor({ asof: null })}>Back to now</ButtonLink>}
        className="rounded-lg border bg-surface"
        title={`There were no ratings by ${toAsofParameter(query.asof)}`}
      >
        The table shows only what existed then.
      </EmptyState>
    )
  }
  // Without filters, the archive is empty.
  if (query.q === '') {
    return <ArchiveWaiting onArrival={() => void refetch()} />
  }
  return (
    <EmptyState
      action={<ButtonLink href={hrefFor({ q: '' })}>All {one}s</ButtonLink>}
      className="rounded-lg border bg-surface"
      title={`No ${one} matches “${toVisibleText(query.q)}”`}
    />
  )
}
