'use client'

import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { RatingGlyph } from '#components/marks/rating-marks.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { isComposing, useCommandKey } from '#components/ui/keyboard-shortcuts.ts'
import { LiveRegion } from '#components/ui/messages.tsx'
import { withBase } from '#lib/contract/base-path.ts'
import { FILTER_FIELDS } from './filter-text.ts'
import { KeyHelp } from './key-help.tsx'
import type { Row, Section } from './sections.ts'
import type { Edit, Writing } from './tokenizer.ts'
import { useOpen, useSearch } from './use-search.ts'

export type SearchPart = 'search' | 'keys'

export type SearchDialogProps = {
  part: SearchPart
  isOpen: boolean
  typed: string
  onClose: () => void
  onShowKeys: () => void
}

export function SearchDialog({ part, isOpen, typed, onClose, onShowKeys }: SearchDialogProps) {
  const input = useRef<HTMLInputElement>(null)
  const next = useRef<(() => void) | null>(null)
  const leave = (then: () => void) => {
    next.current = then
    onClose()
  }
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={(open) => !open && onClose()}
      onOpenChangeComplete={(open) => {
        if (open) return
        next.current?.()
        next.current = null
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-50 bg-black/40" />
        <Dialog.Viewport className="fixed inset-0 z-50 flex items-start justify-center p-2 sm:pt-[8vh]">
          <Dialog.Popup
            aria-label={part === 'keys' ? 'Keys' : 'Search and filter'}
            initialFocus={part === 'keys' ? true : input}
            finalFocus={() => next.current === null}
            className="flex max-h-full w-full max-w-[640px] flex-col overflow-hidden rounded-lg border border-line-2 bg-surface text-ink outline-none sm:max-h-[84vh]"
          >
            {part === 'keys' ? (
              <KeyHelp onClose={onClose} />
            ) : (
              <SearchMenu
                input={input}
                typed={typed}
                onClose={onClose}
                onLeave={leave}
                onShowKeys={onShowKeys}
              />
            )}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type SearchMenuProps = Pick<SearchDialogProps, 'typed' | 'onClose' | 'onShowKeys'> & {
  input: RefObject<HTMLInputElement | null>
  onLeave: (then: () => void) => void
}

function SearchMenu({ input, typed, onClose, onLeave, onShowKeys }: SearchMenuProps) {
  const model = useSearch(typed)
  const { text, caret, sections, isWrong, message } = model
  const messageId = useId()
  const { take, highlight, onKeyDown } = useChoice({ model, input, onClose, onLeave })
  return (
    <Autocomplete.Root
      open
      inline
      items={sections}
      filteredItems={sections}
      autoHighlight="always"
      keepHighlight
      value={text}
      onValueChange={(value) => model.edit(value, input.current?.selectionEnd ?? value.length)}
      onItemHighlighted={highlight}
    >
      <div className="flex items-center gap-2 border-b pr-2 pl-3.5 has-[input:focus-visible]:border-accent has-[input:focus-visible]:shadow-[inset_0_-1px_var(--accent)]">
        <Autocomplete.Input
          ref={input}
          aria-label="Search or filter"
          aria-describedby={messageId}
          aria-invalid={isWrong || undefined}
          enterKeyHint="go"
          dir="ltr"
          placeholder="symbol:AAPL rating:4,5 prediction:>10"
          onSelect={({ currentTarget: { value, selectionEnd } }) =>
            selectionEnd !== null && selectionEnd !== caret && model.edit(value, selectionEnd)
          }
          onKeyDown={onKeyDown}
          className="min-w-0 grow bg-transparent px-0 py-2 font-mono text-[0.875rem] leading-6 tracking-normal text-ink outline-none pointer-coarse:text-[1rem]"
        />
        <button
          type="button"
          onClick={onClose}
          className="h-7 shrink-0 rounded-sm border px-1.5 text-xs text-ink-2 hover:border-edge hover:text-ink"
        >
          Close
        </button>
      </div>
      <p
        id={messageId}
        dir="auto"
        title={message ?? undefined}
        className={classNames(
          'line-clamp-2 min-h-[2.75rem] px-3.5 py-1 text-sm break-words sm:min-h-[1.75rem]',
          isWrong ? 'text-rating-text-1' : message ? 'text-ink' : 'text-ink-3',
        )}
      >
        {message ?? toHint(model.writing)}
      </p>
      <Autocomplete.List
        aria-label="Suggestions"
        className="h-[26rem] min-h-0 shrink scroll-py-2 overflow-y-auto border-y outline-none [scrollbar-width:thin]"
      >
        {sections.map((section) => (
          <Suggestions key={section.name} section={section} onTake={take} />
        ))}
      </Autocomplete.List>
      <Foot onShowKeys={onShowKeys} />
      <Autocomplete.Status className="sr-only">{toStatus(sections)}</Autocomplete.Status>
      <LiveRegion urgent message={(model.hasTried && message) || ''} />
    </Autocomplete.Root>
  )
}

type ChoiceOptions = Pick<SearchMenuProps, 'input' | 'onClose' | 'onLeave'> & {
  model: ReturnType<typeof useSearch>
}

function useChoice({ model, input, onClose, onLeave }: ChoiceOptions) {
  const open = useOpen()
  const { text, sections, writing, isUndecided } = model
  const highlighted = useRef<{ row?: Row | undefined; chosenFor?: string }>({})
  const [waiting, setWaiting] = useState<{ text: string; inNewTab: boolean } | null>(null)
  const take = ({ action }: Row, inNewTab: boolean) => {
    if (action.do === 'write') return input.current && write(input.current, action)
    if (action.do === 'run') return onLeave(action.run)
    if (inNewTab) {
      window.open(withBase(action.href), '_blank', 'noopener')
      return onClose()
    }
    onLeave(() => document.getElementById('main')?.focus({ preventScroll: true }))
    open(action.href)
  }
  const takeHighlighted = (inNewTab: boolean) => {
    const { row } = highlighted.current
    if (row) return take(row, inNewTab)
    const problem = model.showProblem()
    if (problem) input.current?.setSelectionRange(problem.word.start, problem.word.end)
  }
  // Enter pressed before the answer takes effect then, unless the text has changed.
  const settle = useEffectEvent(() => {
    setWaiting(null)
    if (waiting?.text === text) takeHighlighted(waiting.inNewTab)
  })
  const isDue = waiting !== null && !isUndecided
  useEffect(() => {
    if (isDue) settle()
  }, [isDue])
  const onKeyDown: Autocomplete.Input.Props['onKeyDown'] = (event) => {
    if (isComposing(event.nativeEvent) || event.altKey) return
    const inNewTab = event.ctrlKey || event.metaKey
    const { row, chosenFor } = highlighted.current
    const rows = [row, ...sections.flatMap(({ items }) => items)]
    const isWord = writing.name !== null || writing.typed !== ''
    const completion = isWord && rows.find((one) => one?.action.do === 'write')
    if (event.key === 'Enter') {
      if (isUndecided && chosenFor !== text) setWaiting({ text, inNewTab })
      else takeHighlighted(inNewTab)
    } else if (event.key === 'Tab' && !event.shiftKey && completion) {
      take(completion, false)
    } else return
    event.preventDefault()
    event.preventBaseUIHandler()
  }
  const highlight: Autocomplete.Root.Props<Row>['onItemHighlighted'] = (row, { reason }) => {
    highlighted.current.row = row
    if (reason !== 'none') highlighted.current.chosenFor = text
  }
  return { take, highlight, onKeyDown }
}

function write(input: HTMLInputElement, { text, caret }: Edit) {
  input.setRangeText(text, 0, input.value.length)
  input.setSelectionRange(caret, caret)
  // Inputs do not scroll to a caret that is set from code.
  if (caret === text.length) input.scrollLeft = input.scrollWidth
  // As typed text, so that the first suggestion is highlighted.
  input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }))
}

