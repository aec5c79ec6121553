'use client'

import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { type Shortcut, useCommandKey } from '#components/ui/keyboard-shortcuts.ts'
import { LiveRegion } from '#components/ui/messages.tsx'
import { ModalDialog } from '#components/ui/overlays.tsx'
import { toKeptName, withBase } from '#lib/contract/base-path.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { FilterField, putCaret } from './filter-field.tsx'
import { FILTER_FIELDS } from './filter-text.ts'
import { KeyHelp } from './key-help.tsx'
import { openPageAction } from './page-actions.ts'
import { PaletteList, toPaletteKey, toRowId } from './palette-list.tsx'
import type { Row } from './sections.ts'
import { type PaletteModel, useOpen, usePalette } from './use-palette.ts'

export type PaletteDialogProps = {
  how: Shortcut
  typed: string
  onClose: () => void
  onOpen: (how: Shortcut) => void
}

export function PaletteDialog({ how, typed, onClose, onOpen }: PaletteDialogProps) {
  useEffect(removeRecentSearches, [])
  return how === 'keys' ? (
    <TopDialog label="Keys" onClose={onClose}>
      <KeyHelp onClose={onClose} />
    </TopDialog>
  ) : (
    <TopDialog label="Search and filter" onClose={onClose}>
      <Palette typed={typed} onClose={onClose} onKeys={() => onOpen('keys')} />
    </TopDialog>
  )
}

/** Earlier versions stored them. */
function removeRecentSearches() {
  try {
    localStorage.removeItem(toKeptName('bellwether.searches'))
  } catch {}
}

type TopDialogProps = { label: string; onClose: () => void; children: ReactNode }

function TopDialog({ label, onClose, children }: TopDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const onBackdrop = (event: MouseEvent) => event.target === dialog.current && onClose()
  return (
    <ModalDialog
      ref={dialog}
      aria-label={label}
      onClose={onClose}
      onClick={onBackdrop}
      className="mx-auto mt-2 mb-auto max-h-[calc(100dvh-1rem)] w-[min(640px,calc(100vw-1rem))] max-w-none overflow-hidden rounded-lg border border-line-2 bg-surface p-0 text-ink backdrop:bg-black/40 sm:mt-[8vh] sm:max-h-[84vh]"
    >
      {children}
    </ModalDialog>
  )
}

type PaletteProps = { typed: string; onClose: () => void; onKeys: () => void }

function Palette({ typed, onClose, onKeys }: PaletteProps) {
  const model = usePalette(typed)
  const { text, sections, problem } = model
  const rows = sections.flatMap((section) => section.rows)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [refusal, setRefusal] = useState('')
  const marked = rows.find((row) => row.id === chosen) ?? rows[0]
  const active = marked && toRowId(`${id}list`, marked)
  const edit = (next: string, caret: number) => {
    model.edit(next, caret)
    setRefusal('')
    if (next !== text) setChosen(null)
  }
  const write = (next: string, caret: number) => {
    flushSync(() => edit(next, caret))
    if (input.current) putCaret(input.current, caret)
  }
  const choose = useChoose({ model, write, onClose, refuse: setRefusal, input })
  const wait = useWaiting(model, (inNewTab) => choose(marked ?? null, inNewTab))
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const key = toPaletteKey(event.nativeEvent, { rows, marked, isWord: model.isWord })
    if (key === null) return
    event.preventDefault()
    if ('mark' in key) setChosen(key.mark)
    else if (event.key === 'Enter' && model.isUndecided && chosen === null) wait(key.inNewTab)
    else choose(key.choose, key.inNewTab)
  }
  return (
    <div className="flex max-h-[inherit] flex-col">
      <PaletteHead onClose={onClose}>
        <FilterField
          input={input}
          text={text}
          caret={model.caret}
          isWrong={problem !== null}
          onEdit={edit}
          onKeyDown={onKeyDown}
          ids={{ list: rows.length > 0 ? `${id}list` : undefined, message: `${id}message`, active }}
        />
      </PaletteHead>
      <PaletteMessage
        id={`${id}message`}
        name={model.name}
        wrong={problem ? `${problem.message}.` : refusal}
      />
      <div className="h-[26rem] min-h-0 shrink overflow-hidden border-y">
        {model.isNothing && (
          <p className="px-3.5 py-2 break-words text-ink-2">
            {toNothing(text)} {HINT}
          </p>
        )}
        {sections.length > 0 && (
          <PaletteList
            id={`${id}list`}
            sections={sections}
            active={active}
            onPoint={(row) => setChosen(row.id)}
            onChoose={choose}
          />
        )}
      </div>
      <PaletteFoot onKeys={onKeys} />
      <LiveRegion message={toSpoken(model)} />
      <LiveRegion urgent message={refusal} />
    </div>
  )
}

