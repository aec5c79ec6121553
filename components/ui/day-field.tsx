'use client'

import { TextField } from './fields.tsx'
import { useDraft } from './use-draft.ts'

type DayFieldProps = {
  label: string
  /** `YYYY-MM-DD`, or '' for none. */
  day: string
  set: (day: string) => void
}

/** A day in ISO form, whatever the language of the browser. An invalid or unfinished one is not passed on. */
export function DayField({ label, day, set }: DayFieldProps) {
  const [text, setText] = useDraft(day)
  return (
    <TextField
      className="day-field"
      inputMode="numeric"
      label={label}
      maxLength={ISO_LENGTH}
      onBlur={() => text === '' && day !== '' && set('')}
      onChange={({ target: { value } }) => {
        setText(value)
        if (isDay(value)) set(value)
      }}
      placeholder="YYYY-MM-DD"
      problem={text.length === ISO_LENGTH && !isDay(text) ? 'Not a day' : null}
      value={text}
    />
  )
}

const ISO_LENGTH = 'YYYY-MM-DD'.length

/** Whether a text is a day of the calendar from the year 1000 on. */
export function isDay(text: string): boolean {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
