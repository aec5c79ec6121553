'use client'

import {
  type DOMAttributes,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { RatingGlyph } from '#components/marks/rating-marks.tsx'
import { classNames } from '#components/ui/class-names.ts'
import type { Row, Section } from './suggestions.ts'

type PaletteListProps = {
  id: string
  sections: readonly Section[]
  active: string | undefined
  isStill: boolean
  handlers: Pick<
    DOMAttributes<HTMLElement>,
    'onPointerMove' | 'onPointerDown' | 'onPointerUp' | 'onPointerCancel' | 'onPointerLeave'
  >
  onPoint: (row: Row) => void
  onChoose: (row: Row, inNewTab: boolean) => void
}

export const toRowId = (list: string, row: Row): string => `${list} ${row.id}`.replace(/\s/g, '·')

export function PaletteList(props: PaletteListProps) {
  const { id, sections, active, isStill, handlers, onPoint, onChoose } = props
  const scrollToActive = useEffectEvent(() => {
    const option = active === undefined || isStill ? null : document.getElementById(active)
    option?.scrollIntoView({ block: 'nearest' })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another row is scrolled to
  useEffect(() => scrollToActive(), [active])
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Suggestions"
      onMouseDown={(event) => event.preventDefault()}
      {...handlers}
      className="h-full scroll-py-2 overflow-y-auto [scrollbar-width:thin]"
    >
      {sections.map(({ name, rows, note, isOld }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
        <div key={name} role="group" aria-label={name} className="pb-1.5">
          <div aria-hidden className="px-3 pt-1.5 pb-0.5 text-xs font-semibold text-ink-3">
            {name}
          </div>
          <div role="presentation" className={isOld ? 'opacity-60' : undefined}>
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
      aria-disabled={row.isOld || undefined}
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

/** After this pause the pointer is not about to click. */
const REST_MS = 1000

type StableSections = { sections: readonly Section[]; text: string }

/** Late answers must not move rows under the pointer. */
export function useStableSections(now: readonly Section[], text: string) {
  const [held, setHeld] = useState<StableSections | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isPressed = useRef(false)
  const at = useRef('')
  useEffect(() => () => clearTimeout(timer.current), [])
  const isHeld = held !== null && held.text === text
  const sections = isHeld ? toStableSections(held.sections, now) : now

  const release = () => {
    clearTimeout(timer.current)
    isPressed.current = false
    setHeld(null)
  }
  const hold = () => {
    clearTimeout(timer.current)
    if (!isHeld) setHeld({ sections: now, text })
    if (!isPressed.current) timer.current = setTimeout(release, REST_MS)
  }
  return {
    sections,
    isHeld,
    release,
    handlers: {
      onPointerMove: ({ screenX, screenY }: PointerEvent) => {
        // A list under a still pointer also fires pointer events.
        const place = `${screenX} ${screenY}`
        const hasMoved = at.current !== '' && at.current !== place
        at.current = place
        if (hasMoved) hold()
      },
      onPointerDown: () => {
        isPressed.current = true
        hold()
      },
      onPointerUp: () => {
        isPressed.current = false
        hold()
      },
      onPointerCancel: release,
      onPointerLeave: release,
    },
  }
}

export function toStableSections(held: readonly Section[], now: readonly Section[]): Section[] {
  const known = new Map(now.flatMap(({ rows }) => rows.map((row) => [row.id, row] as const)))
  const toRow = (row: Row): Row => known.get(row.id) ?? { ...row, isOld: true }
  return held.map((section) => {
    const rows = section.rows.map(toRow)
    return { ...section, rows, isOld: section.isOld === true && rows.some(({ isOld }) => isOld) }
  })
}
