'use client'

import { useEffect, useState } from 'react'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatConsensus, formatCounted } from '#components/format/numbers.ts'
import { ConsensusChange } from '#components/marks/consensus-change.tsx'
import { RatingMark } from '#components/marks/rating-marks.tsx'
import type { LastSeen, WatchedKind } from '#components/store/stored-state.ts'
import { AsOfLink, AsOfProvider } from '#components/time/as-of.tsx'
import { Instant } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { useInBrowser, useVisible } from '#components/ui/use-browser.ts'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { toNewRatings, toTotal } from './last-seen.ts'
import { toNewsAddress } from './news-address.ts'
import { NothingWatched } from './nothing-watched.tsx'
import { StarIcon } from './star-button.tsx'
import { growthOf, toStarId, updateStars, withLook, withoutStar, withStar } from './stars.ts'
import { StorageNotice } from './storage-notice.tsx'
import { useWatching } from './use-watching.ts'
import { toLooks, type WatchedLine } from './watched-lines.ts'

export const WatchingScreen = () => (
  <AsOfProvider asof={null}>
    <WatchedThings />
  </AsOfProvider>
)

function WatchedThings() {
  const isHere = useInBrowser()
  const { lines, error, refetch } = useWatching()
  const fresh = useLook(lines)
  const [taken, setTaken] = useState<WatchedLine | null>(null)
  const [teaches, setTeaches] = useState(false)
  if (isHere && lines.length === 0 && !teaches) setTeaches(true)
  const total = toTotal(lines.filter(({ id }) => fresh.has(id)).map(toTold))
  return (
    <>
      <PageHeader title="Watching" detail={<Summary total={total} count={lines.length} />} />
      <StorageNotice />
      {error !== null && <FailureNotice error={error} onRetry={refetch} what="What you watch" />}
      {taken !== null && (
        <Notice
          title={`${taken.label} is not watched any more`}
          action={
            <Button
              onClick={() => {
                updateStars((stars) => withStar(stars, taken.star))
                setTaken(null)
              }}
            >
              Undo<span className="sr-only"> removing the star</span>
            </Button>
          }
        />
      )}
      {!isHere && <Skeleton className="rounded-lg" height={SKELETON_PX} />}
      {teaches && <NothingWatched isStill={lines.length === 0} />}
      {KINDS.map(({ kind, title }) => (
        <Kind
          key={kind}
          title={title}
          lines={lines.filter(({ star }) => star.kind === kind)}
          fresh={fresh}
          onTake={(line) => {
            setTaken(line)
            updateStars((stars) => withoutStar(stars, line.star))
          }}
        />
      ))}
    </>
  )
}

const SKELETON_PX = 240

const KINDS: readonly { kind: WatchedKind; title: string }[] = [
  { kind: 'symbol', title: 'Symbols' },
  { kind: 'user', title: 'Users' },
  { kind: 'view', title: 'Views' },
]

const toTold = ({ star }: WatchedLine) =>
  toNewRatings(star.before, star.seen ?? EMPTY, growthOf(star))

const EMPTY: LastSeen = {
  ratings: 0,
  newest: [],
  newestAt: null,
  consensus: null,
  active: 0,
  at: 0,
  generation: 0,
  of: '',
}

function useLook(lines: readonly WatchedLine[]): ReadonlySet<string> {
  const isSeen = useVisible()
  const [fresh, setFresh] = useState<ReadonlySet<string>>(() => new Set())
  useEffect(() => {
    if (!isSeen) return
    const found = lines.filter(({ id, news }) => news.count > 0 && !fresh.has(id))
    updateStars((stars) => withLook(stars, toLooks(lines), (star) => fresh.has(toStarId(star))))
    if (found.length > 0) setFresh(new Set([...fresh, ...found.map(({ id }) => id)]))
  }, [lines, isSeen, fresh])
  return fresh
}

type KindProps = {
  title: string
  lines: readonly WatchedLine[]
  fresh: ReadonlySet<string>
  onTake: (line: WatchedLine) => void
}

function Kind({ title, lines, fresh, onTake }: KindProps) {
  if (lines.length === 0) return null
  return (
    <Panel title={title}>
      <ul aria-label={`Watched ${title.toLowerCase()}`} className="border-t">
        {lines.map((line) => (
          <Line
            key={line.id}
            line={line}
            isFresh={fresh.has(line.id)}
            onTake={() => onTake(line)}
          />
        ))}
      </ul>
    </Panel>
  )
}

