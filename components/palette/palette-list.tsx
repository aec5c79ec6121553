'use client'

import { useEffect, useEffectEvent } from 'react'
import { RatingGlyph } from '#components/marks/rating-marks.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { isComposing } from '#components/ui/keyboard-shortcuts.ts'
import type { Row, Section } from './sections.ts'

type PaletteListProps = {
  id: string
  sections: readonly Section[]
  active: string | undefined
  onPoint: (row: Row) => void
  onChoose: (row: Row, inNewTab: boolean) => void
}

export const toRowId = (list: string, row: Row): string => `${list} ${row.id}`.replace(/\s/g, '·')

export function PaletteList({ id, sections, active, onPoint, onChoose }: PaletteListProps) {
  const scrollToActive = useEffectEvent(() => {
    if (active) document.getElementById(active)?.scrollIntoView({ block: 'nearest' })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another row is scrolled to
  useEffect(() => scrollToActive(), [active])
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Suggestions"
      onMouseDown={(event) => event.preventDefault()}
      className="h-full scroll-py-2 overflow-y-auto [scrollbar-width:thin]"
    >
      {sections.map(({ name, rows, note }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
        <div key={name} role="group" aria-label={name} className="pb-1.5">
          <div aria-hidden className="px-3 pt-1.5 pb-0.5 text-xs font-semibold text-ink-3">
            {name}
          </div>
          <div role="presentation">
            {rows.map((row) => (
              <Option
                key={row.id}
                id={toRowId(id, row)}
                row={row}
                isActive={toRowId(id, row) === active}
                onPoint={() => onPoint(row)}
                onPress={(inNewTab) => onChoose(row, inNewTab)}
              />
            ))}
          </div>
          {note && (
            <div aria-hidden className="px-3 py-1 text-sm text-ink-2">
              {note}
            </div>
          )}
        </div>
      ))}
    </div>
  )
}

type OptionProps = {
  id: string
  row: Row
  isActive: boolean
  onPoint: () => void
  onPress: (inNewTab: boolean) => void
}

function Option({ id, row, isActive, onPoint, onPress }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys, as the combobox pattern has it
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field and points here
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onMouseMove={isActive ? undefined : onPoint}
      onClick={(event) => onPress(event.ctrlKey || event.metaKey)}
      className={classNames(
        'mx-1.5 flex min-h-[31px] cursor-pointer items-baseline gap-2 rounded-md px-1.5 py-1.5 pointer-coarse:min-h-11 pointer-coarse:items-center',
        isActive && 'bg-accent-bg',
      )}
    >
      {row.kind && <span className="w-[3.25rem] shrink-0 text-ink-3">{row.kind}</span>}
      {row.code !== undefined && <RatingGlyph code={row.code} className="w-[1.25rem] shrink-0" />}
      <span
        dir="auto"
        className={classNames(
          'line-clamp-2 min-w-0 font-medium break-words',
          row.isText && 'font-mono text-sm',
        )}
      >
        {row.label}
      </span>
      {row.detail && (
        <span className="ml-auto max-w-[62%] shrink-0 truncate pl-3 text-sm text-ink-3">
          {row.detail}
        </span>
      )}
    </div>
  )
}

const LEAP = 6

type Keys = Pick<
  KeyboardEvent,
  'key' | 'keyCode' | 'isComposing' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'
>

type PaletteKey = { mark: string } | { choose: Row | null; inNewTab: boolean }

type PaletteRows = { rows: readonly Row[]; marked: Row | undefined; isWord: boolean }

/** Null for keys of the field, the dialog or an input method. */
export function toPaletteKey(
  pressed: Keys,
  { rows, marked, isWord }: PaletteRows,
): PaletteKey | null {
  if (isComposing(pressed) || pressed.altKey) return null
  const at = marked ? rows.indexOf(marked) : -1
  const mark = (index: number): PaletteKey | null => {
    const row = rows[index]
    return row ? { mark: row.id } : null
  }
  switch (pressed.key) {
    case 'ArrowDown':
      return mark(at + 1 < rows.length ? at + 1 : 0)
    case 'ArrowUp':
      return mark(at > 0 ? at - 1 : rows.length - 1)
    case 'PageDown':
      return mark(Math.min(at + LEAP, rows.length - 1))
    case 'PageUp':
      return mark(Math.max(at - LEAP, 0))
    case 'Enter':
      return { choose: marked ?? null, inNewTab: pressed.ctrlKey || pressed.metaKey }
    case 'Tab': {
      const isCompletion = (row: Row | undefined) => row?.action.do === 'write'
      const row = isCompletion(marked) ? marked : rows.find(isCompletion)
      return row && isWord && !pressed.shiftKey ? { choose: row, inNewTab: false } : null
    }
    default:
      return null
  }
}
