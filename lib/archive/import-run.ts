import { sql } from 'kysely'
import type {
  ArchiveState,
  ImportOutcome,
  ImportRun,
  ImportSource,
  WholeImport,
} from './archive.ts'
import type { Session } from './duckdb-session.ts'
import { type MergeCounts, mergeIncoming } from './merge.ts'
import { quarantineRejected } from './quarantine.ts'
import { createQueue } from './queue.ts'
import type { StagedCsv } from './stage-csv.ts'
import { openStaging } from './staging.ts'
import { countVanished, noteCovered } from './vanished.ts'

type RunOptions = {
  source: ImportSource
  now: () => number
  state: () => ArchiveState
  rebuildAbove: number
  /** Called once, when the run has ended in whatever way. */
  onEnd: () => Promise<void>
}

/** From so many changed rows on, a commit is written out of the log into the file at once. */
const CHECKPOINT_ROWS = 50_000

/** Begins a run on the writing session, which it has to itself until its end. */
export async function beginRun(writer: Session, options: RunOptions): Promise<ImportRun> {
  await noteRun(writer, { ...options, state: 'running' })
  const staging = await openStaging(writer)
  const inTurn = createQueue()
  let ended = false
  const giveUp = async () => {
    ended = true
    try {
      await staging.discard()
      await noteRun(writer, { ...options, state: 'aborted' })
    } finally {
      await options.onEnd()
    }
  }
  const settle = async (outcome: ImportOutcome) => {
    try {
      await staging.discard()
      if (countWritten(outcome) >= CHECKPOINT_ROWS) await checkpoint(writer)
    } finally {
      await options.onEnd()
    }
  }
  const refuseEnded = () => {
    if (ended) throw new Error('the import run has ended')
  }
  return {
    append: async (rows, rejected) =>
      await inTurn(async () => {
        refuseEnded()
        await staging.append(rows, rejected)
      }),
    appendCsv: async (file) =>
      await inTurn(async () => {
        refuseEnded()
        return await staging.appendCsv(file)
      }),
    countVanished: async (whole) =>
      await inTurn(async () => {
        refuseEnded()
        return await countVanished(writer.db, whole)
      }),
    commit: async ({ completeTo, whole }) =>
      await inTurn(async () => {
        refuseEnded()
        try {
          const outcome = await commitRun(writer, {
            ...options,
            completeTo,
            whole,
            overflow: staging.overflow(),
            csv: staging.csv(),
          })
          ended = true
          await settle(outcome)
          return outcome
        } catch (error) {
          if (!ended) await giveUp()
          throw error
        }
      }),
    abort: async () =>
      await inTurn(async () => {
        if (!ended) await giveUp()
      }),
  }
}

type CommitOptions = RunOptions & {
  completeTo: number | null
  whole: WholeImport | undefined
  /** Rejected rows that were not staged, only counted. */
  overflow: number
  csv: StagedCsv | null
}

async function commitRun(
  { db }: Session,
  { source, now, state, rebuildAbove, completeTo, whole, overflow, csv }: CommitOptions,
): Promise<ImportOutcome> {
  return await db.transaction().execute(async (transaction) => {
    const counts = await mergeIncoming(transaction, { rebuildAbove, whole, csv })
    if (whole) await noteCovered(transaction, whole)
    const quarantined = await quarantineRejected(transaction, { source, at: now(), overflow })
    const { generation: before, completeTo: completeBefore } = state()
    const generation = countWritten(counts) > 0 ? before + 1 : before
    await transaction
      .updateTable('journal')
      .set({ generation, complete_to: laterOf(completeBefore, completeTo) })
      .set(toLastRun({ source, now, state: 'committed', counts }))
      .execute()
    return { ...counts, quarantined, generation }
  })
}

/** How many ratings are another than before, each counted once at least. */
const countWritten = (counts: MergeCounts): number =>
  counts.inserted + counts.updated + counts.vanished + counts.returned

function laterOf(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.max(a, b)
}

type RunNote = { source: ImportSource; now: () => number; state: 'running' | 'aborted' }

async function noteRun({ db }: Session, note: RunNote): Promise<void> {
  const counts = { inserted: 0, updated: 0, unchanged: 0, vanished: 0, returned: 0 }
  await db
    .updateTable('journal')
    .set(toLastRun({ ...note, counts }))
    .execute()
}

const toLastRun = (run: {
  source: ImportSource
  now: () => number
  state: string
  counts: MergeCounts
}) => ({
  last_source: `${run.source.kind} ${run.source.name}`,
  last_state: run.state,
  last_at: run.now(),
  last_inserted: run.counts.inserted,
  last_updated: run.counts.updated,
  last_unchanged: run.counts.unchanged,
})

/** Not possible while a reader holds an older snapshot: the engine then does it by itself later. */
async function checkpoint({ db }: Session): Promise<void> {
  try {
    await sql`checkpoint`.execute(db)
  } catch {
    // The commit stands in the log either way.
  }
}
