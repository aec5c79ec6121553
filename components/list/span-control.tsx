'use client'

import {
  type ComponentProps,
  Fragment,
  type KeyboardEvent,
  memo,
  type RefObject,
  useId,
  useRef,
  useState,
} from 'react'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { RatingGlyph } from '#components/marks/rating-marks.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Tooltip } from '#components/ui/tooltip.tsx'
import { SpanBars, type StackBar } from './histogram-bars.tsx'
import { isWhole, type Shares, toSpanStyles } from './shares.ts'
import {
  type Choice,
  type ReadBar,
  type SpanEnd,
  type SpanEnds,
  type SpanModel,
  type SpanTip,
  toChosenShares,
  toGrid,
} from './span-selection.ts'
import { useSpan } from './use-span.ts'

type SpanControlProps = {
  /** `bars` are drawn, `list` is read by a screen reader. */
  bars: readonly StackBar[]
  list?: { name: string; bars: readonly ReadBar[] }
  model: SpanModel
  heightPx: number
  ends?: 'lines' | 'rail'
  veil?: string
  className?: string
}

export const SpanControl = memo(function SpanControl(props: SpanControlProps) {
  const { model, list, ...look } = props
  const frame = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<number | null>(null)
  const { choice, pointed, track, onEndKey, settle } = useSpan(model)
  const { ends, clear } = model
  const chosen = choice ? toChosenShares(choice, toGrid(model)) : model.chosen
  const shown = toShown(choice, pointed ?? active, model)
  return (
    <SpanBars ref={frame} {...track} {...look} chosen={chosen}>
      {list && (
        <BarStrip
          {...list}
          heightPx={props.heightPx}
          active={active}
          onActive={setActive}
          onPick={model.pickBar}
        />
      )}
      {ends &&
        ENDS.map((which) => (
          <SpanHandle
            key={which}
            which={which}
            name={ends.names[which]}
            text={toEndText(which, choice, ends)}
            chosen={chosen}
            isKnob={props.ends === 'rail'}
            onKeyDown={(event) => onEndKey(which, event)}
            onBlur={settle}
          />
        ))}
      {clear && props.ends !== 'rail' && !choice && !isWhole(chosen) && (
        <SpanClear chosen={chosen} clear={clear} />
      )}
      {shown && <SpanTipBox track={frame} {...shown} />}
    </SpanBars>
  )
})

const ENDS: readonly SpanEnd[] = ['begin', 'end']

function toEndText(which: SpanEnd, choice: Choice | null, ends: SpanEnds): string {
  const isMoved = choice?.of === 'stops' && (choice.moved === which || choice.moved === 'both')
  return isMoved ? ends.toText(which, choice[which]) : ends.texts[which]
}

type BarStripProps = {
  /** Must not contain the name of a filter: filters are found by name. */
  name: string
  bars: readonly ReadBar[]
  heightPx: number
  active: number | null
  onActive: (index: number | null) => void
  onPick: (index: number) => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** A single tab stop. */
const BarStrip = memo(function BarStrip(props: BarStripProps) {
  const { name, bars, heightPx, active, onActive } = props
  const id = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    const last = bars.length - 1
    const at = Math.min(active ?? last, last)
    const target = { Home: 0, End: last }[event.key] ?? at + (STEPS[event.key] ?? 0)
    if (event.key === 'Enter' || event.key === ' ') props.onPick(at)
    else if (!(event.key in STEPS) && event.key !== 'Home' && event.key !== 'End') return
    event.preventDefault()
    onActive(Math.max(0, Math.min(last, target)))
  }
  return (
    <div
      role="listbox"
      tabIndex={0}
      aria-label={name}
      aria-orientation="horizontal"
      aria-multiselectable
      aria-activedescendant={active === null ? undefined : `${id}${active}`}
      className="absolute inset-x-0 top-0 flex items-stretch"
      style={{ height: heightPx }}
      onKeyDown={onKeyDown}
      // A pointer focus must not highlight a bar.
      onFocus={({ currentTarget }) => {
        if (currentTarget.matches(':focus-visible')) onActive(active ?? bars.length - 1)
      }}
      onBlur={() => onActive(null)}
    >
      {bars.map((bar, index) => (
        <Option key={bar.key} id={`${id}${index}`} index={index} bar={bar} active={active} />
      ))}
    </div>
  )
})

type OptionProps = { id: string; index: number; bar: ReadBar; active: number | null }

function Option({ id, index, bar, active }: OptionProps) {
  const isActive = index === active
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the strip keeps the focus and points here
    <div
      id={id}
      role="option"
      aria-selected={bar.isOn}
      aria-label={`${bar.label}: ${formatCount(bar.count)}`}
      aria-description={isActive ? toSplit(bar, formatCount) : undefined}
      data-bar={index}
      className={classNames(
        'min-w-0 flex-1 hover:bg-ink/5',
        isActive && 'bg-ink/5 outline-1 -outline-offset-1 outline-accent forced-colors:outline-2',
      )}
    />
  )
}

const toSplit = ({ parts }: ReadBar, toText: (count: number) => string) =>
  parts?.map(({ label, count }) => `${label} ${toText(count)}`).join(', ')

type SpanHandleProps = Pick<ComponentProps<'span'>, 'onKeyDown' | 'onBlur'> & {
  which: SpanEnd
  name: string
  text: string
  chosen: Shares
  isKnob: boolean
}

