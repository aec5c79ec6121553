'use client'

import { useState } from 'react'
import { TextField } from '#components/ui/text-field.tsx'
import type { League } from './use-league.ts'

type LeagueSearchProps<C extends string> = {
  label: string
  placeholder: string
  league: League<C>
  inputMode?: 'text' | 'numeric'
}

/** Searches as it is typed into. The first letter leaves a step to come back to, the others replace it. */
export function LeagueSearch<C extends string>(props: LeagueSearchProps<C>) {
  const { label, placeholder, league, inputMode = 'text' } = props
  const { q } = league.query
  const [typed, setTyped] = useState({ q, text: q })
  // The address changed by other means: back, a link, the button that clears the search.
  if (typed.q !== q) setTyped({ q, text: q })
  const search = (text: string) => {
    const asked = text.trim().slice(0, 64)
    setTyped({ q: asked, text })
    league.change({ q: asked }, q === '' ? 'push' : 'replace')
  }
  return (
    <TextField
      className="w-full sm:w-56"
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
