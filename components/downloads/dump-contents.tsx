'use client'

import { useState } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Segmented } from '#components/ui/segmented.tsx'
import { useOrigin } from '#components/ui/use-now.ts'
import type { Dump } from '#lib/contract/answers/status.ts'
import { dumpCommands } from './dump-names.ts'
import { EditionList } from './edition-list.tsx'
import { FirstRows } from './first-rows.tsx'

type View = 'rows' | 'columns' | 'changes' | 'earlier' | 'commands'

/** What is in a dump and how to reach it from elsewhere; one height, whatever is chosen. */
export function DumpContents({ dump, origin }: { dump: Dump; origin: string }) {
  const [view, setView] = useState<View>('rows')
  return (
    <>
      <Segmented
        label={`Show of the ${dump.kind} dump`}
        value={view}
        onChange={setView}
        className="-ml-2.5 flex-wrap"
        options={[
          { value: 'rows', label: 'First rows' },
          { value: 'columns', label: `${dump.columns.length} columns` },
          { value: 'changes', label: 'Changes' },
          { value: 'earlier', label: 'Earlier editions' },
          { value: 'commands', label: 'Use it elsewhere' },
        ]}
      />
      <div className="flex min-h-64 min-w-0 grow flex-col lg:min-h-0 lg:overflow-y-auto">
        {view === 'rows' && <FirstRows dump={dump} />}
        {view === 'changes' && <EditionList kind={dump.kind} view="changes" />}
        {view === 'earlier' && <EditionList kind={dump.kind} view="files" />}
        {view === 'columns' && <Columns dump={dump} />}
        {view === 'commands' && <Commands dump={dump} origin={origin} />}
      </div>
    </>
  )
}

const Columns = ({ dump: { columns } }: { dump: Dump }) => (
  <dl className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-x-8 pt-1">
    {columns.map(({ name, type }) => (
      <div key={name} className="flex min-h-[26px] items-center justify-between gap-3 border-b">
        <dt className="font-mono text-sm">{name}</dt>
        <dd className="text-sm text-ink-3">{type}</dd>
      </div>
    ))}
  </dl>
)

function Commands({ dump, origin }: { dump: Dump; origin: string }) {
  return (
    <ul className="flex flex-col gap-3 pt-1">
      {dumpCommands(dump, useOrigin(origin)).map(({ name, text }) => (
        <li key={name} className="flex flex-col gap-1">
          <div className="flex items-center justify-between">
            <span className="text-sm font-medium text-ink-2">{name}</span>
            <CopyButton text={text} what={`${name} line for the ${dump.kind} dump`} />
          </div>
          <code className="block rounded-md bg-sunk px-3 py-2 font-mono text-sm wrap-anywhere">
            {text}
          </code>
        </li>
      ))}
    </ul>
  )
}