function SpanHandle({ which, name, text, chosen, isKnob, ...events }: SpanHandleProps) {
  const at = chosen[which]
  const [least, most] = which === 'begin' ? [0, chosen.end] : [chosen.begin, 1]
  return (
    <span
      data-span={which}
      data-knob={isKnob ? '' : undefined}
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={toPercent(least)}
      aria-valuemax={toPercent(most)}
      aria-valuenow={toPercent(at)}
      aria-valuetext={text}
      aria-orientation="horizontal"
      className={classNames(
        'absolute z-[1] touch-pan-y',
        isKnob ? KNOB : classNames(LINE, toReach(which, at)),
      )}
      style={toSpanStyles(chosen)[which]}
      {...events}
    />
  )
}

const toPercent = (share: number) => Math.round(share * 100)

const LINE =
  'inset-y-0 w-6 cursor-ew-resize outline-none after:absolute after:top-1/2 after:h-5 after:w-1.5 after:-translate-1/2 after:rounded-full after:border after:border-accent after:bg-surface after:opacity-0 group-hover/span:after:opacity-100 focus-visible:after:opacity-100 focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-accent pointer-coarse:w-8 pointer-coarse:after:opacity-100'

function toReach(which: SpanEnd, at: number): string {
  if (which === 'end') return at >= 1 ? 'after:left-0' : '-translate-x-1 after:left-1'
  return at <= 0
    ? '-translate-x-full after:left-full'
    : '-translate-x-5 after:left-5 pointer-coarse:-translate-x-7 pointer-coarse:after:left-7'
}

const KNOB =
  'bottom-0 size-6 -translate-x-1/2 cursor-grab rounded-full active:cursor-grabbing focus-visible:outline-offset-[-3px]'

type SpanClearProps = { chosen: Shares; clear: () => void }

const ROOM = 0.17

function SpanClear({ chosen: { begin, end }, clear }: SpanClearProps) {
  const style =
    end < 1 - ROOM
      ? { left: `calc(${end * 100}% + 30px)` }
      : begin > ROOM
        ? { right: `calc(${(1 - begin) * 100}% + 30px)` }
        : { left: `calc(${begin * 100}% + 8px)` }
  return (
    <button
      type="button"
      data-span="clear"
      title="Clear the range"
      className="absolute top-0 z-[2] size-6 cursor-pointer rounded-md bg-surface text-ink-2 hover:text-ink"
      style={style}
      onClick={clear}
    >
      <span aria-hidden>×</span>
      <span className="sr-only">Clear the range</span>
    </button>
  )
}

type SpanTipBoxProps = {
  track: RefObject<HTMLElement | null>
  /** Share of the track's width. */
  at: number
  tip: SpanTip
}

function SpanTipBox({ track, at, tip }: SpanTipBoxProps) {
  const getBoundingClientRect = () => {
    const { left, top, width, height } = track.current?.getBoundingClientRect() ?? new DOMRect()
    return new DOMRect(left + at * width, top, 0, height)
  }
  const parts = tip.parts?.filter(({ count }) => count > 0).reverse() ?? []
  return (
    <Tooltip anchor={{ getBoundingClientRect }}>
      <p className="font-medium whitespace-nowrap text-ink">{tip.title}</p>
      {tip.count !== undefined && (
        <p className="whitespace-nowrap">{formatCounted(tip.count, tip.one ?? 'rating')}</p>
      )}
      {parts.length > 0 && (
        <div className="mt-1 grid grid-cols-[auto_1fr_auto] gap-x-2 whitespace-nowrap">
          {parts.map(({ code, label, count }) => (
            <Fragment key={code}>
              <RatingGlyph code={code} className="self-center text-center" />
              <span>{label}</span>
              <span className="text-right text-ink">{formatCount(count)}</span>
            </Fragment>
          ))}
        </div>
      )}
      {tip.note && <p className="mt-1 max-w-48 text-xs text-ink-3">{tip.note}</p>}
    </Tooltip>
  )
}

type TipPosition = { tip: SpanTip; at: number }

function toShown(made: Choice | null, bar: number | null, model: SpanModel): TipPosition | null {
  const choice = made ?? toBarChoice(bar, model)
  if (!choice) return null
  const { begin, end } = toChosenShares(choice, toGrid(model))
  const middle = (begin + end) / 2
  const bars = toBars(choice, model)
  if (bars) return { tip: model.tell(...bars), at: middle }
  if (choice.of === 'bars' || !model.ends) return null
  const text = (which: SpanEnd) => model.ends?.toText(which, choice[which]) ?? ''
  return choice.moved === 'both'
    ? { tip: { title: `${text('begin')} to ${text('end')}` }, at: middle }
    : { tip: { title: text(choice.moved) }, at: choice.moved === 'begin' ? begin : end }
}

const toBarChoice = (bar: number | null, { bars }: SpanModel): Choice | null =>
  bar === null || bar >= bars ? null : { of: 'bars', first: bar, last: bar }

function toBars(choice: Choice, { bars, ends }: SpanModel): [first: number, last: number] | null {
  if (choice.of === 'bars') return [choice.first, choice.last]
  return ends?.stops.length === bars + 1 ? [choice.begin, choice.end - 1] : null
}
