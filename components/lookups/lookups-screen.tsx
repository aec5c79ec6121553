'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { IgnoredNotice } from '#components/address/ignored-notice.tsx'
import { useTimedTitle, ZonedLink } from '#components/address/outlook.tsx'
import { toNextSort, toSymbolHref } from '#components/address/page-address.ts'
import { formatEdition } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ListBody } from '#components/league/list-body.tsx'
import { ZonedInstant } from '#components/time/instant.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Skeleton } from '#components/ui/loading.tsx'
import { EmptyState, LiveRegion } from '#components/ui/messages.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import { Cell, Row, SortHeader, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { lookupFacetsOptions, lookupsOptions } from '#lib/client/lookups-options.ts'
import type { LookupsPage } from '#lib/contract/answers/lookups.ts'
import { EVERY_LOOKUP, type LookupField } from '#lib/contract/lookups-query.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { ATTENTION, AttentionPanel } from './attention-panel.tsx'
import { LookupsFilters } from './lookups-filters.tsx'
import { LookupsTimeline } from './lookups-timeline.tsx'
import { type LookupsView, useLookupsView } from './use-lookups.ts'

const ExportControl = dynamic(
  async () => (await import('#components/export/export-control.tsx')).ExportControl,
)

const TIMELINE_PX = 86

/** Every look-up: filters with counts, when it was, and the rows. */
export function LookupsScreen() {
  const view = useLookupsView()
  const answer = useQuery(lookupsOptions(view.query))
  const facets = useQuery(lookupFacetsOptions(view.query))
  const { formatCount, formatCounted } = useFormats()
  useTimedTitle('Look-ups')
  const { data } = answer
  if (data && data.meta.known_to === null) return <NoLookups />
  const total = data?.page.total
  const bins = facets.data?.data.created
  return (
    <div className="flex flex-col gap-3">
      <PageHeader
        actions={
          <>
            <TimeMachine />
            {data && (
              <ExportControl
                counted={{ rows: data.page.total, all: data.meta.all, asOf: data.meta.as_of }}
                named={{ of: 'lookups', asked: view.query }}
                query={view.params}
                shown={null}
              />
            )}
          </>
        }
        detail={
          data &&
          `${data.page.total === data.meta.all ? '' : `${formatCount(data.page.total)} of `}${formatCounted(data.meta.all, 'look-up')}`
        }
        title="Look-ups"
      />
      <IgnoredNotice
        href={view.hrefFor({ page: view.query.page })}
        ignored={view.ignored}
        params={view.given}
      />
      {data && <KnownLine meta={data.meta} />}
      <div className="grid items-start gap-4 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <aside aria-label="Filters" className="min-w-0 max-lg:hidden print:hidden">
          <LookupsFilters {...view} facets={facets.data?.data} />
        </aside>
        <details className="rounded-lg border bg-surface px-4 py-2 lg:hidden print:hidden">
          <summary className="font-semibold">Filters</summary>
          <div className="pt-3">
            <LookupsFilters {...view} facets={facets.data?.data} />
          </div>
        </details>
        <div className="flex min-w-0 flex-col gap-3">
          {bins ? (
            bins.length > 0 && <LookupsTimeline {...view} bins={bins} />
          ) : (
            <Skeleton className="rounded-lg" height={TIMELINE_PX} />
          )}
          <ListBody
            answer={answer}
            empty={<EmptyLookups view={view} />}
            one="look-up"
            view={view}
            what="The look-ups"
          >
            {(rows, isDimmed) => <LookupsTable isDimmed={isDimmed} rows={rows} view={view} />}
          </ListBody>
        </div>
      </div>
      <AttentionPanel asof={view.query.asof} />
      <LiveRegion message={total === undefined ? '' : formatCounted(total, 'look-up')} />
    </div>
  )
}

