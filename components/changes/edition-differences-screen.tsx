'use client'

import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { AsOfLink } from '#components/address/as-of.tsx'
import type { ListView } from '#components/address/use-list-view.ts'
import { formatEdition } from '#components/format/instants.ts'
import { FilteredList } from '#components/list/filtered-list.tsx'
import { useList } from '#components/list/use-list.ts'
import { InstantButton } from '#components/time/instant.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Select } from '#components/ui/fields.tsx'
import { EmptyState, Notice } from '#components/ui/messages.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import { editionsOptions } from '#lib/client/edition-options.ts'
import type { DifferenceRow, DifferencesPage } from '#lib/contract/answers/edition-differences.ts'
import type { EditionEntry } from '#lib/contract/answers/status.ts'
import { type DifferencesQuery, differenceList } from '#lib/contract/lists/edition-differences.ts'
import { differenceQuestions } from '#lib/contract/operations/edition-differences.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { DIFFERENCE_CELLS } from './edition-differences-table.tsx'
import { toSentence } from './edition-differences-texts.ts'

const ROWS = 'rows'
export function EditionDifferencesScreen() {
  const { view, answer, counts } = useList(differenceList.page.path, {
    page: differenceQuestions.differences,
    facets: differenceQuestions.differenceFacets,
  })
  const { data } = answer
  const between = data?.meta.between
  if (data && !between) return <TooFewEditions />
  const { from, to } = view.query
  return (
    <FilteredList
      answer={answer}
      besideFailure={
        (from !== null || to !== null) && (
          <p>
            <AsOfLink className="link" href={view.hrefFor({ from: null, to: null })}>
              Compare the two newest editions
            </AsOfLink>
          </p>
        )
      }
      cells={DIFFERENCE_CELLS}
      exported={
        data && between
          ? {
              counted: { rows: data.meta.file.rows, asOf: data.meta.as_of },
              named: {
                of: 'editions/differences',
                list: differenceList,
                asked: {
                  ...view.query,
                  from: between.from.edition,
                  to: between.to.edition,
                },
              },
            }
          : undefined
      }
      facets={counts.data?.data}
      head={data && between && <Head between={between} data={data} view={view} />}
      list={differenceList}
      name="Differences"
      nothing={data?.meta.all === 0 ? <NothingDiffers /> : undefined}
      toKey={toKey}
      view={view}
    />
  )
}

const toKey = ({ id_text }: DifferenceRow) => id_text

type HeadProps = ComponentProps<typeof EditionPickers> & { data: DifferencesPage }

function Head({ between, data, view }: HeadProps) {
  return (
    <>
      <p className="max-w-[90ch] text-base text-ink-2">
        {toSentence(between, data.meta.kinds)}{' '}
        <AsOfLink className="link print:hidden" href="/docs/files#two-editions">
          How changes are classified
        </AsOfLink>
      </p>
      <EditionPickers between={between} view={view} />
      <OtherColumns between={between} />
    </>
  )
}

type ComparedEditions = NonNullable<DifferencesPage['meta']['between']>

function OtherColumns({ between: { from, to } }: { between: ComparedEditions }) {
  const said = [
    { when: 'earlier', names: from.only },
    { when: 'later', names: to.only },
  ].filter(({ names }) => names.length > 0)
  if (said.length === 0) return null
  return (
    <Notice title="The two editions have different columns">
      {said.map(({ when, names }) => (
        <p key={when}>
          Only the {when} edition has{' '}
          <bdi>{names.map((name) => toVisibleText(name)).join(', ')}</bdi>.
        </p>
      ))}
      <p>Columns that only one edition has are not compared.</p>
    </Notice>
  )
}

function TooFewEditions() {
  const { data } = useQuery(editionsOptions())
  const [current] = data?.data.posts ?? []
  return (
    <div className="flex flex-col gap-3" id={ROWS} tabIndex={-1}>
      <PageHeader title={differenceList.page.title} />
      <EmptyState
        action={<ButtonLink href="/downloads">Downloads</ButtonLink>}
        className="rounded-lg border bg-surface"
        title={current ? 'Only one edition is available' : 'No edition is available yet'}
      >
        Two weekly posts dumps can be compared once both are stored here.{' '}
        {current && (
          <>
            The service makes the next one at <InstantButton seconds={current.next_due_at} />.
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
      No rating was added, removed or changed. Try a different pair.
    </EmptyState>
  </div>
)

type PickersProps = {
  view: Pick<ListView<DifferencesQuery>, 'change'>
  between: NonNullable<DifferencesPage['meta']['between']>
}

function EditionPickers({ view, between }: PickersProps) {
  const { data } = useQuery(editionsOptions())
  const kept = data?.data.posts ?? []
  const [from, to] = [between.from.edition, between.to.edition]
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
      <Select
        label="From"
        onChange={({ target }) => view.change({ from: target.value, to })}
        options={toOptions(kept, from, (edition) => edition < to)}
        value={from}
      />
      <Select
        label="To"
        onChange={({ target }) => view.change({ from, to: target.value })}
        options={toOptions(kept, to, (edition) => edition > from)}
        value={to}
      />
    </div>
  )
}

function toOptions(
  kept: readonly EditionEntry[],
  chosen: string,
  isOther: (edition: string) => boolean,
) {
  const others = kept.filter(({ edition }) => edition === chosen || isOther(edition))
  const asides = new Set(kept.filter(({ state }) => state === 'aside').map((one) => one.edition))
  const names = new Set([...others.map(({ edition }) => edition), chosen])
  return [...names]
    .sort((a, b) => b.localeCompare(a))
    .map((value) => ({
      value,
      label: `${toSunday(value)}${asides.has(value) ? ', set aside' : ''}`,
    }))
}

const toSunday = (edition: string) => formatEdition(edition).split(',')[0] ?? edition
