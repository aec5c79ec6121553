'use client'

import { type SubmitEvent, useId, useState } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { FIELD_CLASSES } from './text-field.tsx'

type GoToPageProps = { pages: number; onPage: (number: number) => void }

/** A field for the number of a page. What is no page of these is refused in place, and stays to be mended. */
export function GoToPage({ pages, onPage }: GoToPageProps) {
  const id = useId()
  const { formatCount } = useFormats()
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const number = /^\d{1,7}$/.test(text.trim()) ? Number(text) : 0
    const isPage = number >= 1 && number <= pages
    setWrong(!isPage)
    if (!isPage) return
    setText('')
    onPage(number)
  }
  return (
    <form className="relative flex shrink-0 items-center gap-2" onSubmit={onSubmit} noValidate>
      <label htmlFor={id} className="whitespace-nowrap">
        Go to page
      </label>
      <input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="go"
        size={1}
        placeholder={formatCount(pages)}
        value={text}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}why` : undefined}
        onChange={({ target }) => {
          setText(target.value)
          setWrong(false)
        }}
        className={`${FIELD_CLASSES} max-w-20`}
      />
      {isWrong && (
        <span
          id={`${id}why`}
          role="alert"
          className="absolute bottom-full left-0 z-30 mb-1 rounded-md border border-line-2 bg-surface px-2 py-1 whitespace-nowrap text-rating-text-1"
        >
          A page from 1 to {formatCount(pages)}
        </span>
      )}
    </form>
  )
}
