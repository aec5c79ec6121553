import type { ShelvedEdition } from '#lib/contract/answers/editions.ts'
import type { Progress } from '#lib/contract/answers/progress.ts'
import type { Dump, Edition } from '#lib/contract/answers/state.ts'
import { type DumpKind, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { isFresh } from './edition-age.ts'
import type { KeptEdition } from './sync.ts'

type Shown = {
  kind: DumpKind
  at: number
  edition: KeptEdition | null
  heldBack: KeptEdition | null
  isFetching: boolean
  progress: Progress | null
  /** Why there is nothing newer, in a sentence. */
  reason: string | null
}

export function toCard({ kind, at, edition, heldBack, isFetching, progress, reason }: Shown): Dump {
  const isCurrent = edition !== null && isFresh(edition, at)
  const kept = isCurrent ? 'ready' : 'stale'
  const missing = reason === null ? 'absent' : 'failed'
  return {
    kind,
    state: isFetching ? 'fetching' : edition ? kept : missing,
    reason: isFetching || isCurrent ? null : reason,
    progress,
    file_name: edition?.fileName ?? null,
    edition: edition && toEdition(edition),
    columns: edition?.columns ?? [],
    first_rows: edition?.firstRows ?? [],
    next_due_at: nextEditionAt(at),
    changes: edition?.changes ?? null,
    aside: heldBack?.reason ?? null,
    cost: 1,
  }
}

export function toShelved(kept: KeptEdition, current: KeptEdition | null): ShelvedEdition {
  const { fileName: file_name, unchanged, changes, reason } = kept
  const state = reason !== null ? 'aside' : kept === current ? 'current' : 'earlier'
  return { ...toEdition(kept), file_name, state, unchanged, changes, reason }
}

function toEdition(kept: KeptEdition): Edition {
  const { edition, rows, bytes, sha256, fetched_at, next_due_at } = kept
  return { edition, rows, bytes, sha256, fetched_at, next_due_at }
}
