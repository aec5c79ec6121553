'use client'

import { updateStored, useStorageProblem, useStored } from '#components/store/store.ts'
import type { PastQuery } from '#components/store/stored-state.ts'
import { Button } from '#components/ui/button.tsx'
import { Fold } from '#components/ui/fold.tsx'
import { toVisibleText } from '#lib/contract/visible-text.ts'

const MOST = 50
const MOST_CHARACTERS = 100_000

/** The last use of each query, newest first. */
export function toHistory(entries: readonly PastQuery[]): readonly PastQuery[] {
  const latest = new Map<string, PastQuery>()
  for (const one of entries) {
    const known = latest.get(one.query)
    if (!known || known.at < one.at) latest.set(one.query, one)
  }
  const sorted = [...latest.values()].sort(
    (a, b) => b.at - a.at || (a.query < b.query ? -1 : Number(a.query > b.query)),
  )
  let characters = 0
  return sorted.slice(0, MOST).filter(({ query }) => {
    characters += query.length
    return characters <= MOST_CHARACTERS
  })
}

export function rememberQuery(query: string): void {
  updateStored(({ queries }) => ({ queries: toHistory([{ query, at: Date.now() }, ...queries]) }))
}

export function PastQueries({ onPick }: { onPick: (query: string) => void }) {
  const queries = useStored((stored) => stored.queries)
  const problem = useStorageProblem()
  return (
    <Fold title="Recent queries">
      <div className="flex max-w-text flex-col gap-2 pt-1">
        {queries.length === 0 && (
          <p className="text-ink-3">Queries that you run are listed here.</p>
        )}
        <ol className="flex flex-col">
          {queries.map(({ query }) => (
            <li key={query}>
              <button
                className="link block max-w-full truncate py-1 text-left font-mono text-sm pointer-coarse:py-2.5"
                onClick={() => onPick(query)}
                type="button"
              >
                {toVisibleText(query.replace(/\s+/g, ' ').slice(0, SHOWN_LENGTH))}
              </button>
            </li>
          ))}
        </ol>
        {problem !== null && (
          <p className="text-ink-3">This browser does not store them: they last until you leave.</p>
        )}
        {queries.length > 0 && (
          <Button
            className="self-start"
            onClick={() => updateStored(() => ({ queries: [] }))}
            size="small"
          >
            Forget them
          </Button>
        )}
      </div>
    </Fold>
  )
}

const SHOWN_LENGTH = 160