type SuggestionsProps = { section: Section; onTake: (row: Row, inNewTab: boolean) => void }

const Suggestions = ({ section: { name, items, note }, onTake }: SuggestionsProps) => (
  <Autocomplete.Group className="pb-1.5">
    <Autocomplete.GroupLabel className="px-3 pt-1.5 pb-0.5 text-xs font-semibold text-ink-3">
      {name}
    </Autocomplete.GroupLabel>
    {items.map((row) => (
      <Autocomplete.Item
        key={row.id}
        value={row}
        onClick={(event) => onTake(row, event.ctrlKey || event.metaKey)}
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: its role is option
        render={(props, { highlighted }) => <div {...props} aria-selected={highlighted} />}
        className="mx-1.5 flex min-h-[31px] cursor-pointer items-baseline gap-2 rounded-md px-1.5 py-1.5 data-highlighted:bg-accent-bg pointer-coarse:min-h-11 pointer-coarse:items-center"
      >
        <RowContent row={row} />
      </Autocomplete.Item>
    ))}
    {note && (
      <div aria-hidden className="px-3 py-1 text-sm text-ink-2">
        {note}
      </div>
    )}
  </Autocomplete.Group>
)

const RowContent = ({ row: { kind, code, label, detail, isText } }: { row: Row }) => (
  <>
    {kind && <span className="w-[3.25rem] shrink-0 text-ink-3">{kind}</span>}
    {code !== undefined && <RatingGlyph code={code} className="w-[1.25rem] shrink-0" />}
    <span
      dir="auto"
      className={classNames(
        'line-clamp-2 min-w-0 font-medium break-words',
        isText && 'font-mono text-sm',
      )}
    >
      {label}
    </span>
    {detail && (
      <span className="ml-auto max-w-[62%] shrink-0 truncate pl-3 text-sm text-ink-3">
        {detail}
      </span>
    )}
  </>
)

function toStatus(sections: readonly Section[]): string {
  const count = sections.flatMap(({ items }) => items).length
  const notes = sections.flatMap(({ note }) => note ?? [])
  return [count === 1 ? '1 suggestion' : `${count} suggestions`, ...notes].join('. ')
}

const HINT =
  'Search symbols, names, users, pages and docs, or filter ratings: symbol:AAPL rating:4,5'

function toHint({ name }: Writing): string {
  const field = FILTER_FIELDS.get(name ?? '')
  if (!field) return HINT
  return `${field.hint} Example: ${field.examples.map((one) => `${name}:${one}`).join(' ')}`
}

function Foot({ onShowKeys }: { onShowKeys: () => void }) {
  const hints = { Tab: 'completes', Enter: 'shows', [`${useCommandKey()}Enter`]: 'in a new tab' }
  return (
    <div className="flex items-center gap-x-4 px-3.5 py-1.5 text-sm text-ink-3">
      {Object.entries(hints).map(([key, does]) => (
        <span key={key} className="max-sm:hidden">
          <kbd className="font-sans font-medium text-ink-2">{key}</kbd> {does}
        </span>
      ))}
      <button
        type="button"
        onClick={onShowKeys}
        className="ml-auto rounded-sm px-1.5 py-0.5 font-medium text-ink-2 hover:bg-sunk hover:text-ink"
      >
        All keys
      </button>
    </div>
  )
}
