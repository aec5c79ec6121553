'use client'

import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { Button } from '#components/ui/button.tsx'
import { Fold } from '#components/ui/fold.tsx'
import {
  createKeptStore,
  type ReadText,
  subscribeToKept,
  type TextStorage,
} from '#components/ui/kept-store.ts'
import { toKeptName } from '#lib/contract/base-path.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

/** Milliseconds since 1970. */
const entry = z.object({ query: z.string().check(z.maxLength(10_000)), at: z.int() })
type PastQuery = z.infer<typeof entry>

const HISTORY_KEY = toKeptName('bellwether.sql')
const VERSION = 1
const MOST = 50
const MOST_CHARACTERS = 100_000

const head = z.object({ version: z.int() })
const document = z.object({ queries: z.array(z.unknown()) })

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

function read(text: string): ReadText<readonly PastQuery[]> {
  try {
    const json: unknown = JSON.parse(text)
    const version = head.safeParse(json)
    if (version.success && version.data.version > VERSION) return { ok: false, isNewer: true }
    const found = document.safeParse(json)
    if (!found.success) return { ok: false, isNewer: false }
    const queries = found.data.queries.flatMap((one) => entry.safeParse(one).data ?? [])
    return {
      ok: true,
      value: toHistory(queries),
      isWhole: queries.length === found.data.queries.length,
    }
  } catch {
    return { ok: false, isNewer: false }
  }
}

export const createQueryHistory = (storage: () => TextStorage) =>
  createKeptStore<readonly PastQuery[]>(
    {
      key: HISTORY_KEY,
      unreadableKey: `${HISTORY_KEY}.unreadable`,
      none: [],
      read,
      toText: (queries) => JSON.stringify({ version: VERSION, queries }),
      merge: (mine, theirs) => toHistory([...mine, ...theirs]),
    },
    storage,
  )

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
