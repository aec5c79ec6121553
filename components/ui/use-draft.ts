'use client'

import { useState } from 'react'

export function useDraft(value: string) {
  const [draft, setDraft] = useState({ value, text: value })
  if (draft.value !== value) setDraft({ value, text: value })
  const setText = (text: string) => setDraft((last) => ({ ...last, text }))
  return [draft.text, setText] as const
}
