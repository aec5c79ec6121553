'use client'

import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatCount } from '#components/format/numbers.ts'
import { toNamedText } from '#components/format/texts.ts'
import { OTHERS_MAX } from '#components/symbols/series-view.ts'
import { Button } from '#components/ui/button.tsx'
import { Combobox } from '#components/ui/combobox.tsx'
import { symbolsOptions } from '#lib/client/symbol-options.ts'
import { symbolsQuery } from '#lib/contract/lists/symbols.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { fromVisibleText } from '#lib/contract/visible-text.ts'

type CompareControlProps = {
  symbol: string
  vs: readonly string[]
  onCompare: (vs: string[]) => void
}

export function CompareControl({ symbol, vs, onCompare }: CompareControlProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const hasClosed = useRef(false)
  useEffect(() => {
    if (!isOpen && hasClosed.current) button.current?.focus()
    hasClosed.current = isOpen
  }, [isOpen])
  const isFull = vs.length >= OTHERS_MAX
  if (!isOpen || isFull) {
    return (
      <Button
        ref={button}
        aria-disabled={isFull}
        onClick={() => !isFull && setOpen(true)}
        title={isFull ? `At most ${OTHERS_MAX + 1} symbols are compared` : undefined}
      >
        Compare
      </Button>
    )
  }
  const close = () => setOpen(false)
  return (
    <CompareField
      onClose={close}
      onFound={(found) => {
        onCompare([...vs, found])
        close()
      }}
      taken={[toSymbolKey(symbol), ...vs]}
    />
  )
}

type CompareFieldProps = {
  taken: readonly string[]
  onFound: (symbol: string) => void
  onClose: () => void
}

const FOUND = 8

function CompareField({ taken, onFound, onClose }: CompareFieldProps) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const q = fromVisibleText(text).trim()
  const params = toParams(symbolsQuery, { q, per_page: FOUND + taken.length })
  const found = useQuery(symbolsOptions(params))
  const rows = (found.data?.data ?? [])
    .filter((row) => !taken.includes(toSymbolKey(row.symbol)))
    .slice(0, FOUND)
  const choose = (value: string) => onFound(toSymbolKey(value))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && text === '') onClose()
  }
  return (
    <form
      className="flex items-center gap-1"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        const exact = rows.find((row) => toSymbolKey(row.symbol) === toSymbolKey(q))
        if (exact) choose(exact.symbol)
      }}
    >
      <Combobox
        className="w-44"
        field={field}
        emptyText="No other symbol matches"
        label="Compare with"
        onQuery={setText}
        onSelect={choose}
        options={rows.map(({ symbol, name, active }) => ({
          value: symbol,
          label: toNamedText(symbol, name),
          detail: `${formatCount(active)} active`,
        }))}
        placeholder="Compare with…"
        query={text}
        state={found.isError ? 'failed' : found.isFetching ? 'loading' : 'ready'}
      />
      <Button aria-label="Close the comparison’s search" onClick={onClose} variant="quiet">
        ×
      </Button>
    </form>
  )
}