/** Up to when anything is known: what comes later is not nothing. */
function KnownLine({ meta }: { meta: LookupsPage['meta'] }) {
  if (meta.known_to === null) return null
  return (
    <p className="text-ink-3">
      Somebody asked for a symbol in a trading room. Known up to{' '}
      <ZonedInstant seconds={meta.known_to} />, from the dump of {formatEdition(meta.edition ?? '')}
      ; what was asked after that is not known yet.{' '}
      <ZonedLink className="link" href="/docs/lookups">
        What is read
      </ZonedLink>{' '}
      ·{' '}
      <a className="link" href={`#${ATTENTION}`}>
        Where attention goes
      </a>
    </p>
  )
}

const NoLookups = () => (
  <div className="flex flex-col gap-3">
    <PageHeader title="Look-ups" />
    <EmptyState
      action={<ButtonLink href="/downloads">Look-ups dump</ButtonLink>}
      className="rounded-lg border bg-surface"
      title="No look-ups are known yet"
    >
      They come from the weekly lookups dump: once it is kept here, it is read. Its card says where
      it stands, and why it cannot be read if it cannot.
    </EmptyState>
  </div>
)

type Column = { name: LookupField; label: string; numeric?: true; usual: 'asc' | 'desc' }

const COLUMNS: readonly Column[] = [
  { name: 'created_at', label: 'Looked up', usual: 'desc' },
  { name: 'symbol', label: 'Symbol', usual: 'asc' },
  { name: 'source', label: 'Source', usual: 'asc' },
  { name: 'room_id', label: 'Room', numeric: true, usual: 'asc' },
  { name: 'id', label: 'Id', numeric: true, usual: 'desc' },
]

type TableProps = {
  view: LookupsView
  rows: readonly LookupsPage['data'][number][]
  isDimmed: boolean
}

function LookupsTable({ view, rows, isDimmed }: TableProps) {
  const { sort } = view.query
  return (
    <TableFrame aria-label="Look-ups" className={classNames(isDimmed && 'opacity-60')}>
      <Table aria-busy={isDimmed} aria-label="Look-ups">
        <TableHead>
          {COLUMNS.map(({ name, label, numeric, usual }) => {
            const next = toNextSort(sort, name, usual)
            return (
              <SortHeader
                key={name}
                direction={sort.column === name ? sort.direction : null}
                href={view.hrefFor({ sort: next })}
                label={label}
                numeric={numeric ?? false}
                onSort={() => view.change({ sort: next })}
              />
            )
          })}
        </TableHead>
        <tbody id="rows" tabIndex={-1}>
          {toKeyed(rows).map(({ key, row }) => (
            <Row key={key}>
              <Cell>
                <ZonedInstant seconds={row.created_at} />
              </Cell>
              <Cell>
                <ZonedLink className="link font-semibold" href={toSymbolHref(row.symbol)}>
                  <bdi>{toVisibleText(row.symbol)}</bdi>
                </ZonedLink>
              </Cell>
              <Cell>
                <bdi>{toVisibleText(row.source ?? '–')}</bdi>
              </Cell>
              <Cell numeric>
                <bdi>{toVisibleText(row.room_id ?? '–')}</bdi>
              </Cell>
              <Cell muted numeric>
                {row.id ?? '–'}
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

/** Two look-ups may be alike in every column: they are told apart by which of them comes first. */
function toKeyed(rows: TableProps['rows']) {
  const seen = new Map<string, number>()
  return rows.map((row) => {
    const text = [row.id, row.created_at, row.symbol, row.source, row.room_id].join(' ')
    const times = (seen.get(text) ?? 0) + 1
    seen.set(text, times)
    return { key: `${text} ${times}`, row }
  })
}

function EmptyLookups({ view }: { view: LookupsView }) {
  const { symbol, source, room, from, to } = EVERY_LOOKUP
  return (
    <EmptyState
      action={
        <ButtonLink href={view.hrefFor({ symbol, source, room, from, to })}>
          Take every filter away
        </ButtonLink>
      }
      className="rounded-lg border bg-surface"
      title="No look-up passes these filters"
    >
      The counts beside each filter say what would be left without it.
    </EmptyState>
  )
}
