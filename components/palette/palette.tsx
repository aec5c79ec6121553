'use client'

import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { LiveRegion } from '#components/ui/messages.tsx'
import { FilterField } from './filter-field.tsx'
import { filterHistory } from './filter-history.ts'
import { PaletteFoot, PaletteMessage } from './palette-frame.tsx'
import { toPaletteKey } from './palette-keys.ts'
import { PaletteList, toRowId } from './palette-list.tsx'
import type { Row } from './row.ts'
import type { Shortcut } from './shortcut.ts'
import { openTab, toApplyHref, useOpen } from './use-open.ts'
import { type PaletteModel, usePalette } from './use-palette.ts'

type PaletteProps = { how: Shortcut; typed: string; onClose: () => void; onKeys: () => void }

const NO_TAB =
  'The browser did not open a new tab. Allow pop-ups for this page, or press Enter alone.'

/** A field with the filter grammar over everything that one can go to from here. */
export function Palette({ how, typed, onClose, onKeys }: PaletteProps) {
  const model = usePalette(typed)
  const { text, rows, sections, problems } = model
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [refusal, setRefusal] = useState('')
  const marked = rows.find((row) => row.id === chosen) ?? rows[model.first]
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
      <div className="h-[26rem] min-h-0 shrink overflow-y-auto border-y [scrollbar-width:thin]">
        {sections.length === 0 ? (
          <p className="px-3.5 py-3 text-ink-2">Nothing to go to. Enter says what is wrong.</p>
        ) : (
          <PaletteList
            id={`${id}list`}
            sections={sections}
            active={active}
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
  const go = (href: string, inNewTab: boolean, remember?: string) => {
    if (inNewTab && !openTab(href)) return refuse(NO_TAB)
    if (remember !== undefined) filterHistory.remember(remember)
    // Closed by now, the dialog has given the focus back to where it was.
    onClose()
    if (!inNewTab) open(href)
  }
  const row = ({ action, isOld }: Row, inNewTab: boolean) => {
    if (isOld) return
    if (action.do === 'open') go(action.href, inNewTab, action.remember)
    if (action.do === 'write') edit(action.text, action.caret)
    if (action.do === 'forget') model.forget()
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
