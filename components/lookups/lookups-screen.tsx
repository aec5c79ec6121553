'use client'

import { formatEdition } from '#components/format/instants.ts'
import { FilteredList } from '#components/list/filtered-list.tsx'
import type { ListCells } from '#components/list/list-table.tsx'
import { useList } from '#components/list/use-list.ts'
import { AsOfLink, SymbolLink } from '#components/time/as-of.tsx'
import { Instant } from '#components/time/instant.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import type { LookupRow, LookupsPage } from '#lib/contract/answers/lookups.ts'
import { lookupList } from '#lib/contract/lists/lookups.ts'
import { lookupQuestions } from '#lib/contract/operations/ratings.ts'

export function LookupsScreen() {
  const { view, answer, counts } = useList(lookupList.page.path, {
    page: lookupQuestions.lookups,
    facets: lookupQuestions.lookupFacets,
  })
  const { data } = answer
  if (data && data.meta.known_to === null) return <NoLookups />
  return (
    <FilteredList
      actions={<TimeMachine />}
      answer={answer}
      cells={CELLS}
      exported={
        data && {
          counted: { rows: data.page.total, asOf: data.meta.as_of },
          named: { of: 'lookups', list: lookupList, asked: view.query },
        }
      }
      facets={counts.data?.data}
      head={data && <KnownLine meta={data.meta} />}
      list={lookupList}
      toKey={toKey}
      view={view}
    />
  )
}

/** Rows may be identical in every column. */
const toKey = (row: LookupRow, index: number) =>
  `${index} ${row.id} ${row.created_at} ${row.symbol}`

const CELLS: ListCells<LookupRow> = {
  created_at: { card: 'end' },
  symbol: {
    card: 'name',
    render: ({ symbol }) => <SymbolLink className="link font-semibold" symbol={symbol} />,
  },
  id: { render: ({ id }) => <span className="text-ink-3">{id ?? '–'}</span> },
}

function KnownLine({ meta }: { meta: LookupsPage['meta'] }) {
  if (meta.known_to === null) return null
  return (
    <p className="text-ink-3">
      Symbols looked up in trading rooms, known up to <Instant seconds={meta.known_to} /> from the
      dump of {formatEdition(meta.edition ?? '')}.{' '}
      <AsOfLink className="link" href="/docs/files#look-ups">
        Source
      </AsOfLink>
    </p>
  )
}

const NoLookups = () => (
  <div className="flex flex-col gap-3">
    <PageHeader title={lookupList.page.title} />
    <EmptyState
      action={<ButtonLink href="/downloads">Look-ups dump</ButtonLink>}
      className="rounded-lg border bg-surface"
      title="No look-ups are known yet"
    >
      Look-ups come from the weekly lookups dump. Its card under Downloads shows progress and
      errors.
    </EmptyState>
  </div>
)
