import type { ImportOutcome, ImportRun, ImportSource } from '#lib/archive/archive.ts'
import type { SyncArchive } from './sync.ts'

/** An import that is committed with what `fill` gives, or aborted where it throws. */
export async function withImport(
  archive: SyncArchive,
  source: ImportSource,
  fill: (run: ImportRun) => Promise<Parameters<ImportRun['commit']>[0]>,
): Promise<ImportOutcome> {
  const run = await archive.beginImport(source)
  try {
    return await run.commit(await fill(run))
  } catch (error) {
    // What went wrong first is what is told.
    await run.abort().catch(() => undefined)
    throw error
  }
}
