'use client'

import { toVisibleExcerpt } from '#components/format/texts.ts'
import { FilteredList } from '#components/list/filtered-list.tsx'
import type { ListCells } from '#components/list/list-table.tsx'
import { useList } from '#components/list/use-list.ts'
import { EmptyState } from '#components/ui/messages.tsx'
import type { QuarantinedRow } from '#lib/contract/answers/status.ts'
import { quarantineList } from '#lib/contract/lists/quarantine.ts'
import { inspectionQuestions } from '#lib/contract/operations/inspection.ts'

export function QuarantineScreen() {
  const { view, answer, counts } = useList(quarantineList.page.path, {
    page: inspectionQuestions.quarantine,
    facets: inspectionQuestions.quarantineFacets,
  })
  const { data } = answer
  return (
    <FilteredList
      answer={answer}
      cells={CELLS}
      exported={
        data && {
          counted: { rows: data.page.total, asOf: data.meta.as_of },
          named: { of: 'quarantine', list: quarantineList, asked: view.query },
        }
      }
      facets={counts.data?.data}
      list={quarantineList}
      nothing={
        data?.meta.all === 0 && (
          <EmptyState
            className="rounded-lg border bg-surface"
            title="Every row received is a valid rating"
          />
        )
      }
      toKey={toKey}
      view={view}
    />
  )
}

/** Rows may be identical in every column. */
const toKey = (_row: QuarantinedRow, index: number) => String(index)

const CELLS: ListCells<QuarantinedRow> = {
  at: { card: 'end' },
  reason: { card: 'name' },
  raw: {
    card: 'wide',
    isWide: true,
    render: ({ raw }) => (
      <bdi className="font-mono text-sm text-ink-2" dir="ltr">
        {toVisibleExcerpt(raw)}
      </bdi>
    ),
  },
}
