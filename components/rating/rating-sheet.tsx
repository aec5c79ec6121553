'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { formatCount } from '#components/format/numbers.ts'
import { Button, buttonClasses } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { CopyLink } from '#components/ui/copy.tsx'
import { Drawer } from '#components/ui/dialog.tsx'
import { areSingleKeysOn } from '#components/ui/keyboard-shortcuts.ts'
import { Link } from '#components/ui/link.tsx'
import { LiveRegion } from '#components/ui/messages.tsx'
import { ratingOptions } from '#lib/client/query-options.ts'
import type { RatingAnswer, RatingsPage } from '#lib/contract/answers/ratings.ts'
import { toRatingHref } from '#lib/contract/page-addresses.ts'
import type { QueryProps } from '#lib/contract/ratings-view.ts'
import { RatingAbsence, RatingSkeleton } from './rating-absence.tsx'
import {
  RatingHeadline,
  RatingHistory,
  RatingStanding,
  RatingVotes,
  RawJson,
  type ShowRating,
} from './rating-parts.tsx'
import { toRatingTitle } from './rating-texts.ts'
import { type Direction, type SheetStep, useSteps } from './sheet-steps.ts'

type RatingSheetProps = QueryProps & {
  id: number
  page: RatingsPage | undefined
  isOld: boolean
  /** The focus was in the sheet of this rating. */
  onLeave: (id: number) => void
}

export function RatingSheet(props: RatingSheetProps) {
  const { id, query, change, page, isOld } = props
  const frame = useRef<HTMLDivElement>(null)
  const start = useRef<HTMLDivElement>(null)
  const isWide = useIsWide()
  const steps = useSteps({ open: id, query, change, page, isOld })
  const loaded = useQuery({ ...ratingOptions(id, query.asof), placeholderData: keepPreviousData })
  const { data, error, isPlaceholderData } = loaded
  const close = () => {
    if (frame.current?.contains(document.activeElement)) props.onLeave(id)
    change((view) => ({ ...view, open: null }))
  }
  useSheetKeys({ frame, start, isWide }, { open: id, onClose: close, onStep: steps.go })
  const said = data && !isPlaceholderData ? `Rating ${id}. ${toRatingTitle(data)}` : ''
  return (
    <SheetFrame {...{ id, isWide, frame }} onClose={close} onLeave={props.onLeave}>
      <SheetBar
        steps={steps}
        onStep={steps.go}
        onClose={close}
        href={toRatingHref(id, query.asof)}
      />
      <div
        ref={start}
        tabIndex={-1}
        className="min-h-0 grow overflow-y-auto p-4 outline-offset-[-2px] [scrollbar-width:thin]"
        aria-busy={isPlaceholderData || undefined}
      >
        {steps.failed && <StepFailure />}
        {data ? (
          <div
            className={classNames(isPlaceholderData && 'opacity-60 transition-opacity delay-100')}
          >
            <RatingContent
              answer={data}
              asof={query.asof}
              show={(other) => change((view) => ({ ...view, open: other }), 'replace')}
            />
          </div>
        ) : error ? (
          <RatingAbsence
            id={id}
            error={error}
            asof={query.asof}
            onRetry={() => void loaded.refetch()}
          />
        ) : (
          <RatingSkeleton />
        )}
      </div>
      <Announcement message={said} />
    </SheetFrame>
  )
}

const StepFailure = () => (
  <p role="alert" className="pb-3 text-rating-text-1">
    The next page of the results could not be loaded. Step again to retry.
  </p>
)

/** A live region must exist before its text. */
function Announcement({ message }: { message: string }) {
  const [said, setSaid] = useState('')
  useEffect(() => setSaid(message), [message])
  return <LiveRegion message={said} />
}

type RatingContentProps = {
  answer: RatingAnswer
  asof: number | null
  show?: ShowRating
}

function RatingContent({ answer, asof, show }: RatingContentProps) {
  const { data } = answer
  return (
    <div className="flex flex-col gap-3">
      <RatingHeadline answer={answer} as="h2" />
      <RatingStanding answer={answer} asof={asof} show={show} />
      <RatingVotes rating={data} />
      <RatingHistory key={data.id} answer={answer} asof={asof} show={show} heading="h3" />
      <RawJson rating={data} asof={asof} />
    </div>
  )
}

type SheetBarProps = {
  steps: { position: number | null; previous: SheetStep; next: SheetStep; total: number | null }
  onStep: (direction: Direction) => void
  onClose: () => void
  href: string
}