const LONGEST_SHOWN = 40

const toNothing = (text: string) =>
  `Nothing found for “${toVisibleText(text.trim().slice(0, LONGEST_SHOWN))}”.`

const PaletteHead = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => (
  <div className="flex items-center gap-2 border-b pr-2 pl-3.5 has-[input:focus-visible]:border-accent has-[input:focus-visible]:shadow-[inset_0_-1px_var(--accent)]">
    {children}
    <button
      type="button"
      onClick={onClose}
      className="h-7 shrink-0 rounded-sm border px-1.5 text-xs text-ink-2 hover:border-edge hover:text-ink"
    >
      Close
    </button>
  </div>
)

function toSpoken({ sections, isNothing }: PaletteModel): string {
  if (isNothing) return 'Nothing found'
  const count = sections.reduce((sum, { rows }) => sum + rows.length, 0)
  const notes = sections.flatMap(({ note }) => note ?? [])
  return [count === 1 ? '1 suggestion' : `${count} suggestions`, ...notes].join('. ')
}

type Choosing = {
  model: PaletteModel
  write: (text: string, caret: number) => void
  onClose: () => void
  refuse: (refusal: string) => void
  input: { current: HTMLInputElement | null }
}

/** Without a row, tells what is wrong with the text. */
function useChoose({ model, write, onClose, refuse, input }: Choosing) {
  const open = useOpen()
  const go = (href: string, inNewTab: boolean) => {
    if (inNewTab) window.open(withBase(href), '_blank', 'noopener')
    // Closed first and at once: the dialog restores the focus.
    input.current?.closest('dialog')?.close()
    onClose()
    if (inNewTab) return
    document.getElementById('main')?.focus({ preventScroll: true })
    open(href)
  }
  const explain = () => {
    const problem = model.showProblem()
    if (problem === null) return refuse(toNothing(model.text))
    const { word, message } = problem
    model.edit(model.text, word.end)
    refuse(`${message}.`)
    input.current?.setSelectionRange(word.start, word.end)
  }
  return (row: Row | null, inNewTab: boolean) => {
    if (row === null) return explain()
    const { action } = row
    if (action.do === 'open') go(action.href, inNewTab)
    if (action.do === 'write') write(action.text, action.caret)
    if (action.do === 'page') {
      onClose()
      // After the dialog has closed.
      setTimeout(() => openPageAction(action.action))
    }
  }
}

/** Enter pressed before the answer takes effect then, unless the text has changed. */
function useWaiting({ text, isUndecided }: PaletteModel, act: (inNewTab: boolean) => void) {
  const [waiting, setWaiting] = useState<{ text: string; inNewTab: boolean } | null>(null)
  const isDue = waiting !== null && !isUndecided
  const settle = useEffectEvent(() => {
    setWaiting(null)
    if (waiting?.text === text) act(waiting.inNewTab)
  })
  useEffect(() => {
    if (isDue) settle()
  }, [isDue])
  return (inNewTab: boolean) => setWaiting({ text, inNewTab })
}

const HINT =
  'Search symbols, names, users, pages and docs, or filter ratings: symbol:AAPL rating:4,5'

type PaletteMessageProps = { id: string; name: string | null; wrong: string }

const PaletteMessage = ({ id, name, wrong }: PaletteMessageProps) => (
  <p
    id={id}
    dir="auto"
    title={wrong || undefined}
    className="line-clamp-2 min-h-[2.75rem] px-3.5 py-1 text-sm break-words data-wrong:text-rating-text-1 sm:min-h-[1.75rem]"
    data-wrong={wrong === '' ? undefined : true}
  >
    {wrong || <span className="text-ink-3">{toHint(name)}</span>}
  </p>
)

function toHint(name: string | null): string {
  const field = FILTER_FIELDS.get(name ?? '')
  if (!field) return HINT
  return `${field.hint} Example: ${field.examples.map((one) => `${name}:${one}`).join(' ')}`
}

function PaletteFoot({ onKeys }: { onKeys: () => void }) {
  const command = useCommandKey()
  return (
    <div className="flex items-center gap-x-4 px-3.5 py-1.5 text-sm text-ink-3">
      <Hint keys="Tab" does="completes" />
      <Hint keys="Enter" does="shows" />
      <Hint keys={`${command}Enter`} does="in a new tab" />
      <button
        type="button"
        onClick={onKeys}
        className="ml-auto rounded-sm px-1.5 py-0.5 font-medium text-ink-2 hover:bg-sunk hover:text-ink"
      >
        All keys
      </button>
    </div>
  )
}

const Hint = ({ keys, does }: { keys: string; does: string }) => (
  <span className="max-sm:hidden">
    <kbd className="font-sans font-medium text-ink-2">{keys}</kbd> {does}
  </span>
)
