'use client'

import { useState } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Segmented } from '#components/ui/segmented.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { useOrigin } from '#components/ui/use-now.ts'
import type { Dump } from '#lib/contract/answers/state.ts'
import { dumpCommands } from './dump-names.ts'

type View = 'rows' | 'columns' | 'commands'

/** What is in a dump and how to reach it from elsewhere; one height, whatever is chosen. */
export function DumpContents({ dump, origin }: { dump: Dump; origin: string }) {
  const [view, setView] = useState<View>('rows')
  return (
    <>
      <Segmented
        label={`Show of the ${dump.kind} dump`}
        value={view}
        onChange={setView}
        className="-ml-2.5"
        options={[
          { value: 'rows', label: 'First rows' },
          { value: 'columns', label: `${dump.columns.length} columns` },
          { value: 'commands', label: 'Use it elsewhere' },
        ]}
      />
      <div className="flex min-h-64 min-w-0 grow flex-col lg:min-h-0 lg:overflow-y-auto">
        {view === 'rows' && <FirstRows dump={dump} />}
        {view === 'columns' && <Columns dump={dump} />}
        {view === 'commands' && <Commands dump={dump} origin={origin} />}
      </div>
    </>
  )
}

function FirstRows({ dump: { kind, columns, first_rows } }: { dump: Dump }) {
  const isNumeric = (index: number) => columns[index]?.type !== 'text'
  return (
    <TableFrame
      bare
      aria-label={`First rows of the ${kind} dump`}
      className="min-h-0 max-lg:max-h-64"
    >
      <Table aria-label={`First rows of the ${kind} dump`}>
        <TableHead className="sticky top-0 bg-surface">
          {columns.map(({ name }, index) => (
            <HeaderCell key={name} numeric={isNumeric(index)} className="first:pl-0">
              {name}
            </HeaderCell>
          ))}
        </TableHead>
        <tbody>
          {first_rows.map((cells) => (
            <Row key={cells.join()} compact>
              {cells.map((cell, index) => (
                <Cell
                  key={columns[index]?.name}
                  numeric={isNumeric(index)}
                  className="max-w-64 truncate text-sm first:pl-0"
                >
                  {cell}
                </Cell>
              ))}
            </Row>
          ))}
        </tbody>
      </Table>
    </TableFrame>
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
