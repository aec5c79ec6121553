'use client'

import { useQuery } from '@tanstack/react-query'
import {
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { copyText } from '#components/ui/copy.tsx'
import { type Shortcut, useCommandKey } from '#components/ui/keyboard-shortcuts.ts'
import { LiveRegion } from '#components/ui/messages.tsx'
import { ModalDialog } from '#components/ui/overlays.tsx'
import { applyTheme } from '#components/ui/theme.ts'
import { loadStarStore } from '#components/watch/use-stars.ts'
import type { Watched } from '#components/watch/watched.ts'
import { symbolsOptions } from '#lib/client/symbol-options.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { FilterField, useCaret } from './filter-field.tsx'
import type { FilterProblem } from './filter-text/parse-filter-text.ts'
import { WORDS } from './filter-text/vocabulary.ts'
import { KeyHelp } from './key-help.tsx'
import { PaletteList, toRowId, useStableSections } from './palette-list.tsx'
import { recentSearches, type Search } from './recent-searches.ts'
import { NO_MATCH } from './sections.ts'
import { type Row, toPaletteKey } from './suggestions.ts'
import {
  openTab,
  type PaletteModel,
  toApplyHref,
  useOpen,
  useOpenAction,
  usePalette,
} from './use-palette.ts'

export type PaletteDialogProps = {
  how: Shortcut
  typed: string
  onClose: () => void
  onOpen: (how: Shortcut) => void
}

export function PaletteDialog({ how, typed, onClose, onOpen }: PaletteDialogProps) {
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

type Notice = { refusal: string; said: string }
const NO_NOTICE: Notice = { refusal: '', said: '' }

const COPIED = 'The link to this page is copied.'
const STAR_FAILED = 'The star could not be saved: its script was not loaded. Try again.'
const NOT_COPIED = 'The browser did not allow copying. Copy the address of this page by hand.'

type PaletteProps = { typed: string; onClose: () => void; onKeys: () => void }

const NO_TAB =
  'The browser did not open a new tab. Allow pop-ups for this page, or press Enter alone.'

function Palette({ typed, onClose, onKeys }: PaletteProps) {
  const model = usePalette(typed)
  const { text, problems } = model
  const list = useStableSections(model.sections, text)
  const { sections } = list
  const rows = sections.flatMap((section) => section.rows)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [notice, setNotice] = useState(NO_NOTICE)
  const first = model.rows[model.first]
  const marked = rows.find((row) => row.id === chosen) ?? rows.find(({ id }) => id === first?.id)
  const active = marked && toRowId(`${id}list`, marked)
  const edit = (next: string, caret: number) => {
    model.edit(next, caret)
    setNotice(NO_NOTICE)
    if (next !== text) setChosen(null)
  }
  const putAfterShown = useCaret(input)
  const write = (next: string, caret: number) => {
    edit(next, caret)
    putAfterShown(caret)
  }
  const choose = useChoose({ model, write, onClose, tell: setNotice, input })
  const decision = useDecision(model, input, (inNewTab) =>
    first ? choose.row(first, inNewTab) : choose.text(inNewTab),
  )
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const key = toPaletteKey(event.nativeEvent, { rows, marked, isWord: model.isWord })
    if (key === null) return
    event.preventDefault()
    list.release()
    if ('mark' in key) {
      setChosen(key.mark)
      decision.giveUp()
    } else if (model.isUndecided && chosen === null && event.key === 'Enter')
      decision.wait(key.inNewTab)
    else if (key.choose) choose.row(key.choose, key.inNewTab)
    else choose.text(key.inNewTab)
  }
  return (
    <div className="flex max-h-[inherit] flex-col">
      <PaletteHead onClose={onClose}>
        <FilterField
          input={input}
          text={text}
          caret={model.caret}
          problems={problems}
          onEdit={edit}
          onKeyDown={onKeyDown}
          ids={{ list: rows.length > 0 ? `${id}list` : undefined, message: `${id}message`, active }}
        />
      </PaletteHead>
      <PaletteMessage id={`${id}message`} name={model.name} problems={problems} {...notice} />
      <div className="h-[26rem] min-h-0 shrink overflow-hidden border-y">
        {model.isNothing && (
          <NothingFound text={text.trim()} onTry={(example) => write(example, example.length)} />
        )}
        {sections.length > 0 && (
          <PaletteList
            id={`${id}list`}
            sections={sections}
            active={active}
            isStill={list.isHeld}
            handlers={list.handlers}
            onPoint={(row) => setChosen(row.id)}
            onChoose={choose.row}
          />
        )}
      </div>
      <PaletteFoot onKeys={onKeys} />
      <LiveRegion message={notice.said || toSpoken(model)} />
      <LiveRegion urgent message={notice.refusal} />
    </div>
  )
}

type NothingFoundProps = { text: string; onTry: (example: string) => void }

function NothingFound({ text, onTry }: NothingFoundProps) {
  const symbol = useQuery(symbolsOptions(new URLSearchParams())).data?.data[0]?.symbol
  const examples = [symbol === undefined ? 'downloads' : toVisibleText(symbol), 'strong buy']
  return (
    <p className="px-3.5 py-2 leading-7 break-words text-ink-2">
      Nothing found for “{toVisibleText(text.slice(0, LONGEST_SHOWN))}”. Try{' '}
      {examples.map((example, index) => (
        <Fragment key={example}>
          {index > 0 && ' or '}
          <button
            type="button"
            onClick={() => onTry(example)}
            className="min-h-7 rounded-sm px-1 font-mono text-sm text-accent underline pointer-coarse:min-h-10"
          >
            {example}
          </button>
        </Fragment>
      ))}
    </p>
  )
}

const LONGEST_SHOWN = 40

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

function toSpoken({ rows, sections, isNothing }: PaletteModel): string {
  if (isNothing) return 'Nothing found'
  const notes = sections.flatMap(({ note }) => note ?? [])
  const count = rows.length === 1 ? '1 suggestion' : `${rows.length} suggestions`
  return [count, ...notes].join('. ')
}

type FieldRef = { current: HTMLInputElement | null }

type Choosing = {
  model: PaletteModel
  write: (text: string, caret: number) => void
  onClose: () => void
  tell: (notice: Notice) => void
  input: FieldRef
}

function useChoose({ model, write, onClose, tell, input }: Choosing) {
  const open = useOpen()
  const openAction = useOpenAction()
  const refuse = (refusal: string) => tell({ refusal, said: '' })
  const copy = async () => {
    const isCopied = await copyText(window.location.href)
    if (isCopied) tell({ refusal: '', said: COPIED })
    else refuse(NOT_COPIED)
  }
  const star = async (of: Watched) => {
    const store = await loadStarStore().catch(() => null)
    const problem = store === null ? STAR_FAILED : store.toggleStar(of)
    if (problem !== null) return refuse(problem)
    onClose()
  }
  const go = (href: string, inNewTab: boolean, remember?: Search) => {
    if (inNewTab && !openTab(href)) return refuse(NO_TAB)
    if (remember !== undefined) recentSearches.remember(remember)
    // Closed first and at once: the dialog restores the focus.
    input.current?.closest('dialog')?.close()
    onClose()
    if (inNewTab) return
    document.getElementById('main')?.focus({ preventScroll: true })
    open(href)
  }
  const row = ({ action, isOld }: Row, inNewTab: boolean) => {
    if (isOld) return
    if (action.do === 'open') go(action.href, inNewTab, action.remember)
    if (action.do === 'write') write(action.text, action.caret)
    if (action.do === 'forget') model.forget()
    if (action.do === 'copy') void copy()
    if (action.do === 'page') {
      if (inNewTab && action.href !== undefined) return go(action.href, true)
      onClose()
      openAction(action.action, action.href)
    }
    if (action.do === 'star') void star(action.of)
    if (action.do === 'theme') {
      applyTheme(action.theme)
      onClose()
    }
  }
  const text = (inNewTab: boolean) => {
    const [wrong] = model.read.problems
    if (!wrong && model.isEmpty) return refuse(`${NO_MATCH} this filter.`)
    if (!wrong) return go(toApplyHref(model.read.query), inNewTab, model.text)
    model.tryIt()
    model.edit(model.text, wrong.end)
    refuse(wrong.message)
    input.current?.setSelectionRange(wrong.start, wrong.end)
  }
  return { row, text }
}

type Waiting = { text: string; from: number | null; to: number | null; inNewTab: boolean }

/** Enter pressed before the answer takes effect then, unless text or selection have changed. */
function useDecision(
  { text, isUndecided }: PaletteModel,
  input: FieldRef,
  act: (inNewTab: boolean) => void,
) {
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  const isDue = waiting !== null && waiting.text === text && !isUndecided
  const decide = useEffectEvent(() => {
    setWaiting(null)
    const { from, to } = readSelection(input)
    if (waiting?.from === from && waiting?.to === to) act(waiting.inNewTab)
  })
  useEffect(() => {
    if (isDue) decide()
  }, [isDue])
  return {
    wait: (inNewTab: boolean) => setWaiting({ text, ...readSelection(input), inNewTab }),
    giveUp: () => setWaiting(null),
  }
}

const readSelection = ({ current }: FieldRef) => ({
  from: current?.selectionStart ?? null,
  to: current?.selectionEnd ?? null,
})

const HINT =
  'Symbols, users, pages, saved views, filters; or “compare AAPL MSFT”, “not user 60”, “export”.'

type PaletteMessageProps = Notice & {
  id: string
  name: string | null
  problems: readonly FilterProblem[]
}

function PaletteMessage({ id, name, problems, refusal, said }: PaletteMessageProps) {
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
      {text || <span className="text-ink-3">{said || toHint(name)}</span>}
    </p>
  )
}

const WORD_HINTS: Readonly<Record<string, string>> = {
  ...WORDS,
  watched: 'symbols or users; a minus excludes them',
  symbol: 'symbols, separated by commas; -TSLA excludes one; quote a name that has a space',
  rating: 'labels or codes; >=4 or 3..5 for several; a minus excludes one',
  prediction: '>10, >=10, <0, 5..12.5 or an exact value; −5 is below zero, -5 excludes 5',
  created: 'a day, a month or a year; >=2024-05, <2024 or 2024-01..2024-03',
}

const toHint = (name: string | null): string =>
  name !== null && Object.hasOwn(WORD_HINTS, name) ? `${name}: ${WORD_HINTS[name]}` : HINT

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