type LineProps = { line: WatchedLine; isFresh: boolean; onTake: () => void }

function Line({ line, isFresh, onTake }: LineProps) {
  const { label, detail, href, gone } = line
  const shown = toVisibleText(label)
  return (
    <li className="watched-line">
      <p className="watched-name">
        {href === null ? (
          <bdi className="font-semibold text-ink-3">{shown}</bdi>
        ) : (
          <AsOfLink href={href} className="link min-w-0 font-semibold wrap-anywhere">
            <bdi>{shown}</bdi>
          </AsOfLink>
        )}
        {detail !== null && (
          <bdi className="min-w-0 truncate text-sm text-ink-3">{toVisibleText(detail)}</bdi>
        )}
      </p>
      {gone === null ? (
        <>
          <NewsOf line={line} isFresh={isFresh} />
          <Moved line={line} />
        </>
      ) : (
        <p className="watched-news text-ink-3 md:col-span-2">{gone}</p>
      )}
      <span className="watched-star print:hidden">
        <button
          type="button"
          aria-pressed
          aria-label={`Watch ${shown}`}
          title={`Watch ${shown}`}
          className="icon-button star-button"
          onClick={onTake}
        >
          <StarIcon />
        </button>
      </span>
    </li>
  )
}

function NewsOf({ line, isFresh }: { line: WatchedLine; isFresh: boolean }) {
  const { star, held } = line
  const { seen, before } = star
  const told = toTold(line)
  if (held === null) return <p className="watched-news text-ink-3">…</p>
  if (before === null || told.count === 0) {
    return (
      <p className="watched-news text-ink-3">
        Nothing new{seen !== null && <Since at={seen.at} word="since" />}
      </p>
    )
  }
  const { href, isExact } = toNewsAddress(star, before, told)
  const noun = star.kind === 'view' ? 'match' : 'rating'
  const nouns = star.kind === 'view' ? 'matches' : 'ratings'
  const what = formatCounted(
    told.count,
    isFresh ? `new ${noun}` : noun,
    isFresh ? `new ${nouns}` : nouns,
  )
  return (
    <p className="watched-news">
      <AsOfLink
        href={href}
        className={isFresh ? 'link font-semibold' : 'link'}
        title={
          isExact ? undefined : 'More ratings than are listed one by one: those posted since then'
        }
      >
        {what}
      </AsOfLink>
      <Since at={before.at} word={isFresh ? 'since' : 'seen; since'} />
    </p>
  )
}

const Since = ({ at, word }: { at: number; word: string }) => (
  <span className="text-sm text-ink-3">
    {' '}
    {word} <Instant seconds={at} />
  </span>
)

function Moved({ line: { star } }: { line: WatchedLine }) {
  const { seen, before } = star
  if (star.kind !== 'symbol' || seen === null) return <span className="watched-moved" />
  if (seen.consensus === null) return <p className="watched-moved text-ink-3">None active</p>
  const after = toCode(seen.consensus)
  if (before === null || before.consensus === null || before.consensus === seen.consensus) {
    return (
      <p className="watched-moved">
        <span className="tabular-nums">{formatConsensus(seen.consensus)}</span>{' '}
        <RatingMark code={after} />
      </p>
    )
  }
  const then = toCode(before.consensus)
  return (
    <p className="watched-moved flex flex-wrap items-baseline gap-x-2">
      <span className="tabular-nums">
        <span className="text-ink-3">{formatConsensus(before.consensus)} ➝</span>{' '}
        {formatConsensus(seen.consensus)}
      </span>
      <ConsensusChange of={toDifference(before.consensus, seen.consensus)} />
      {then === after ? (
        <RatingMark code={after} />
      ) : (
        <span>
          turned: <span className="text-ink-3">{ratingLabel(then)} ➝</span>{' '}
          <RatingMark code={after} />
        </span>
      )}
    </p>
  )
}

/** Halves round up. */
const toCode = (consensus: string): number => Math.floor(Number(consensus) + 0.5)

/** 4 places. */
export function toDifference(before: string, after: string): string {
  const units = Number(after.replace('.', '')) - Number(before.replace('.', ''))
  const digits = String(Math.abs(units)).padStart(5, '0')
  return `${units < 0 ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
}

function Summary({ total, count }: { total: number; count: number }) {
  const text = total === 0 ? 'Nothing new' : formatCounted(total, 'new rating')
  return <p role="status">{count === 0 ? '' : text}</p>
}
