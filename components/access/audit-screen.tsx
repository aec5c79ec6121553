'use client'

import { FilteredList } from '#components/list/filtered-list.tsx'
import type { ListCells } from '#components/list/list-table.tsx'
import { useList } from '#components/list/use-list.ts'
import { EmptyState } from '#components/ui/messages.tsx'
import { auditList, NO_ACCOUNT } from '#lib/contract/lists/audit.ts'
import type { RowOf } from '#lib/contract/lists/define-list.ts'
import { inspectionQuestions } from '#lib/contract/operations/inspection.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

export function AuditScreen() {
  const { view, answer, counts } = useList(auditList.page.path, {
    page: inspectionQuestions.audit,
    facets: inspectionQuestions.auditFacets,
  })
  const { data } = answer
  return (
    <FilteredList
      answer={answer}
      cells={CELLS}
      exported={
        data && {
          counted: { rows: data.page.total, asOf: data.meta.as_of },
          named: { of: 'audit', list: auditList, asked: view.query },
        }
      }
      facets={counts.data?.data}
      list={auditList}
      nothing={
        data?.meta.all === 0 && (
          <EmptyState className="rounded-lg border bg-surface" title="Nothing is logged yet">
            Sign-ins, refusals, exports and account changes are logged once people sign in.
          </EmptyState>
        )
      }
      toKey={toKey}
      view={view}
    />
  )
}

type Entry = RowOf<typeof auditList>

/** Entries may be identical. */
const toKey = (_entry: Entry, index: number) => String(index)

const CELLS: ListCells<Entry> = {
  at: { card: 'end' },
  who: { card: 'name', render: ({ who }) => <bdi>{toVisibleText(who) || NO_ACCOUNT}</bdi> },
  what: { card: 'wide', isWide: true },
  from: { render: ({ from }) => <span className="font-mono text-sm">{from}</span> },
}
