'use client'

import { useSearchParams } from 'next/navigation'
import { createMultiParser, useQueryStates } from 'nuqs'
import { useCallback, useMemo } from 'react'
import {
  type Parameters,
  type QuerySchema,
  readLeniently,
  toParams,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'

/** A function gets the latest query, which a render may not have seen yet. */
type Change<Q> = Partial<Q> | ((query: Q) => Partial<Q>)

type SetQuery<Q> = (change: Change<Q>, history?: 'push' | 'replace') => void

/** Texts as in the address: `readLeniently` reads them together, as the server does. */
const texts = createMultiParser<readonly string[]>({
  parse: (values) => values,
  serialize: (values) => [...values],
})

type Texts = Readonly<Record<string, readonly string[] | null>>

const toUrlParams = (all: Texts) =>
  new URLSearchParams(
    Object.entries(all).flatMap(([name, values]) =>
      (values ?? []).map((value): [string, string] => [name, value]),
    ),
  )

/** The query in the address. `params` also holds parameters that `schema` does not have. */
export function useUrlQuery<P extends Parameters>(schema: QuerySchema<P>) {
  const parsers = useMemo(
    () => Object.fromEntries(schema.order.map((name) => [name, texts])),
    [schema],
  )
  const [own, setOwn] = useQueryStates(parsers)
  const others = [...(useSearchParams() ?? [])].filter(([name]) => !Object.hasOwn(parsers, name))
  const text = new URLSearchParams([...toUrlParams(own), ...others]).toString()
  const read = useMemo(() => {
    const params = new URLSearchParams(text)
    return { params, ...readLeniently(schema, params) }
  }, [schema, text])
  const setQuery = useCallback<SetQuery<ValuesOf<P>>>(
    (change, history = 'push') => {
      const set = (current: Texts) => {
        const { query } = readLeniently(schema, toUrlParams(current))
        const changes = typeof change === 'function' ? change(query) : change
        const params = toParams(schema, { ...query, ...changes })
        const isSame = params.toString() === toUrlParams(current).toString()
        // All of them: nuqs appends them in this order.
        return isSame ? {} : toTexts(schema.order, params, current)
      }
      void setOwn(set, { history })
    },
    [schema, setOwn],
  )
  return { ...read, setQuery }
}

function toTexts(names: readonly string[], params: URLSearchParams, current: Texts): Texts {
  return Object.fromEntries(
    names.map((name) => {
      const values = params.getAll(name)
      if (values.length === 0) return [name, null]
      const last = current[name] ?? null
      // nuqs compares by identity.
      return [name, JSON.stringify(values) === JSON.stringify(last) ? last : values]
    }),
  )
}
