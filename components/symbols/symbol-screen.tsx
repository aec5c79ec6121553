'use client'

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useCallback, useMemo } from 'react'
import { COMPARE_HEIGHT, FIGURE_CHROME_PX, PANES_HEIGHT } from '#components/charts/chart-sizes.ts'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { IgnoredNotice } from '#components/feedback/ignored-notice.tsx'
import { formatDay } from '#components/format/instants.ts'
import { formatCount } from '#components/format/numbers.ts'
import { toComparedText, toNamedText } from '#components/format/texts.ts'
import { useAsOfHref, useTimedTitle } from '#components/time/as-of.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Arriving } from '#components/ui/fold.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { EmptyState, Notice } from '#components/ui/messages.tsx'
import { useNow } from '#components/ui/use-browser.ts'
import { opinionOptions, symbolOptions } from '#lib/client/symbol-options.ts'
import { useUrlQuery } from '#lib/client/url-query.ts'
import type { Opinion, OpinionAnswer } from '#lib/contract/answers/opinion.ts'
import { asofQuery } from '#lib/contract/api-queries.ts'
import { toAsofParameter } from '#lib/contract/instant-text.ts'
import { toSymbolHref, toSymbolRatingsHref } from '#lib/contract/page-addresses.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { CompareControl } from './compare/compare-control.tsx'
import { ComparePanel } from './compare/compare-panel.tsx'
import { MovesPanel } from './moves/moves-panel.tsx'
import { OpinionPanel, SymbolStats } from './opinion-figures.tsx'
import { toCompareEmbed } from './series/embed-address.ts'
import { type ChangeView, RangeControls, RangeLine } from './series/series-controls.tsx'
import { SeriesFigure } from './series/series-figure.tsx'
import { selectAhead } from './series/series-points.ts'
import {
  readSeriesView,
  type SeriesView,
  symbolPageQuery,
  toSymbolPageParams,
  toSymbolPageQuery,
  withUsualRange,
} from './series-view.ts'
import { SymbolHeader, SymbolName } from './symbol-header.tsx'
import { LatestChanges, RangeRatings } from './symbol-ratings.tsx'
import { VerdictLine } from './verdict-line.tsx'

export function SymbolScreen({ symbol }: { symbol: string }) {
  const { data, error, refetch } = useQuery(symbolOptions(symbol))
  const name = data?.data.name ?? null
  const { view, change, given, ignored, canonicalHref } = useSeriesView(symbol)
  const own = toSymbolKey(symbol)
  useTimedTitle(view.vs.length > 0 ? toComparedText([own, ...view.vs]) : toNamedText(own, name))
  const notice = <IgnoredNotice href={canonicalHref} ignored={ignored} params={given} />
  if (data === undefined) {
    if (error === null) return <SymbolSkeleton />
    return (
      <>
        <SymbolName symbol={symbol} />
        <FailureNotice
          error={error}
          onRetry={() => void refetch()}
          what={`The symbol ${toVisibleText(symbol)}`}
        />
      </>
    )
  }
  const { first_created_at: first, last_created_at: last, as_of: now } = data.meta
  if (view.asof !== null && view.asof < first) {
    return (
      <>
        <SymbolHeader
          name={name}
          opinion={null}
          ratingsHref={toSymbolRatingsHref(symbol)}
          symbol={data.data.symbol}
        />
        {notice}
        <NotYetRated asof={view.asof} first={first} symbol={data.data.symbol} />
      </>
    )
  }
  return (
    <SymbolOpinion
      change={change}
      first={first}
      last={last}
      name={name}
      notice={notice}
      now={now}
      symbol={symbol}
      view={view}
    />
  )
}

/** `canonicalHref` leaves out ignored parameters. */
function useSeriesView(symbol: string) {
  const { params, setQuery } = useUrlQuery(symbolPageQuery)
  const { view, ignored } = useMemo(() => readSeriesView(params, symbol), [params, symbol])
  const change = useCallback(
    (changes: Partial<SeriesView>) => setQuery(toSymbolPageQuery({ ...view, ...changes })),
    [view, setQuery],
  )
  const canonicalHref = toSymbolHref(symbol, toSymbolPageParams(view))
  return { view, change, given: params, ignored, canonicalHref }
}

