'use client'

import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { type Shortcut, useCommandKey } from '#components/ui/keyboard-shortcuts.ts'
import { LiveRegion } from '#components/ui/messages.tsx'
import { ModalDialog } from '#components/ui/overlays.tsx'
import { applyTheme } from '#components/ui/theme.ts'
import type { FilterProblem } from './filter-text/parse-filter-text.ts'
import { WORDS } from './filter-text/vocabulary.ts'
import { KeyHelp } from './key-help.tsx'
import { PaletteList, toRowId, useHeldList } from './palette-list.tsx'
import { recentSearches, type Search } from './recent-searches.ts'
import { type Row, toPaletteKey } from './suggestions.ts'
import { openTab, type PaletteModel, toApplyHref, useOpen, usePalette } from './use-palette.ts'

export type PaletteDialogProps = {
  how: Shortcut
  /** What was typed while this was loading. */
  typed: string
  onClose: () => void
  onOpen: (how: Shortcut) => void
}

/** What the keys of every page open. Nothing else of it is loaded before somebody asks. */
export function PaletteDialog({ how, typed, onClose, onOpen }: PaletteDialogProps) {
  return how === 'keys' ? (
    <TopDialog label="Keys" onClose={onClose}>
      <KeyHelp onClose={onClose} />
    </TopDialog>
  ) : (
    <TopDialog label="Search and filter" onClose={onClose}>
      <Palette how={how} typed={typed} onClose={onClose} onKeys={() => onOpen('keys')} />
    </TopDialog>
  )
}

type TopDialogProps = { label: string; onClose: () => void; children: ReactNode }

/** At the top of the window. A click beside it closes it, as Escape does. */
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

type PaletteProps = { how: Shortcut; typed: string; onClose: () => void; onKeys: () => void }

const NO_TAB =
  'The browser did not open a new tab. Allow pop-ups for this page, or press Enter alone.'

/** A field with the filter grammar over everything that one can go to from here. */
function Palette({ how, typed, onClose, onKeys }: PaletteProps) {
  const model = usePalette(typed)
  const { text, problems } = model
  const list = useHeldList(model.sections, text)
  const { sections } = list
  const rows = sections.flatMap((section) => section.rows)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [refusal, setRefusal] = useState('')
  const first = model.rows[model.first]
  const marked = rows.find((row) => row.id === chosen) ?? rows.find(({ id }) => id === first?.id)
  const active = marked && toRowId(`${id}list`, marked)
  const edit = (next: string, caret: number) => {
    model.edit(next, caret)
    setRefusal('')
    if (next !== text) setChosen(null)
  }
  const choose = useChoose({ model, edit, onClose, refuse: setRefusal, input })
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const key = toPaletteKey(event.nativeEvent, { rows, marked, isWord: model.isWord })
    if (key === null) return
    event.preventDefault()
    // From here on the keys lead, wherever the pointer lies.
    list.release()
    if ('mark' in key) setChosen(key.mark)
    else if (key.choose) choose.row(key.choose, key.inNewTab)
    else choose.text(key.inNewTab)
  }
  return (
    <div className="flex max-h-[inherit] flex-col">
      <div className="flex items-center gap-2 border-b pr-2 pl-3.5 has-[input:focus-visible]:border-accent has-[input:focus-visible]:shadow-[inset_0_-1px_var(--accent)]">
        <FilterField
          input={input}
          text={text}
          caret={model.caret}
          problems={problems}
          onEdit={edit}
          onKeyDown={onKeyDown}
          isAllMarked={how === 'jump' && typed === ''}
          ids={{ list: rows.length > 0 ? `${id}list` : undefined, message: `${id}message`, active }}
        />
        <button
          type="button"
          onClick={onClose}
          className="h-7 shrink-0 rounded-sm border px-1.5 text-xs text-ink-2 hover:border-edge hover:text-ink"
        >
          Close
        </button>
      </div>
      <PaletteMessage id={`${id}message`} name={model.name} problems={problems} refusal={refusal} />
      <div className="h-[26rem] min-h-0 shrink overflow-hidden border-y">
        {sections.length === 0 ? (
          <p className="px-3.5 py-3 text-ink-2">Nothing to go to. Enter says what is wrong.</p>
        ) : (
          <PaletteList
            id={`${id}list`}
            sections={sections}
            active={active}
            // What somebody points at does not go away from under the pointer.
            isStill={list.isHeld}
            handlers={list.handlers}
            onPoint={(row) => setChosen(row.id)}
            onChoose={choose.row}
          />
        )}
      </div>
      <PaletteFoot onKeys={onKeys} />
      <LiveRegion message={toSpoken(model)} />
      <LiveRegion urgent message={refusal} />
    </div>
  )
}

/** What a screen reader is told about the list: how long it is, and what is missing in it. */
function toSpoken({ rows, sections }: PaletteModel): string {
  const notes = sections.flatMap(({ note }) => note ?? [])
  const count = rows.length === 1 ? '1 suggestion' : `${rows.length} suggestions`
  return [count, ...notes].join('. ')
}

type Choosing = {
  model: PaletteModel
  edit: (text: string, caret: number) => void
  onClose: () => void
  refuse: (message: string) => void
  input: { current: HTMLInputElement | null }
}

