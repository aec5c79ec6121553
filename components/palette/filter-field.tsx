'use client'

import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import type { FilterProblem } from './filter-text/parse-filter-text.ts'
import { toTypedText } from './filter-text/to-filter-text.ts'

type FilterFieldProps = {
  input: RefObject<HTMLInputElement | null>
  text: string
  caret: number
  problems: readonly FilterProblem[]
  onEdit: (text: string, caret: number) => void
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
  ids: { list: string | undefined; message: string; active: string | undefined }
}

const LETTERS =
  'px-0 font-mono text-[0.875rem] leading-6 tracking-normal pointer-coarse:text-[1rem]'

export function FilterField(props: FilterFieldProps) {
  const { input, text, caret, problems, onEdit, ids } = props
  const layer = useRef<HTMLDivElement>(null)
  const follow = () => {
    if (layer.current && input.current) layer.current.scrollLeft = input.current.scrollLeft
  }
  useEffect(() => {
    if (input.current) putCaret(input.current, input.current.value.length)
    input.current?.focus()
  }, [input])
  useEffect(follow)
  return (
    <div className="relative min-w-0 grow">
      <div
        ref={layer}
        aria-hidden
        className={`pointer-events-none absolute inset-0 overflow-hidden py-2 whitespace-pre text-transparent forced-color-adjust-none select-none ${LETTERS}`}
      >
        {problems.length > 0 && toPieces(text, problems)}
      </div>
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
        aria-invalid={problems.length > 0 || undefined}
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
        onPaste={pasteAsOneLine}
        onKeyDown={props.onKeyDown}
        onScroll={follow}
        className={`relative w-full min-w-0 bg-transparent py-2 text-ink outline-none ${LETTERS}`}
      />
    </div>
  )
}

/** Puts the caret once the text that is written with it is shown. */
export function useCaret(input: RefObject<HTMLInputElement | null>): (caret: number) => void {
  const next = useRef<number>(null)
  useLayoutEffect(() => {
    if (next.current === null || input.current === null) return
    putCaret(input.current, next.current)
    next.current = null
  })
  return (caret) => {
    next.current = caret
  }
}

function putCaret(field: HTMLInputElement, caret: number) {
  field.setSelectionRange(caret, caret)
  // Inputs do not scroll to a caret that is set from code.
  if (caret === field.value.length) field.scrollLeft = field.scrollWidth
}

/** Inputs drop line breaks, which would join words. */
function pasteAsOneLine(event: ClipboardEvent<HTMLInputElement>) {
  const pasted = event.clipboardData.getData('text')
  const line = toTypedText(/[\n\r]/.test(pasted) ? pasted.replace(/\s+/g, ' ') : pasted)
  if (line === pasted) return
  event.preventDefault()
  // Deprecated, but the only edit that undo records.
  document.execCommand('insertText', false, line)
}

function toPieces(text: string, problems: readonly FilterProblem[]) {
  const pieces = problems.map(({ start, end }, index) => (
    <span key={start}>
      {text.slice(problems[index - 1]?.end ?? 0, start)}
      <span
        data-wrong
        className="underline decoration-rating-text-1 decoration-wavy decoration-1 underline-offset-4 [text-decoration-skip-ink:none] forced-colors:decoration-[CanvasText]"
      >
        {text.slice(start, end)}
      </span>
    </span>
  ))
  return [...pieces, `${text.slice(problems.at(-1)?.end ?? 0)}  `]
}