type ComparedProps = ComponentProps<typeof RangeControls> & { symbol: string }

const Compared = ({ symbol, ...range }: ComparedProps) => (
  <Arriving skeleton={<Skeleton className="rounded-lg" height={COMPARE_HEIGHT} />}>
    <ComparePanel
      embed={toCompareEmbed(symbol, range.view)}
      onChange={range.change}
      query={range.view}
      range={
        <>
          <RangeControls {...range} />
          <RangeLine {...range} drawn={null} />
        </>
      }
      style={range.view}
      symbol={symbol}
      vs={range.view.vs}
    />
  </Arriving>
)

type SymbolOpinionProps = {
  symbol: string
  name: string | null
  view: SeriesView
  change: ChangeView
  notice: ReactNode
  /** Seconds since 1970. */
  first: number
  last: number
  now: number
}

/** `end` is where the past ends; `pending` is the forecast from there. */
function useOpinion({ symbol, first, last, ...props }: SymbolOpinionProps) {
  const answer = useQuery(opinionOptions(symbol, props.view.asof))
  const now = useNow(props.now)
  const { asof } = props.view
  const isToCome = asof !== null && asof > now
  const end = isToCome || asof === null ? props.now : asof
  // For a future instant the past ends now.
  const ahead = useQuery(opinionOptions(symbol, isToCome ? null : asof)).data
  const extent = useMemo(() => ({ from: first, to: end }), [first, end])
  const view = useMemo(
    () => withUsualRange(props.view, { extent, last }),
    [props.view, extent, last],
  )
  const pending = useMemo(
    () => selectAhead(ahead?.data.pending ?? [], view, end),
    [ahead, view, end],
  )
  return { answer, now, isToCome, end, extent, view, pending }
}

function SymbolOpinion(props: SymbolOpinionProps) {
  const { symbol, change, notice } = props
  const { answer, extent, view, ...rest } = useOpinion(props)
  if (answer.isPending) return <SymbolSkeleton />
  const opinion = answer.data?.data ?? null
  return (
    <>
      <SymbolHeader
        actions={<CompareControl onCompare={(vs) => change({ vs })} symbol={symbol} vs={view.vs} />}
        name={props.name}
        opinion={opinion}
        ratingsHref={toSymbolRatingsHref(symbol, { asof: view.asof })}
        symbol={opinion?.symbol ?? symbol}
        vs={view.vs}
      />
      {notice}
      {view.vs.length > 0 ? (
        <Compared change={change} extent={extent} symbol={symbol} view={view} />
      ) : (
        <OwnOpinion
          {...rest}
          answer={answer}
          change={change}
          extent={extent}
          symbol={symbol}
          view={view}
        />
      )}
    </>
  )
}

type OwnOpinionProps = ReturnType<typeof useOpinion> & Pick<SymbolOpinionProps, 'symbol' | 'change'>

function OwnOpinion(props: OwnOpinionProps) {
  const { symbol, change, answer, isToCome, end, extent, view, pending } = props
  const opinion = answer.data?.data ?? null
  return (
    <>
      <Headline answer={answer} isToCome={isToCome} symbol={symbol} view={view} />
      {opinion?.active === 0 && (
        <NobodyActive asof={view.asof} isToCome={isToCome} opinion={opinion} />
      )}
      <div className="grid grid-cols-1 rounded-lg border bg-surface xl:grid-cols-[minmax(0,1fr)_19rem]">
        <SeriesFigure
          change={change}
          extent={extent}
          pending={pending}
          symbol={symbol}
          view={view}
        />
        <OpinionColumn answer={answer} isToCome={isToCome} symbol={symbol} view={view} />
      </div>
      <AfterChart
        // Earlier data has another instant.
        at={answer.isPlaceholderData ? end : (answer.data?.meta.as_of ?? end)}
        change={change}
        extent={extent}
        opinion={opinion}
        symbol={symbol}
        view={view}
      />
    </>
  )
}