/** What choosing a row does, and what Enter does where none is marked. */
function useChoose({ model, edit, onClose, refuse, input }: Choosing) {
  const open = useOpen()
  const go = (href: string, inNewTab: boolean, remember?: Search) => {
    if (inNewTab && !openTab(href)) return refuse(NO_TAB)
    if (remember !== undefined) recentSearches.remember(remember)
    // Closed by now, the dialog has given the focus back to where it was.
    onClose()
    if (!inNewTab) open(href)
  }
  const row = ({ action, isOld }: Row, inNewTab: boolean) => {
    if (isOld) return
    if (action.do === 'open') go(action.href, inNewTab, action.remember)
    if (action.do === 'write') edit(action.text, action.caret)
    if (action.do === 'forget') model.forget()
    if (action.do === 'theme') {
      applyTheme(action.theme)
      onClose()
    }
  }
  /** Applies the text as it stands, or leads to the first word that is wrong. */
  const text = (inNewTab: boolean) => {
    const [wrong] = model.read.problems
    if (!wrong) return go(toApplyHref(model.read.query), inNewTab, model.text)
    model.tryIt()
    model.edit(model.text, wrong.end)
    refuse(wrong.message)
    input.current?.setSelectionRange(wrong.start, wrong.end)
  }
  return { row, text }
}

const HINT = 'Filters, symbols, users, ratings by number, saved views, pages, themes.'

type PaletteMessageProps = {
  id: string
  /** The name of the word whose value is written. */
  name: string | null
  problems: readonly FilterProblem[]
  refusal: string
}

/** What is wrong with the text, or what may be typed. Two lines high, whatever it says. */
function PaletteMessage({ id, name, problems, refusal }: PaletteMessageProps) {
  const [first, ...others] = problems
  const more = others.length === 0 ? '' : ` And ${others.length} more.`
  const text = first ? `${first.message.replace(/([^?])$/, '$1.')}${more}` : refusal
  return (
    <p
      id={id}
      dir="auto"
      title={text || undefined}
      className="line-clamp-2 min-h-[2.75rem] px-3.5 py-1 text-sm break-words data-wrong:text-rating-text-1 sm:min-h-[1.75rem]"
      data-wrong={text === '' ? undefined : true}
    >
      {text || <span className="text-ink-3">{toHint(name)}</span>}
    </p>
  )
}

const WORD_HINTS: Readonly<Record<string, string>> = {
  ...WORDS,
  symbol: 'symbols, separated by commas; -TSLA excludes one; quote a name that has a space',
  rating: 'labels or codes; >=4 or 3..5 for several; a minus excludes one',
  prediction: '>10, >=10, <0, 5..12.5 or an exact value; −5 is below zero, -5 excludes 5',
  created: 'a day, a month or a year; >=2024-05, <2024 or 2024-01..2024-03',
}

const toHint = (name: string | null): string =>
  name !== null && Object.hasOwn(WORD_HINTS, name) ? `${name}: ${WORD_HINTS[name]}` : HINT

/** The keys that matter here, and the way to all others. */
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

type FilterFieldProps = {
  input: RefObject<HTMLInputElement | null>
  text: string
  caret: number
  problems: readonly FilterProblem[]
  onEdit: (text: string, caret: number) => void
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
  /** Ids of what belongs to the field. */
  ids: { list: string | undefined; message: string; active: string | undefined }
  /** Everything is marked at first, so that typing begins anew. */
  isAllMarked: boolean
}

const LETTERS =
  'px-0 font-mono text-[0.875rem] leading-6 tracking-normal pointer-coarse:text-[1rem]'

/** The field that a filter is typed into. A layer below it has the same letters and underlines what is wrong. */
function FilterField(props: FilterFieldProps) {
  const { input, text, caret, problems, onEdit, ids } = props
  const layer = useRef<HTMLDivElement>(null)
  const follow = () => {
    if (layer.current && input.current) layer.current.scrollLeft = input.current.scrollLeft
  }
  useCaret(props)
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

/** Puts the caret where it shall be after a row has written into the field. */
function useCaret({ input, text, caret, isAllMarked }: FilterFieldProps) {
  useLayoutEffect(() => {
    const field = input.current
    if (!field || field.value !== text || field.selectionEnd === caret) return
    field.setSelectionRange(caret, caret)
    // Fields do not scroll to their caret by themselves.
    if (caret === text.length) field.scrollLeft = field.scrollWidth
  }, [input, text, caret])
  useEffect(() => {
    const field = input.current
    field?.focus()
    if (field && isAllMarked) field.setSelectionRange(0, field.value.length)
  }, [input, isAllMarked])
}

/** A field throws line breaks away, which would make one word of two. */
function pasteAsOneLine(event: ClipboardEvent<HTMLInputElement>) {
  const pasted = event.clipboardData.getData('text')
  if (!/[\n\r]/.test(pasted)) return
  event.preventDefault()
  // The only way to change a field that its undo knows of.
  document.execCommand('insertText', false, pasted.replace(/\s+/g, ' '))
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
  // As long as the field's own text and its caret, or the layer could not be scrolled as far.
  return [...pieces, `${text.slice(problems.at(-1)?.end ?? 0)}  `]
}
