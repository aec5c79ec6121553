'use client'

import { useQuery } from '@tanstack/react-query'
import type { ListView } from '#components/address/use-list-view.ts'
import { formatEdition } from '#components/format/instants.ts'
import { Select } from '#components/ui/fields.tsx'
import { editionsOptions } from '#lib/client/edition-options.ts'
import type { DifferencesPage } from '#lib/contract/answers/edition-differences.ts'
import type { EditionEntry } from '#lib/contract/answers/status.ts'
import type { DifferencesQuery } from '#lib/contract/lists/edition-differences.ts'

type PickersProps = {
  view: Pick<ListView<DifferencesQuery>, 'change'>
  between: NonNullable<DifferencesPage['meta']['between']>
}

export function EditionPickers({ view, between }: PickersProps) {
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
