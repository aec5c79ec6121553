'use client'

import { type KeyboardEvent, type RefObject, useEffect } from 'react'

type FilterFieldProps = {
  input: RefObject<HTMLInputElement | null>
  text: string
  caret: number
  isWrong: boolean
  onEdit: (text: string, caret: number) => void
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
  ids: { list: string | undefined; message: string; active: string | undefined }
}

export function FilterField({
  input,
  text,
  caret,
  isWrong,
  onEdit,
  onKeyDown,
  ids,
}: FilterFieldProps) {
  useEffect(() => {
    if (input.current) putCaret(input.current, input.current.value.length)
    input.current?.focus()
  }, [input])
  return (
    <input
      ref={input}
      type="text"
      role="combobox"
      aria-label="Search or filter"
      aria-autocomplete="list"
      aria-expanded={ids.list !== undefined}
      aria-controls={ids.list}
      aria-activedescendant={ids.active}
      aria-describedby={ids.message}
      aria-invalid={isWrong || undefined}
      autoCapitalize="off"
      autoComplete="off"
      autoCorrect="off"
      enterKeyHint="go"
      spellCheck={false}
      dir="ltr"
      placeholder="symbol:AAPL rating:4,5 prediction:>10"
      value={text}
      onChange={({ target }) => onEdit(target.value, target.selectionEnd ?? target.value.length)}
      onSelect={({ currentTarget: { value, selectionEnd } }) =>
        selectionEnd !== null && selectionEnd !== caret && onEdit(value, selectionEnd)
      }
      onKeyDown={onKeyDown}
      className="min-w-0 grow bg-transparent px-0 py-2 font-mono text-[0.875rem] leading-6 tracking-normal text-ink outline-none pointer-coarse:text-[1rem]"
    />
  )
}

export function putCaret(field: HTMLInputElement, caret: number) {
  field.setSelectionRange(caret, caret)
  // Inputs do not scroll to a caret that is set from code.
  if (caret === field.value.length) field.scrollLeft = field.scrollWidth
}
