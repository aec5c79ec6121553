'use client'

import { useSyncExternalStore } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Fold } from '#components/ui/fold.tsx'
import { subscribeToKept } from '#components/ui/kept-store.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { createQueryHistory, HISTORY_KEY, toHistory } from './query-history.ts'

const past = createQueryHistory(() => window.localStorage)

export function rememberQuery(query: string): void {
  past.change((queries) => toHistory([{ query, at: Date.now() }, ...queries]))
}

const NONE = { saved: [], problem: null }

export function PastQueries({ onPick }: { onPick: (query: string) => void }) {
  const { saved, problem } = useSyncExternalStore(
    (listener) => subscribeToKept(HISTORY_KEY, past, listener),
    past.load,
    () => NONE,
  )
  return (
    <Fold title="Recent queries">
      <div className="flex max-w-text flex-col gap-2 pt-1">
        {saved.length === 0 && <p className="text-ink-3">Queries that you run are listed here.</p>}
        <ol className="flex flex-col">
          {saved.map(({ query }) => (
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
        {saved.length > 0 && (
          <Button className="self-start" onClick={() => past.change(() => [])} size="small">
            Forget them
          </Button>
        )}
      </div>
    </Fold>
  )
}

const SHOWN_LENGTH = 160