const AfterChart = (props: ComponentProps<typeof MovesPanel>) => (
  <div className="min-w-0">
    <MovesPanel {...props} />
    <RangeRatings symbol={props.symbol} view={props.view} />
  </div>
)

type OpinionAreaProps = {
  answer: UseQueryResult<OpinionAnswer>
  view: SeriesView
  isToCome: boolean
}

type HeadlineProps = OpinionAreaProps & { symbol: string }

function Headline({ symbol, answer, view, isToCome }: HeadlineProps) {
  const { data, error, refetch, isPlaceholderData } = answer
  if (data === undefined) {
    return (
      <FailureNotice
        error={error}
        kept="The chart and the ratings below load separately."
        onRetry={() => void refetch()}
        what={`The opinion on ${toVisibleText(symbol)}`}
      />
    )
  }
  return (
    <>
      {!isToCome && <VerdictLine asof={view.asof} at={data.meta.as_of} opinion={data.data} />}
      <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
        <SymbolStats isToCome={isToCome} opinion={data.data} />
      </div>
    </>
  )
}

function OpinionColumn({
  symbol,
  answer: { data, isPlaceholderData },
  view,
  isToCome,
}: OpinionColumnProps) {
  return (
    <aside
      aria-busy={isPlaceholderData}
      aria-label="Opinion"
      className={classNames(
        'border-t p-4 xl:border-t-0 xl:border-l',
        isPlaceholderData && 'opacity-60',
      )}
    >
      {data === undefined ? (
        <LatestChanges asof={view.asof} symbol={symbol} />
      ) : (
        <OpinionPanel
          asof={view.asof}
          at={data.meta.as_of}
          isToCome={isToCome}
          opinion={data.data}
        />
      )}
    </aside>
  )
}

type OpinionColumnProps = OpinionAreaProps & { symbol: string }

type NotYetRatedProps = { symbol: string; asof: number; first: number }

function NotYetRated({ symbol, asof, first }: NotYetRatedProps) {
  const withAsOf = useAsOfHref()
  return (
    <div id="rows" tabIndex={-1} className="rounded-lg border bg-surface">
      <EmptyState
        action={
          <>
            <ButtonLink href={withAsOf(toSymbolHref(symbol, toParams(asofQuery, { asof: first })))}>
              As of {formatDay(first)}
            </ButtonLink>
            <ButtonLink href={withAsOf(toSymbolHref(symbol))}>As of now</ButtonLink>
          </>
        }
        title={`${toVisibleText(symbol)} had no ratings by ${toAsofParameter(asof)}`}
      >
        <p>The first rating came on {formatDay(first)}.</p>
      </EmptyState>
    </div>
  )
}

type NobodyActiveProps = { opinion: Opinion; asof: number | null; isToCome: boolean }

function NobodyActive({ opinion, asof, isToCome }: NobodyActiveProps) {
  const withAsOf = useAsOfHref()
  const count = formatCount(opinion.ratings)
  const when = asof === null ? 'is active now' : `was active on ${formatDay(asof)}`
  return (
    <Notice
      action={
        <ButtonLink
          href={withAsOf(toSymbolRatingsHref(opinion.symbol, { state: 'expired', asof }))}
          size="small"
        >
          Show ended ({count})
        </ButtonLink>
      }
      title={isToCome ? 'If none is renewed, no rating is left by then' : `No rating ${when}`}
    >
      {count} {opinion.ratings === 1 ? 'has' : 'have'} ended. The chart shows the past.
    </Notice>
  )
}

const SKELETON_HEIGHT = PANES_HEIGHT + FIGURE_CHROME_PX

function SymbolSkeleton() {
  return (
    <div aria-busy className="flex flex-col gap-4">
      <p className="sr-only">The symbol is loading.</p>
      <Skeleton height={34} width="14rem" />
      <Skeleton height={28} />
      <Skeleton height={85} />
      <Skeleton className="rounded-lg" height={SKELETON_HEIGHT} />
    </div>
  )
}
