'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import type { ComponentProps } from 'react'
import { IgnoredNotice } from '#components/address/ignored-notice.tsx'
import { useTimedTitle, ZonedLink } from '#components/address/outlook.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { ListBody } from '#components/league/list-body.tsx'
import { ZonedInstant } from '#components/time/instant.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState, LiveRegion, Notice } from '#components/ui/messages.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import { differenceFacetsOptions, differencesOptions } from '#lib/client/difference-options.ts'
import { editionsOptions } from '#lib/client/query-options.ts'
import type { DifferenceRow, DifferencesPage } from '#lib/contract/answers/edition-differences.ts'
import { EVERY_DIFFERENCE } from '#lib/contract/edition-differences.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { DifferencesFilters } from './edition-differences-filters.tsx'
import { EditionPickers } from './edition-differences-pickers.tsx'
import { DifferencesTable } from './edition-differences-table.tsx'
import { toSentence } from './edition-differences-texts.ts'
import { type DifferencesView, useDifferencesView } from './use-edition-differences.ts'

const ExportControl = dynamic(
  async () => (await import('#components/export/export-control.tsx')).ExportControl,
)

/** What a link at the top of the page leads to, whatever stands there. */
const ROWS = 'rows'
const TITLE = 'Two editions compared'

/** What differs between two weekly dumps of the posts: a sentence, filters with counts, and the rows. */
export function EditionDifferencesScreen() {
  const view = useDifferencesView()
  const answer = useQuery(differencesOptions(view.query))
  const facets = useQuery(differenceFacetsOptions(view.query))
  const formats = useFormats()
  useTimedTitle(TITLE)
  const { data } = answer
  const between = data?.meta.between
  if (data && !between) return <TooFewEditions />
  const { formatCount, formatCounted } = formats
  const total = data?.page.total
  const isSome = data !== undefined && total !== data.meta.all
  return (
    <div className="flex flex-col gap-3">
      <PageHeader
        actions={
          data &&
          between && (
            <ExportControl
              counted={{ ...data.meta.file, asOf: data.meta.as_of }}
              named={{
                of: 'editions/differences',
                asked: {
                  ...view.query,
                  between: { from: between.from.edition, to: between.to.edition },
                },
              }}
              query={view.params}
              shown={null}
            />
          )
        }
        detail={
          data &&
          `${isSome ? `${formatCount(data.page.total)} of ` : ''}${formatCounted(data.meta.all, 'rating')}`
        }
        title={TITLE}
      />
      <IgnoredNotice
        href={view.hrefFor({ page: view.query.page })}
        ignored={view.ignored}
        params={view.given}
      />
      {data && between && (
        <>
          <p className="max-w-[90ch] text-base text-ink-2">
            {toSentence(between, data.meta.kinds, formats)}{' '}
            <ZonedLink className="link print:hidden" href="/docs/changes">
              What counts as what
            </ZonedLink>
          </p>
          <EditionPickers between={between} view={view} />
          <OtherColumns between={between} />
        </>
      )}
      {data?.meta.all === 0 ? (
        <NothingDiffers />
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-[15rem_minmax(0,1fr)] print:block">
          <aside aria-label="Filters" className="min-w-0 max-lg:hidden print:hidden">
            <DifferencesFilters {...view} facets={facets.data?.data} />
          </aside>
          <details className="rounded-lg border bg-surface px-4 py-2 lg:hidden print:hidden">
            <summary className="font-semibold">Filters</summary>
            <div className="pt-3">
              <DifferencesFilters {...view} facets={facets.data?.data} />
            </div>
          </details>
          <div className="flex min-w-0 flex-col gap-3" id={ROWS} tabIndex={-1}>
            <DifferencesBody answer={answer} view={view} />
          </div>
        </div>
      )}
      <LiveRegion message={total === undefined ? '' : formatCounted(total, 'rating')} />
    </div>
  )
}

type Between = NonNullable<DifferencesPage['meta']['between']>

/** Columns that only one of both has: whoever looks for them in the rows shall know why they are not there. */
function OtherColumns({ between: { from, to } }: { between: Between }) {
  const said = [
    { when: 'earlier', names: from.only },
    { when: 'later', names: to.only },
  ].filter(({ names }) => names.length > 0)
  if (said.length === 0) return null
  return (
    <Notice title="The two editions have other columns">
      {said.map(({ when, names }) => (
        <p key={when}>
          Only the {when} one has <bdi>{names.map((name) => toVisibleText(name)).join(', ')}</bdi>.
        </p>
      ))}
      <p>What only one of them has is not compared.</p>
    </Notice>
  )
}

function TooFewEditions() {
  const { data } = useQuery(editionsOptions())
  const [current] = data?.data.posts ?? []
  return (
    <div className="flex flex-col gap-3" id={ROWS} tabIndex={-1}>
      <PageHeader title={TITLE} />
      <EmptyState
        action={<ButtonLink href="/downloads">Downloads</ButtonLink>}
        className="rounded-lg border bg-surface"
        title={current ? 'Only one edition is kept yet' : 'No edition is kept yet'}
      >
        Two weekly dumps of the posts can be compared once both are kept here.{' '}
        {current && (
          <>
            The service makes the next one at <ZonedInstant seconds={current.next_due_at} />.
          </>
        )}
      </EmptyState>
    </div>
  )
}

const NothingDiffers = () => (
  <div id={ROWS} tabIndex={-1}>
    <EmptyState
      className="rounded-lg border bg-surface"
      title="These two editions hold the same ratings"
    >
      No rating was added, none went, and no field of any changed. Another pair may differ.
    </EmptyState>
  </div>
)

type BodyProps = {
  view: DifferencesView
  answer: ComponentProps<typeof ListBody<DifferenceRow>>['answer']
}

function DifferencesBody({ view, answer }: BodyProps) {
  const { from, to } = view.query
  return (
    <ListBody
      answer={answer}
      besideFailure={
        (from !== null || to !== null) && (
          <p>
            <ZonedLink className="link" href={view.hrefFor({ from: null, to: null })}>
              Compare the two newest editions
            </ZonedLink>
          </p>
        )
      }
      empty={<NoDifference view={view} />}
      one="rating"
      view={view}
      what="The differences"
    >
      {(rows, isDimmed) => <DifferencesTable isDimmed={isDimmed} rows={rows} view={view} />}
    </ListBody>
  )
}

function NoDifference({ view }: { view: DifferencesView }) {
  const { kind, field, symbol, user } = EVERY_DIFFERENCE
  return (
    <EmptyState
      action={
        <ButtonLink href={view.hrefFor({ kind, field, symbol, user })}>
          Take every filter away
        </ButtonLink>
      }
      className="rounded-lg border bg-surface"
      title="No rating that differs passes these filters"
    >
      The counts beside each filter say what would be left without it.
    </EmptyState>
  )
}