function SheetBar({ steps, onStep, onClose, href }: SheetBarProps) {
  const { position, total } = steps
  return (
    <div className="flex flex-wrap items-center gap-x-1 border-b px-2 py-2 sm:px-3">
      <StepButton name="Previous rating" letter="K" way={steps.previous} onGo={() => onStep(-1)}>
        ↑
      </StepButton>
      <StepButton name="Next rating" letter="J" way={steps.next} onGo={() => onStep(1)}>
        ↓
      </StepButton>
      {position !== null && total !== null && (
        <span className="px-1 text-sm text-ink-3">
          {formatCount(position)} of {formatCount(total)}
        </span>
      )}
      <CopyLink href={href} className="ml-auto" />
      <Link href={href} className={buttonClasses({ variant: 'quiet', size: 'small' })}>
        Open page
      </Link>
      <Button
        variant="quiet"
        size="small"
        aria-label="Close the rating"
        title="Close (Esc)"
        onClick={onClose}
      >
        <span aria-hidden className="text-lg leading-none">
          ×
        </span>
      </Button>
      {position === null && (
        <p className="order-last basis-full px-1 pt-1.5 text-sm text-ink-3">
          Not on this page of the results.
        </p>
      )}
    </div>
  )
}

type StepButtonProps = {
  name: string
  letter: string
  way: SheetStep
  onGo: () => void
  children: string
}

function StepButton({ name, letter, way, onGo, children }: StepButtonProps) {
  const id = useId()
  const why = way.kind === 'none' ? way.why : null
  return (
    <>
      <Button
        size="small"
        aria-label={name}
        aria-keyshortcuts={letter}
        aria-disabled={why !== null}
        aria-describedby={why === null ? undefined : id}
        title={why ?? `${name} (${letter})`}
        onClick={onGo}
      >
        <span aria-hidden>{children}</span>
      </Button>
      {why !== null && (
        <span id={id} className="sr-only">
          {why}
        </span>
      )}
    </>
  )
}

type SheetFrameProps = {
  id: number
  isWide: boolean
  onClose: () => void
  onLeave: (id: number) => void
  frame: RefObject<HTMLDivElement | null>
  children: ReactNode
}

function SheetFrame({ id, isWide, onClose, onLeave, frame, children }: SheetFrameProps) {
  const name = `Rating ${id}`
  if (!isWide) {
    return (
      <Drawer
        ref={frame}
        label={name}
        onClose={onClose}
        className="w-full bg-surface"
        // Announces the dialog's name, not its first button.
        initialFocus={frame}
        finalFocus={() => {
          onLeave(id)
          return false
        }}
      >
        {children}
      </Drawer>
    )
  }
  return (
    <aside
      ref={frame}
      aria-label={name}
      className="absolute inset-y-0 right-0 z-30 flex w-[356px] flex-col overflow-hidden rounded-lg border border-line-2 bg-surface wide:w-[432px] transition-[opacity,translate] starting:translate-x-2 starting:opacity-0"
    >
      {children}
    </aside>
  )
}

const WIDE = '(min-width: 64rem)'

function subscribe(listener: () => void) {
  const media = window.matchMedia(WIDE)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

const useIsWide = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => window.matchMedia(WIDE).matches,
    () => true,
  )

type SheetKeys = {
  open: number
  onClose: () => void
  onStep: (direction: Direction) => void
}

const STEPS: Readonly<Record<string, Direction>> = { j: 1, k: -1 }
const STEPS_WITHIN: Readonly<Record<string, Direction>> = { ArrowRight: 1, ArrowLeft: -1 }

const TAKES_KEYS =
  'input, textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=slider], [role=menu], [role=dialog], details[open]'

type Sheet = {
  frame: RefObject<HTMLElement | null>
  start: RefObject<HTMLElement | null>
  isWide: boolean
}

function useSheetKeys({ frame, start, isWide }: Sheet, keys: SheetKeys) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target instanceof Element ? event.target : document.body
    const isWithin = frame.current?.contains(target) ?? false
    const taker = target.closest(TAKES_KEYS)
    // The sheet and its own `details` take no keys.
    if (taker && taker !== frame.current && !(isWithin && taker.matches('details'))) return
    const letter = areSingleKeysOn() ? STEPS[event.key.toLowerCase()] : undefined
    const step = letter ?? (isWithin && STEPS_WITHIN[event.key])
    if (step) {
      event.preventDefault()
      keys.onStep(step)
    } else if (event.key === 'Escape' && isWide) {
      keys.onClose()
    }
  })
  // Capture phase: before the row acts.
  const onKeyFirst = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (event.key !== 'Enter' || !(target instanceof HTMLTableRowElement)) return
    if (target.dataset.rating !== String(keys.open)) return
    start.current?.focus()
  })
  useLayoutEffect(() => {
    window.addEventListener('keydown', onKeyFirst, true)
    window.addEventListener('keydown', onKeyDown)
    return () => {
      window.removeEventListener('keydown', onKeyFirst, true)
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}
