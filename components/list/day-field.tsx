'use client'

import { useState } from 'react'
import { TextField } from '#components/ui/fields.tsx'
import { parseDay } from '#lib/contract/instant-text.ts'

type DayFieldProps = {
  label: string
  /** `YYYY-MM-DD`, or '' if none. */
  day: string
  set: (day: string) => void
}

const ISO_LENGTH = 'YYYY-MM-DD'.length

/** Uses ISO format in every locale. Invalid days are not reported. */
export function DayField({ label, day, set }: DayFieldProps) {
  const [text, setText] = useDraft(day)
  const [hasFocus, setFocus] = useState(false)
  const isWritten = text.length === ISO_LENGTH || !hasFocus
  const isInvalid = text !== '' && parseDay(text) === null
  return (
    <TextField
      className="day-field"
      inputMode="numeric"
      label={label}
      maxLength={ISO_LENGTH}
      onBlur={() => {
        setFocus(false)
        if (text === '' && day !== '') set('')
      }}
      onChange={({ target: { value } }) => {
        setText(value)
        if (parseDay(value) !== null) set(value)
      }}
      onFocus={() => setFocus(true)}
      placeholder="YYYY-MM-DD"
      problem={isWritten && isInvalid ? 'Invalid date' : null}
      value={text}
    />
  )
}

/** What is typed, until the value changes elsewhere. */
export function useDraft(value: string) {
  const [draft, setDraft] = useState({ value, text: value })
  if (draft.value !== value) setDraft({ value, text: value })
  const setText = (text: string) => setDraft((last) => ({ ...last, text }))
  return [draft.text, setText] as const
}
